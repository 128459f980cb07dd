"""The functions that vjp and jvp make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source
from gradgen.pipeline.emitted import Emitted
from gradgen.request.parts import part_of, path_of, with_parts
from gradgen.request.options import Request
from gradgen.runtime.arithmetic import as_numpy, computed, refusals
from gradgen.runtime.cotangents import check_tangent, of_dtype
from gradgen.runtime.gradient import Gradient, Made
from gradgen.runtime.html import html
from gradgen.runtime.left_out import defaults_of, is_option


class Pullback:
    """The function that `vjp` makes: `v(*args) -> (y, pullback)`."""

    maker = "vjp"

    def __init__(self, gradient: Gradient) -> None:
        self._gradient = gradient
        self.primal, self.asked = gradient.primal, gradient.asked
        self.given_wrt = gradient.given_wrt
        self.__name__ = gradient.__name__
        self.__doc__ = gradient.__doc__
        # the sorts of what was no array in calls whose pullback has run
        self._tried: set[tuple[type, ...]] = set()

    @property
    def source(self) -> str:
        """Its text."""
        return self._gradient.source

    def made_by(self, again: Callable[[], Pullback]) -> None:
        """Notes what makes it again, where what the primal reads has changed."""
        self._gradient.made_by(lambda: again()._gradient)

    def accept(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raises GradgenError for arguments that a call would refuse."""
        self._gradient.accept(args, kwargs)

    @property
    def function(self) -> Callable[..., Any]:
        """The emitted function itself."""
        return self._gradient.function

    @property
    def is_outdated(self) -> bool:
        """Whether what the primal reads is no longer as it was."""
        return self._gradient.is_outdated

    def _repr_html_(self) -> str:
        """The text, as a notebook shows it."""
        return html(self.source)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self._gradient.renew()
        given = self._gradient.given(args, kwargs)
        own, run = (args, dict(kwargs)), self._gradient._handing.run
        args, kwargs = self._gradient._checked(args, kwargs)
        held = self._gradient.held
        with refusals():
            value, backprop = run(lambda: self.function(*args, **kwargs, **held), *own)
        more = kwargs | held, given, own
        pulled = partial(self._pulled, value, backprop, args, *more)
        self._try_out(value, given, pulled)
        return value, pulled

    def _try_out(
        self, value: Any, given: Mapping[str, Any], pulled: Callable[..., Any]
    ) -> None:
        """Pulls zeros back, once for each sort of call with options.

        before:  np.pad(x, (1, 2)) has a value, and its pullback raises TypeError
        after:   the call raises it, so that a text is made for (1, 2)
        """
        every = defaults_of(self.primal) | dict(given)
        odd = tuple(type(one) for one in every.values() if is_option(one))
        if not odd or odd in self._tried:
            return
        outcome = self._gradient.outcome
        leaves = outcome.structure.flatten(value)
        with np.errstate(all="ignore"):
            pulled(seeds=outcome.zeros(lambda: leaves))
        self._tried.add(odd)

    @property
    def wrt(self) -> tuple[str, ...]:
        """The arguments that it pulls back to."""
        return self._gradient.wrt

    @property
    def is_plain(self) -> bool:
        """Whether a call is one of the emitted function and a pullback around it."""
        return self._gradient.takes_plainly

    @property
    def constants(self) -> list[tuple[dict[str, Any], str, object]] | None:
        """The names that decide whether the text is stale."""
        return self._gradient.constants

    @property
    def alike(self) -> tuple[Any, ...]:
        """Sizes that would give a shorter text if they were one."""
        return self._gradient.alike

    @property
    def changed(self) -> tuple[str, ...]:
        """The arguments that the function changes."""
        return self._gradient.changed

    @property
    def callees(self) -> list[tuple[Any, ...]]:
        """The functions behind the text, with their code and their defaults."""
        return self._gradient.callees

    def pulled(self, made: tuple[Any, ...], seed: Any = None) -> Any:
        """The gradients for a seed, where the arguments are as the text takes them.

        `made` are the value, what pulls back, and the arguments.
        """
        value, backprop, *args = made
        return self._pulled(value, backprop, tuple(args), {}, None, None, seed)

    def _pulled(
        self,
        value: Any,
        backprop: Callable[..., Any],
        args: tuple[Any, ...],
        words: dict[str, Any],
        given: Mapping[str, Any] | None,
        own: tuple[tuple[Any, ...], dict[str, Any]] | None,
        seed: Any = None,
        seeds: list[Any] | None = None,
    ) -> Any:
        """The gradients for a seed of the value's structure and shapes.

        `args` and `words` are what the emitted function was called with, `given` and
        `own` the arguments of the call, where these are others; `seeds` are one for
        each leaf.
        """
        gradient = self._gradient
        if seeds is None:
            leaves = gradient.outcome.structure.flatten(value)
            seeds = gradient.outcome.seeds(seed, lambda: leaves)
        sorted_seeds = gradient._of_their_sorts(seeds)

        def at_seeds() -> Any:
            try:
                return backprop(*sorted_seeds)
            except ZeroDivisionError:
                with np.errstate(divide="ignore", invalid="ignore"):
                    again = as_numpy(self.function)(*args, **words)[1]
                    return again(*sorted_seeds)

        with refusals():
            result = gradient._handing.run(at_seeds, *(own or (args, words)))
        return gradient._formed(
            gradient.given(args, words) if given is None else given, result
        )


class Matrix(Made):
    """The function that `jacobian` or `hessian` makes: `J(*args)`."""

    @property
    def is_plain(self) -> bool:
        """Whether a call is one of the emitted function."""
        return self.takes_plainly

    @property
    def maker(self) -> str:
        """The function that makes it: jacobian or hessian."""
        return self.asked.mode

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self.renew()
        own, given = (args, kwargs), self.given(args, kwargs)
        args, kwargs = self.taken(args, kwargs, ())
        every, primal = kwargs | self.held, self._run(args, kwargs)
        found = self._handing.run(
            lambda: computed(self.function, args, every, primal), *own
        )
        if isinstance(found, np.ndarray) and len(self.wrt) == 1:
            found = _in_dtype_of(given.get(self.wrt[0]), found)
        return (found,) if self.as_tuple else found


def _in_dtype_of(value: Any, matrix: Any) -> Any:
    """A matrix in the dtype of its argument: one of float32 stays that beside float64."""
    dtype = getattr(value, "dtype", None)
    if dtype is None or {dtype.kind, matrix.dtype.kind} != {"f"}:
        return matrix
    return matrix.astype(dtype, copy=False)


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

    @property
    def is_plain(self) -> bool:
        """Whether a call is one of the emitted function, the tangents behind the rest."""
        return self.takes_plainly and len(self._tangents) == len(self.wrt)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self.renew()
        split = len(args) - len(self.wrt)
        given = self.given(args[:split], kwargs) if split >= 0 else {}
        if any(base not in given for base in self._tangents):
            raise GradgenError(
                "GG509",
                f"{self.__name__} takes a tangent for each of {', '.join(self.wrt)}, "
                "behind the function's own arguments",
                advice=f"those of {', '.join(self.wrt)} as the last arguments",
            )
        asked = args[:split], kwargs
        own, kwargs = self.taken(args[:split], kwargs, self._complexes)
        taken = self.given(own, kwargs)
        along: dict[str, dict[Any, Any]] = {base: {} for base in self._tangents}
        for name, (base, keys), tangent in zip(self.wrt, self._paths, args[split:]):
            check_tangent(name, part_of(given[base], keys), tangent)
            along[base][keys] = of_dtype(part_of(taken[base], keys), tangent)
        tangents = {
            name: with_parts(given[base], along[base])
            for base, name in self._tangents.items()
        }
        every, primal = kwargs | self.held | tangents, self._run(own, kwargs)
        found = self._handing.run(
            lambda: computed(self.function, own, every, primal), *asked
        )
        return self._formed(given, found) if self.maker == "hvp" else found
