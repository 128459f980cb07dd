"""Stores by a name as stores of a field: setattr(self, "rate", x) is self.rate = x.

So is object.__setattr__(self, "rate", x), with which frozen classes store as well.
"""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.calls.fields import known_object, store_field
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.names import is_path
from gradgen.ir.nodes import Const


@handles(gast.Expr)
def alone(lowering: Lowering, node: gast.Expr) -> None:
    """before:  object.__setattr__(self, "weights", weights / np.sum(weights))
    after:   self.weights = weights / np.sum(weights)
    """
    call: Any = node.value
    if not isinstance(call, gast.Call) or len(call.args) != 3 or call.keywords:
        return alone.further(lowering, node)
    is_forced = _is_of_object(lowering, call.func)
    if not is_forced and lowering.resolve(call.func) is not setattr:
        return alone.further(lowering, node)
    owner, key, value = call.args
    if not is_path(owner):  # what a call does is done once
        return alone.further(lowering, node)
    found = known_object(lowering, owner)
    name = lowering.read(key)
    known = isinstance(name, Const) and isinstance(name.value, str)
    if found is None or not known or not _is_instance(lowering, found[0]):
        return alone.further(lowering, node)
    target = gast.copy_location(gast.Attribute(owner, name.value, gast.Store()), node)
    if not is_forced:
        stored = gast.Assign(targets=[target], value=value)
        return lowering.statement(gast.copy_location(stored, node))
    lowering.start(node, name.value)
    mark = lowering.mark()
    store_field(lowering, target, lowering.read(value), mark, is_forced=True)
    return None


def _is_of_object(lowering: Lowering, func: gast.AST) -> bool:
    """Whether a call is one of object.__setattr__, whatever the class has."""
    is_own = isinstance(func, gast.Attribute) and func.attr == "__setattr__"
    return is_own and lowering.resolve(func.value) is object


def _is_instance(lowering: Lowering, handle: Any) -> bool:
    return isinstance(contents(lowering, handle), Record)
