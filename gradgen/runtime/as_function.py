"""A derivative as Python sees a function: its names, its signature, copies, refusals."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gradgen.errors import GradgenError

HERE = str(Path(__file__).resolve().parents[1])
KINDS = inspect.Parameter
# what makes a derivative again: of the public maker's arguments
Recipe = tuple[Callable[..., Any], tuple[Any, ...]]


class AsFunction:
    """What tools ask of a function, told of the function that is differentiated.

    `_called` is the call itself.
    """

    primal: Callable[..., Any]
    maker: str
    # how many tangents come behind the arguments
    tangents: int = 0
    # what is behind a bound method is not the first argument
    is_bound = False
    recipe: Recipe | None = None

    def _dress(self, primal: Callable[..., Any]) -> None:
        """Takes the names of the function over, as functools.wraps does."""
        name = getattr(primal, "__name__", "f")
        self.__name__ = self.__qualname__ = f"{self.maker}_{name}"
        self.__module__ = primal.__module__
        self.__wrapped__ = primal
        told = f"{self.maker} of {name}, with its arguments."
        self.__doc__ = "\n\n".join(filter(None, (told, primal.__doc__)))

    @property
    def __signature__(self) -> inspect.Signature:
        """The function's own signature, and the seed or the tangents."""
        found = inspect.signature(self.primal, follow_wrapped=False)
        own = list(found.parameters.values())[1 if self.is_bound else 0 :]
        return inspect.Signature(_with_seed(own, self.maker, self.tangents))

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._called(*args, **kwargs)
        except GradgenError as error:
            raise at_the_call(error) from error.__cause__

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def __reduce__(self) -> Any:
        """What pickle and copy make it again of: the function, and what was asked."""
        found: Any = sys.modules.get(self.__module__)
        own = getattr(self.primal, "__qualname__", "")
        for part in own.split("."):
            found = getattr(found, part, None)
        if found is self:  # a decorator has put it into the function's place
            self.__qualname__ = own
            return own
        if self.recipe is None:
            return super().__reduce__()
        return self.recipe


def _with_seed(
    own: list[inspect.Parameter], maker: str, tangents: int
) -> list[inspect.Parameter]:
    """Parameters with a seed behind them, or the tangents before keywords."""
    names = {one.name for one in own}
    if tangents and "tangents" not in names:
        many = [one for one in own if one.kind is KINDS.VAR_POSITIONAL]
        last = [
            one for one in own if one.kind in (KINDS.KEYWORD_ONLY, KINDS.VAR_KEYWORD)
        ]
        first = [one for one in own if one not in last]
        more = [] if many else [inspect.Parameter("tangents", KINDS.VAR_POSITIONAL)]
        return [*first, *more, *last]
    if maker not in ("grad", "value_and_grad") or "seed" in names:
        return own
    seed = inspect.Parameter("seed", KINDS.KEYWORD_ONLY, default=None)
    if own and own[-1].kind is KINDS.VAR_KEYWORD:
        return [*own[:-1], seed, own[-1]]
    return [*own, seed]


def at_the_call(error: GradgenError) -> GradgenError:
    """A refusal whose traceback ends where the user's code calls a derivative."""
    frame = sys._getframe(1)
    found: types.FrameType | None = frame
    while found is not None and _is_own(found):
        found = found.f_back
    trace = None
    if found is not None:
        trace = types.TracebackType(None, found, found.f_lasti, found.f_lineno)
    return error.with_traceback(trace)


def _is_own(frame: types.FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith((HERE, "<gradgen", "<string>"))
