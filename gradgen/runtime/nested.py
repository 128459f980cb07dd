"""Derivatives of derivatives: of the text that the arguments of a call choose."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.called import with_ones
from gradgen.runtime.as_function import AsFunction
from gradgen.runtime.dispatcher import OF_A_TEXT, Dispatcher
from gradgen.runtime.fixed import SEED, ByShape


class OfDerivative(AsFunction):
    """A derivative of a derivative: that of the text which the arguments choose.

    `make` makes the derivative of the function of such a text; so many `tangents` stand
    behind the arguments of a call.
    """

    def __init__(
        self,
        inner: Dispatcher | OfDerivative,
        make: Callable[[Any], Any],
        maker: str,
        tangents: int = 0,
    ) -> None:
        self._inner, self._make, self._tangents = inner, make, tangents
        self.primal, self.maker = inner.primal, maker
        self._dress(inner)
        # what it is of takes so many tangents behind the arguments itself
        nested = isinstance(inner, OfDerivative)
        self._behind: int = inner.tangents if nested else inner._kind.tangents
        self.tangents: int = tangents + self._behind
        self._made: dict[Any, Any] = {}
        self._latest: Any = None

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._with_defaults(args, kwargs)
        return self.specialize(*args, **kwargs)(*args, **kwargs)

    def _with_defaults(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A call with what it leaves out, where tangents of the inner one stand behind."""
        of = self._of
        own = args[: len(args) - self.tangents]
        names = of._positional[len(own) :]
        if not self._behind or not names or len(own) == len(args):
            return args, kwargs
        known = of._defaults() | kwargs
        missing = tuple(known[name] for name in names if name in known)
        if len(missing) < len(names):
            return args, kwargs
        rest = {k: v for k, v in kwargs.items() if k not in names}
        return (*own, *missing, *args[len(own) :]), rest

    def specialize(self, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature."""
        inner, of, known = self._inner, self._of, kwargs
        code, most = self.primal.__code__, len(of._positional)
        own = len(args) - self._tangents
        if isinstance(inner, OfDerivative):
            most += self._behind
        else:
            own -= self._behind
        if not code.co_flags & inspect.CO_VARARGS:
            own = min(own, most)
        if not code.co_flags & inspect.CO_VARKEYWORDS:
            known = {k: v for k, v in kwargs.items() if k in of._parameters}
        elif SEED not in of._parameters:
            known = {k: v for k, v in kwargs.items() if k != SEED}
        text = inner.specialize(*args[:own], **known)
        _refuse_stopped(text, of)
        function, key = (text, (text,)) if inner is not of else _bound(of, text)
        if key not in self._made:
            self._made[key] = self._make(function)
        self._latest = self._made[key]
        return self._latest

    @property
    def _of(self) -> Dispatcher:
        """The derivative within, which is one of the function itself."""
        inner = self._inner
        return inner._of if isinstance(inner, OfDerivative) else inner

    def __getattr__(self, name: str) -> Any:
        if name not in (*OF_A_TEXT, "source"):
            raise AttributeError(name)
        return getattr(self._latest or self._make(self._inner.function), name)


def _refuse_stopped(text: Any, of: Dispatcher) -> None:
    """Refuses what holds a value constant: the text reads it as any other."""
    if getattr(text, "is_stopped", False):
        name = of.primal.__name__
        raise GradgenError(
            "GG260",
            f"{name} holds values constant, of which its derivative's text does not tell",
            advice=f"gradgen.hessian({name}) or gradgen.hvp({name})",
        )


def _bound(of: Dispatcher, text: Any) -> tuple[Any, tuple[Any, ...]]:
    """The function of a text as the derivative is called, and what it is known by.

    Arrays of an enclosing function, and the instance of a bound method, are no arguments
    of a call.
    """
    ahead = (of.instance,) if getattr(of, "is_bound", False) else ()
    function, arrays = text.function, getattr(text, "held", {})
    key = function, *map(id, (*ahead, *arrays.values()))
    if ahead or arrays:
        function = functools.partial(function, *ahead, **arrays)
    seeds = getattr(text, "seeds_needed", ())
    if seeds:
        primal = getattr(of, "__wrapped__", of.primal)
        own = with_ones(function, primal, *seeds) if text.is_of_one_array else None
        if own is None:
            raise GradgenError(
                "GG506",
                f"{of.primal.__name__} has no one real result, and a derivative of its "
                "derivative takes no seed for it",
                advice="a function of arguments by name that returns one array of floats",
            )
        function = own
    return function, key


class OfShaped(AsFunction):
    """A derivative of a derivative of a function that takes *args alone."""

    def __init__(
        self,
        inner: ByShape | OfShaped,
        make: Callable[[Any], Any],
        maker: str,
        tangents: int,
    ) -> None:
        self._inner, self._make, self._tangents = inner, make, tangents
        self.primal, self.maker = inner.primal, maker
        self._dress(inner)
        self._made: dict[Any, Any] = {}

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.for_call(args, kwargs)(*args, **kwargs)

    def specialize(self, /, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature."""
        return self.for_call(args, kwargs).specialize(*args, **kwargs)

    def for_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The derivative for so many arguments."""
        one = self._inner.for_call(args[: len(args) - self._tangents], kwargs)
        if one not in self._made:
            self._made[one] = self._make(one)
        return self._made[one]
