"""The arguments of a call of the user's function, and its result: their names."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.lowering.frames import Frame
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Expr, Origin, Ref
from gradgen.ir.temporaries import argument_name, result_name


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


def name_result(
    lowering: Lowering, frame: Frame, bound: dict[Any, Expr], result: Expr, mark: int
) -> None:
    """Names what a call gives where nothing in it has a name, by the function.

    u_length for length_of(u), whose text is `return np.sqrt(np.sum(v * v))`. `mark` is
    the number from which on the call has made variables.
    """
    if not isinstance(result, Ref) or not isinstance(frame.node, gast.FunctionDef):
        return
    var = lowering.renamed.get(result.var.id, result.var)
    if var.origin is not Origin.TEMP or var.id < mark:
        return
    given = {
        name: lowering.known_name(value.var)
        for name, value in bound.items()
        if isinstance(value, Ref)
    }
    others = any(isinstance(value, Apply) for value in bound.values())
    wish = result_name(frame.name, [*given.items(), *[("", "")] * others])
    if wish:
        lowering.wish(var, wish, Origin.TEMP)
