"""inspect.signature(f) and inspect.getfullargspec(f) of functions that are known."""

from __future__ import annotations

import inspect
from typing import Any

import gast

from gradgen.frontend.heap.containers import new_dict
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.lookup import among
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Apply, Const, Expr

ASKED = (inspect.signature, inspect.getfullargspec)
BY_PLACE = {
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
}


@answers(Lowering.special_call)
def special_call(lowering: Lowering, value: object, node: gast.Call) -> Expr | None:
    if among(value, ASKED) and len(node.args) == 1:
        return _signature(lowering, value, lowering.read(node.args[0]))
    return special_call.further(lowering, value, node)


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """The names of parameters."""
    if node.attr == "parameters" and isinstance(node.value, (gast.Call, gast.Name)):
        value = getattr(lowering.read(node.value), "value", None)
        if isinstance(value, inspect.Signature):
            return new_dict(lowering, {name: Const(name) for name in value.parameters})
    if node.attr in ("args", "kwonlyargs") and _is_spec(lowering, node.value):
        value = getattr(lowering.read(node.value), "value", None)
        if isinstance(value, inspect.Signature):
            own = value.parameters.values()
            kinds = (
                BY_PLACE if node.attr == "args" else {inspect.Parameter.KEYWORD_ONLY}
            )
            return Apply("tuple", tuple(Const(p.name) for p in own if p.kind in kinds))
    return attribute.further(lowering, node)


def _signature(lowering: Lowering, asked: Any, handle: Expr) -> Expr | None:
    """The signature of a function that is known, of which names may be read."""
    function = getattr(handle, "value", NO_VALUE)
    if not isinstance(handle, Const) or not callable(function):
        return None
    try:
        follows = asked is inspect.signature  # getfullargspec is of the wrapper itself
        return Const(inspect.signature(function, follow_wrapped=follows))
    except (TypeError, ValueError):
        return None


def _is_spec(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression may be what inspect.getfullargspec gives."""
    if isinstance(node, gast.Call):
        return lowering.resolve(node.func) is inspect.getfullargspec
    return isinstance(node, gast.Name) and lowering.is_local(node.id)
