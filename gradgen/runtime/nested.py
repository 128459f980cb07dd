"""Derivatives of derivatives: of the text that the arguments of a call choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradgen.runtime.as_function import AsFunction
from gradgen.runtime.dispatcher import OF_A_TEXT, Dispatcher


class OfDerivative(AsFunction):
    """A derivative of a derivative: that of the text which the arguments choose.

    `make` makes the derivative of the function of such a text.
    """

    def __init__(
        self, inner: Dispatcher, make: Callable[[Any], Any], maker: str
    ) -> None:
        self._inner, self._make = inner, make
        self.primal, self.maker = inner.primal, maker
        self._dress(inner)
        self._made: dict[Any, Any] = {}
        self._latest: Any = None

    def _called(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.specialize(*args, **kwargs)(*args, **kwargs)

    def specialize(self, *args: Any, **kwargs: Any) -> Any:
        """The derivative for arguments of this signature."""
        own = len(self._inner._positional)
        known = {k: v for k, v in kwargs.items() if k in self._inner._parameters}
        function = self._inner.specialize(*args[:own], **known).function
        if function not in self._made:
            self._made[function] = self._make(function)
        self._latest = self._made[function]
        return self._latest

    def __getattr__(self, name: str) -> Any:
        if name not in (*OF_A_TEXT, "source"):
            raise AttributeError(name)
        return getattr(self._latest or self._make(self._inner.function), name)
