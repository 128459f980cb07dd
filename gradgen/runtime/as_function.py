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
# what makes a derivative again: of the public maker's arguments
Recipe = tuple[Callable[..., Any], tuple[Any, ...]]


class AsFunction:
    """What tools ask of a function, told of the function that is differentiated.

    `_called` is the call itself.
    """

    primal: Callable[..., Any]
    maker: str
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
        """The function's own; the seed and tangents, which come besides, are no part."""
        found = inspect.signature(self.primal, follow_wrapped=False)
        own = list(found.parameters.values())[1 if self.is_bound else 0 :]
        return found.replace(parameters=own)

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
