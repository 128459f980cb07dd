"""A derivative that computes with another library than NumPy, as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.source import Source
from gradgen.pipeline.emitted import Emitted
from gradgen.request.options import Request
from gradgen.runtime.cotangents import UNSET, seed_given
from gradgen.runtime.exec_text import compiled
from gradgen.runtime.html import html

# libraries whose arrays NumPy's own functions take
LIKE_NUMPY = ("numpy", "dask", "numba")


class Elsewhere:
    """The function of a text for another library: `g(*args, **kwargs)`.

    Its arguments are that library's arrays, and nothing is checked or converted: it
    is called as its text says, `g.source`, with a seed for a result that is an array.
    `seed=` is the last argument, a tuple for several results. With target="xp" the
    module is a keyword argument.
    """

    def __init__(
        self, asked: Request, source: Source, as_tuple: bool, emitted: Emitted
    ):
        self.asked, self.source = asked, emitted.text
        self.as_tuple = as_tuple and len(asked.wrt or ()) == 1
        self.with_value = emitted.function.startswith("value_and_grad_")
        self.function = _installed(emitted, source, asked.library)
        self.__name__, self.__doc__ = emitted.function, self.function.__doc__
        code = self.function.__code__
        names = code.co_varnames[: code.co_argcount]
        self._seeds = names[len(names) - sum(emitted.seeded) :]
        spec = source.node.args
        self._own = {arg.id for arg in spec.args + spec.kwonlyargs}

    def __call__(self, /, *args: Any, seed: Any = UNSET, **kwargs: Any) -> Any:
        if self.asked.mode != "reverse" or self.asked.style == "callback":
            kwargs |= {} if seed is UNSET else {"seed": seed}
            seed = UNSET
        seed = seed_given(seed, self._own, "grad")
        if seed is not None:
            seeds = seed if len(self._seeds) > 1 else (seed,)
            kwargs |= dict(zip(self._seeds, seeds, strict=True))
        result = self.function(*args, **kwargs)
        if not self.as_tuple or self.asked.style == "callback":
            return result
        return (result[0], (result[1],)) if self.with_value else (result,)

    def _repr_html_(self) -> str:
        """The text, as a notebook shows it."""
        return html(self.source)

    def __repr__(self) -> str:
        return f"<{self.asked.library} function {self.__name__}>"


def _installed(emitted: Emitted, source: Source, library: str) -> Callable[..., Any]:
    try:
        return compiled(emitted, source)
    except ModuleNotFoundError as error:
        raise GradgenError(
            "GG711",
            f"{error.name} is not installed, which a text for {library} imports",
            advice=f"gradgen.emit(..., target={library!r}), whose text can be written "
            "without it",
        ) from None
