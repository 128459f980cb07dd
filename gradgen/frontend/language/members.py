"""Members of enums: what they are and hold, by name, by value, and one after another.

before:  rate = Rate.FAST; x * rate.value; Rate["FAST"]; Rate(0.5); for r in Rate
after:   x * 0.5; Rate.FAST; Rate.FAST; for r in (Rate.FAST, Rate.SLOW)

before:  rate.of(x); rate(x)
after:   Rate.of(Rate.FAST, x); Rate.__call__(Rate.FAST, x)
"""

from __future__ import annotations

import enum
import types
from typing import Any

import gast

from gradgen.frontend.calls.arguments import by_keyword, positional, spread
from gradgen.frontend.calls.fields import bound_method, held_value, known_object
from gradgen.frontend.calls.methods import with_func
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.heap.outer_values import attribute_of_member
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.lookup import looked_up
from gradgen.frontend.source.names import NO_VALUE
from gradgen.frontend.source.reach import is_users_class
from gradgen.ir.nodes import Apply, Const, Expr


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    """What a member holds, or what a property of its class says."""
    member = _member(lowering, node.value)
    if member is None:
        return attribute.further(lowering, node)
    found = attribute_of_member(member, node.attr)
    if found is not NO_VALUE:
        return held_value(lowering, found, node)
    own = looked_up(type(member), node.attr)
    if type(own) is property and own.fget is not None:
        return lowering.call(own.fget, [Const(member)], (), node)
    return attribute.further(lowering, node)


@handles(gast.Call)
def called(lowering: Lowering, node: gast.Call) -> Expr:
    """A method of a member's class, and a member that is called."""
    func, name = node.func, "__call__"
    member = _member(lowering, func)
    if member is None and isinstance(func, gast.Attribute):
        member, name = _member(lowering, func.value), func.attr
    if member is None:
        return called.further(lowering, node)
    own = looked_up(type(member), name)
    bound = bound_method(lowering, Const(member), type(member), own)
    if bound is None or not is_users_class(type(member)):
        return called.further(lowering, node)
    node = spread(lowering, with_func(node, Held(bound, func)))
    args, kwargs = positional(lowering, node), by_keyword(lowering, node)
    if any(one is REFUSED for one in (*args, *(v for _, v in kwargs))):
        return REFUSED
    return lowering.call(getattr(bound, "value"), args, kwargs, node)


@answers(Lowering.item)
def item(lowering: Lowering, base: Expr, key: Expr, node: gast.AST | None) -> Expr:
    """Kind["FAST"]."""
    kind, name = getattr(base, "value", None), getattr(key, "value", None)
    if isinstance(kind, enum.EnumMeta) and type(name) is str:
        member = kind.__members__.get(name)
        if member is not None:
            return Const(member)
    return item.further(lowering, base, key, node)


@answers(Lowering.other_call)
def other_call(lowering: Lowering, node: gast.Call) -> Expr:
    """Kind(0.5), of a value that is known."""
    if len(node.args) != 1 or node.keywords or not _may_be_a_class(node.func):
        return other_call.further(lowering, node)
    kind = lowering.resolve(node.func)
    if isinstance(kind, enum.EnumMeta):
        value = getattr(lowering.read(node.args[0]), "value", None)
        every: list[Any] = list(kind)
        for member in every:
            if type(member.value) is type(value) and member.value == value:
                return Const(member)
    return other_call.further(lowering, node)


@answers(Lowering.gone_through)
def gone_through(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """The members, where a loop goes over an enum."""
    kind = getattr(handle, "value", None)
    if isinstance(kind, enum.EnumMeta):
        return Apply("tuple", tuple(map(Const, kind)))
    return gone_through.further(lowering, handle, node)


def _member(lowering: Lowering, node: gast.AST) -> enum.Enum | None:
    """The member that an expression is, where that is known."""
    if isinstance(node, gast.Name):
        named = lowering.source.globals.get(node.id)
        if isinstance(named, types.ModuleType):
            return None
    value = lowering.resolve(node)
    if value is NO_VALUE and isinstance(node, gast.Name):
        value = getattr(lookup(lowering, node.id), "value", None)
    if value is NO_VALUE and isinstance(node, gast.Attribute):
        value = _field(lowering, node)
    if isinstance(node, (gast.Call, gast.Subscript)):
        kind = node.func if isinstance(node, gast.Call) else node.value
        if isinstance(lowering.resolve(kind), enum.EnumMeta):
            value = getattr(lowering.read(node), "value", None)
    return value if isinstance(value, enum.Enum) else None


def _field(lowering: Lowering, node: gast.Attribute) -> Any:
    """What a field holds of the instance that a dotted name of the function's own is."""
    base: gast.AST = node
    while isinstance(base, gast.Attribute):
        base = base.value
    if not isinstance(base, gast.Name) or not lowering.is_local(base.id):
        return NO_VALUE
    found = known_object(lowering, node.value)
    handle = REFUSED if found is None else found[0]
    known = None if handle is REFUSED else contents(lowering, handle)
    if not isinstance(known, Record):
        return NO_VALUE
    held = {key.value: one for key, one in pairs_of(lowering, known)}
    if not isinstance(getattr(held.get(node.attr), "value", None), enum.Enum):
        return NO_VALUE
    return getattr(lowering.read(node), "value", NO_VALUE)  # noted as a setting


def _may_be_a_class(node: gast.AST) -> bool:
    """Whether a name is written as classes are: with a capital, or behind _."""
    name = getattr(node, "id", getattr(node, "attr", ""))
    return not name.lstrip("_")[:1].islower()
