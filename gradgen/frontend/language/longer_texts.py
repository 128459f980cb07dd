"""Strings that a statement makes longer: note += ", not converged"."""

from __future__ import annotations

import gast

from gradgen.frontend.calls.texts import is_text
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import handles


@handles(gast.AugAssign)
def lengthened_text(lowering: Lowering, node: gast.AugAssign) -> None:
    """note += ", not converged": the name is of another string then."""
    target = node.target
    if not isinstance(target, gast.Name) or not isinstance(node.op, gast.Add):
        return lengthened_text.further(lowering, node)
    read = gast.Name(target.id, gast.Load(), None, None)
    if not is_text(lowering, lowering.read(gast.copy_location(read, target))):
        return lengthened_text.further(lowering, node)
    whole = gast.copy_location(gast.BinOp(read, node.op, node.value), node)
    made = gast.Assign(targets=[target], value=whole)
    return lowering.statement(gast.copy_location(made, node))
