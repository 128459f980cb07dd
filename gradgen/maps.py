"""The functions that vjp and jvp make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradgen.arithmetic import as_numpy, computed, refusals
from gradgen.errors import GradgenError
from gradgen.frontend.source import Source
from gradgen.gradient import Gradient, Made, floating
from gradgen.parts import part_of, path_of, with_parts
from gradgen.pipeline import Emitted
from gradgen.request import Request
from gradgen.seeds import check_tangent
from gradgen.shown import html


class Pullback:
    """The function that `vjp` makes: `v(*args) -> (y, pullback)`."""

    maker = "vjp"

    def __init__(self, gradient: Gradient) -> None:
        self._gradient = gradient
        self.primal, self.asked = gradient.primal, gradient.asked
        self.given_wrt = gradient.given_wrt
        self.source = gradient.source
        self.function = gradient.function
        self.__name__ = gradient.__name__
        self.__doc__ = gradient.__doc__

    @property
    def is_outdated(self) -> bool:
        """Whether what the primal reads is no longer as it was."""
        return self._gradient.is_outdated

    def _repr_html_(self) -> str:
        """The text, as a notebook shows it."""
        return html(self.source)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._gradient._checked(args, kwargs)
        held = self._gradient.held
        value, backprop = self.function(*args, **kwargs, **held)

        outcome = self._gradient.outcome
        leaves = outcome.structure.flatten(value)

        def pullback(seed: Any = None) -> Any:
            """The gradients for a seed of the value's structure and shapes."""
            seeds = outcome.seeds(seed, lambda: leaves)
            seeds = self._gradient._of_their_sorts(seeds)
            with refusals():
                try:
                    result = backprop(*seeds)
                except ZeroDivisionError:
                    with np.errstate(divide="ignore", invalid="ignore"):
                        again = as_numpy(self.function)(*args, **kwargs, **held)[1]
                        result = again(*seeds)
            return (result,) if self._gradient.as_tuple else result

        return value, pullback


class Matrix(Made):
    """The function that `jacobian` or `hessian` makes: `J(*args)`."""

    @property
    def maker(self) -> str:
        """The function that makes it: jacobian or hessian."""
        return self.asked.mode

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._facts.check(args, kwargs)
        args, kwargs = floating(args, kwargs, self.wrt, self._positions, ())
        found = computed(
            self.function, args, kwargs | self.held, self._run(args, kwargs)
        )
        return (found,) if self.as_tuple else found


class Pushforward(Made):
    """The function that `jvp` or `hvp` makes: `j(*args, *tangents)`."""

    def __init__(
        self,
        primal: Callable[..., Any],
        asked: Request,
        source: Source,
        as_tuple: bool,
        emitted: Emitted,
    ) -> None:
        super().__init__(primal, asked, source, as_tuple, emitted)
        self.maker = "hvp" if asked.mode == "hvp" else "jvp"
        self.as_tuple = self.as_tuple and self.maker == "hvp"
        self._paths = [path_of(name) for name in self.wrt]
        bases = dict.fromkeys(base for base, _ in self._paths)
        self._tangents = dict(zip(bases, self._arguments[-len(bases) :], strict=True))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        split = len(args) - len(self.wrt)
        self._facts.check(args[:split], kwargs)
        given = dict(zip(self._names, args[:split])) | kwargs
        if split < 0 or any(base not in given for base in self._tangents):
            raise GradgenError(
                "GG509",
                f"{self.__name__} takes a tangent for each of {', '.join(self.wrt)}, "
                "behind the function's own arguments",
                advice=f"those of {', '.join(self.wrt)} as the last arguments",
            )
        own, kwargs = floating(
            args[:split], kwargs, self.wrt, self._positions, self._complexes
        )
        along: dict[str, dict[Any, Any]] = {base: {} for base in self._tangents}
        for name, (base, keys), tangent in zip(self.wrt, self._paths, args[split:]):
            check_tangent(name, part_of(given[base], keys), tangent)
            along[base][keys] = tangent
        tangents = {
            name: with_parts(given[base], along[base])
            for base, name in self._tangents.items()
        }
        every = kwargs | self.held | tangents
        found = computed(self.function, own, every, self._run(own, kwargs))
        return (found,) if self.as_tuple else found
