"""Fields by their names in the dictionary of an instance: self.__dict__["rate"]."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.calls.fields import known_object
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.ir.nodes import Const, Expr


@handles(gast.Subscript)
def subscript(lowering: Lowering, node: gast.Subscript) -> Expr:
    """before:  return x * self.__dict__[name]
    after:   return x * getattr(self, name)
    """
    owner = _owner(lowering, node)
    if owner is None:
        return subscript.further(lowering, node)
    return _by_name(lowering, getattr, [owner, node.slice], node)


@answers(Lowering.assign)
def assign(lowering: Lowering, target: gast.AST, value: Expr, mark: int) -> Expr:
    """before:  for name in ("call", "put"): self.__dict__[name] = None
    after:   for name in ("call", "put"): setattr(self, name, None)
    """
    owner = _owner(lowering, target)
    if owner is None:
        return assign.further(lowering, target, value, mark)
    key: Any = target
    _by_name(lowering, setattr, [owner, key.slice, Held(value, target)], target)
    return value


def _by_name(
    lowering: Lowering, function: Any, args: list[gast.AST], node: gast.AST
) -> Expr:
    call = gast.Call(Held(Const(function), node), args, [])
    return lowering.expression(gast.copy_location(call, node))


def _owner(lowering: Lowering, node: gast.AST) -> gast.AST | None:
    """The instance whose dictionary an expression reads; None for another one."""
    if not isinstance(node, gast.Subscript) or isinstance(node.slice, gast.Slice):
        return None
    table, owner = node.value, None
    if isinstance(table, gast.Attribute) and table.attr == "__dict__":
        owner = table.value
    elif isinstance(table, gast.Call) and len(table.args) == 1:
        if getattr(table.func, "id", "") == "vars":
            owner = table.args[0] if lowering.resolve(table.func) is vars else None
    found = None if owner is None else known_object(lowering, owner)
    known = None if found is None else contents(lowering, found[0])
    return owner if isinstance(known, Record) and known.op == "object" else None
