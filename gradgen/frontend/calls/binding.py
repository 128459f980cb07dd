"""The arguments of a call of the user's function, under its parameters' names."""

from __future__ import annotations

from typing import Any

from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Expr, Origin, Ref
from gradgen.ir.temporaries import argument_name


def bind(lowering: Lowering, frame: Frame, bound: dict[Any, Expr], target: str) -> None:
    """Binds a call's arguments; those that nothing else names wish for a name.

    x2_in and y2_in for the arguments of x2, y2 = rates(x + h * x1, y + h * y1), whose
    parameters are x and y.
    """
    names: dict[str, Any] = {}
    for name, value in bound.items():
        lowering.state.names[frame.number, name] = value
        if isinstance(value, Ref):
            var = lowering.renamed.get(value.var.id, value.var)
            if var.origin is Origin.TEMP:
                names[name] = var
    several = len(names) > 1
    for name, var in names.items():
        wish = argument_name(var.name, name, target, several)
        if wish != var.name:
            lowering.wish(var, wish, Origin.TEMP)
