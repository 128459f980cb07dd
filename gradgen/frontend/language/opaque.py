"""Objects that are handed on, and that nothing is computed with: loggers, generators.

before:  if seed is np.random or seed is None: ...     seed a RandomState that self holds
after:   (neither)
"""

from __future__ import annotations

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.holding import OPAQUE
from gradgen.ir.nodes import Apply, Const, Expr

IDENTITIES = {"is": True, "is_not": False}


@answers(Lowering.as_truth)
def as_truth(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """Such an object is true."""
    if _is_opaque(handle):
        return Const(True)
    return as_truth.further(lowering, handle, node)


@answers(Lowering.bind)
def bind(lowering: Lowering, value: Apply, node: gast.AST | None) -> Expr:
    """Which object it is is known; else nothing is computed with it."""
    held = next((one for one in value.args if _is_opaque(one)), None)
    if held is None:
        return bind.further(lowering, value, node)
    if value.op in IDENTITIES:
        others = [getattr(one, "value", None) for one in value.args]
        return Const((others[0] is others[-1]) is IDENTITIES[value.op])
    kind = type(held.value).__name__
    at = node or lowering.frame.node
    lowering.fail("GG272", f"this is a {kind}", at, "what it gives as an argument")


def _is_opaque(handle: Expr) -> bool:
    value = getattr(handle, "value", None) if isinstance(handle, Const) else None
    return isinstance(value, OPAQUE[1:])
