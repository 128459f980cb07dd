"""Objects of which little is known: nothing is computed with them.

Loggers and generators that an instance holds are handed on. Of an argument that is
taken for an object only the fields are known that are read: what else is asked of it
is refused.

before:  if seed is np.random or seed is None: ...     seed a RandomState that self holds
after:   (neither)
"""

from __future__ import annotations

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers
from gradgen.frontend.source.holding import Anything, is_opaque
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import is_path
from gradgen.ir.nodes import Apply, Const, Expr

IDENTITIES = {"is": True, "is_not": False}
QUESTIONS = (isinstance, hasattr, getattr, setattr, type, callable, len, vars, id)


@answers(Lowering.as_truth)
def as_truth(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """A logger is true; whether an argument's object is, its class says."""
    if _is_opaque(handle):
        return Const(True)
    _refuse_unknown(lowering, node, handle)
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


@answers(Lowering.comparison)
def comparison(
    lowering: Lowering, op: gast.cmpop, left: Expr, right: Expr, node: gast.AST
) -> Expr:
    """Whether objects are equal their classes say."""
    if isinstance(op, (gast.Eq, gast.NotEq)):
        _refuse_unknown(lowering, node, left, right)
    return comparison.further(lowering, op, left, right, node)


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    """What is asked of an object as a whole."""
    if among(value, QUESTIONS) and node.args and is_path(node.args[0]):
        _refuse_unknown(lowering, node, lowering.read(node.args[0]))
    return special_call.further(lowering, value, node)


def _refuse_unknown(lowering: Lowering, node: gast.AST, *handles: Expr) -> None:
    """Refuses a question that the class of an argument's object answers."""
    for handle in handles:
        known = None if handle is REFUSED else contents(lowering, handle)
        if isinstance(known, Record) and known.cls is Anything:
            told = "only the fields of this object are known here, those that are read"
            lowering.fail("GG245", told, node, "the annotation of its class")


def _is_opaque(handle: Expr) -> bool:
    value = getattr(handle, "value", None) if isinstance(handle, Const) else None
    return is_opaque(value)
