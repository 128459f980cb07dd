"""Derivatives of derivatives: of the text that the arguments of a call choose."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

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
        inner: Dispatcher,
        make: Callable[[Any], Any],
        maker: str,
        tangents: int = 0,
    ) -> None:
        self._inner, self._make, self._tangents = inner, make, tangents
        self.primal, self.maker = inner.primal, maker
        self._dress(inner)
        self._made: dict[Any, Any] = {}
        self._latest: Any = None

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._with_defaults(args, kwargs)
        return self.specialize(*args, **kwargs)(*args, **kwargs)

    def _with_defaults(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A call with what it leaves out, where tangents of the inner one stand behind."""
        behind = self._inner._kind.tangents
        own = args[: len(args) - self._tangents - behind]
        names = self._inner._positional[len(own) :]
        if not behind or not names or len(own) == len(args):
            return args, kwargs
        known = self._inner._defaults() | kwargs
        missing = tuple(known[name] for name in names if name in known)
        if len(missing) < len(names):
            return args, kwargs
        rest = {k: v for k, v in kwargs.items() if k not in names}
        return (*own, *missing, *args[len(own) :]), rest

    def specialize(self, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature."""
        own, known = len(args) - self._tangents - self._inner._kind.tangents, kwargs
        code = self._inner.primal.__code__
        if not code.co_flags & inspect.CO_VARARGS:
            own = min(own, len(self._inner._positional))
        if not code.co_flags & inspect.CO_VARKEYWORDS:
            known = {k: v for k, v in kwargs.items() if k in self._inner._parameters}
        elif SEED not in self._inner._parameters:
            known = {k: v for k, v in kwargs.items() if k != SEED}
        function = self._inner.specialize(*args[:own], **known).function
        if function not in self._made:
            self._made[function] = self._make(function)
        self._latest = self._made[function]
        return self._latest

    def __getattr__(self, name: str) -> Any:
        if name not in (*OF_A_TEXT, "source"):
            raise AttributeError(name)
        return getattr(self._latest or self._make(self._inner.function), name)


class OfShaped(AsFunction):
    """A derivative of a derivative of a function that takes *args alone."""

    def __init__(
        self, inner: ByShape, make: Callable[[Any], Any], maker: str, tangents: int
    ) -> None:
        self._inner, self._make, self._tangents = inner, make, tangents
        self.primal, self.maker = inner.primal, maker
        self._dress(inner)
        self._made: dict[Any, Any] = {}

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._for(args, kwargs)(*args, **kwargs)

    def specialize(self, /, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature."""
        return self._for(args, kwargs).specialize(*args, **kwargs)

    def _for(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        one = self._inner.for_call(args[: len(args) - self._tangents], kwargs)
        if one not in self._made:
            self._made[one] = self._make(one)
        return self._made[one]
