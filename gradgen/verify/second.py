"""A gradient as a primal: what a Hessian is the derivative of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradgen.frontend.source.source import find
from gradgen.runtime.gradient import Gradient
from gradgen.verify.flat import Leaves
from gradgen.verify.held import Measured


class GradientOf:
    """A gradient as a function of leaves, to be measured around given arguments.

    `made` is what gradgen.grad returns, of the primal in `leaves`; all its numbers
    are one vector. Variables of `stop` stay constant in it as they do in the primal.
    """

    def __init__(
        self, made: Gradient, leaves: Leaves, stop: Sequence[str] = ()
    ) -> None:
        names = leaves.subject.names
        source = find(made.function) if stop else None
        self._measured = Measured(made.function, source, names, stop)
        self._leaves = leaves

    def __call__(self, *args: Any) -> Any:
        """The gradient."""
        return self._of(self._measured, args)

    def at(self, args: Sequence[Any]) -> Callable[..., Any]:
        """The gradient in which every variable of stop keeps its value at args."""
        held = self._measured.at(self._leaves.nested(args))
        return lambda *others: self._of(held, others)

    def _of(self, function: Callable[..., Any], args: Sequence[Any]) -> Any:
        found = function(*self._leaves.nested(args))
        return self._leaves.vector(self._leaves.gradient_leaves(found))
