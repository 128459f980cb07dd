"""The methods of instances and of their bases, bound."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.calls.fields import bound_method, class_of, field, held_value
from gradgen.frontend.calls.fields import is_own, known_object, lend
from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.heap.outer_instances import is_written, record_of
from gradgen.frontend.lowering.callables import Partial
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.source.lookup import MISSING, behind_super, getter, is_method
from gradgen.frontend.source.lookup import looked_up
from gradgen.ir.nodes import Const, Expr
from gradgen.rules.methods import operation_of_method


def method_of(lowering: Lowering, func: gast.Attribute) -> tuple[Expr | None, gast.AST]:
    """What is called as instance.name(...), None where that is no instance's.

    Besides the expression before the name, which may have been read.
    """
    if is_super(lowering, func.value):
        return super_value(lowering, func), func.value
    if class_of(lowering, func.value) is not None:
        return None, func.value
    found = known_object(lowering, func.value) or _offered(lowering, func)
    if found is None:
        return None, func.value
    handle, base = found
    known = contents(lowering, handle) if handle is not REFUSED else None
    if isinstance(known, Record):
        own = looked_up(known.cls, func.attr)
        fields = [key.value for key, _ in pairs_of(lowering, known)]
        if known.op == "object" or is_own(handle) or func.attr in fields:
            return field(lowering, handle, known, func), base
        if is_method(own):
            return bound_method(lowering, handle, known.cls, own), base
    return (REFUSED if handle is REFUSED else None), base


def _offered(lowering: Lowering, func: gast.Attribute) -> tuple[Expr, gast.AST] | None:
    """An object whose methods have rules, where this one has none: stats.norm._pdf."""
    value = lowering.resolve(func.value)
    if not is_written(value) or operation_of_method(value, func.attr) is not None:
        return None
    return record_of(value, lowering.source.segment(func.value)), func.value


def instance_of(lowering: Lowering, func: gast.AST) -> Expr | None:
    """The instance that is called, f(...) or layers[0](...); None for no instance."""
    if isinstance(func, gast.Name):
        handle = lookup(lowering, func.id) if lowering.is_local(func.id) else None
        handle = getattr(func, "handle", handle)
        if handle is None and (found := known_object(lowering, func)) is not None:
            handle = found[0]
    else:
        found = known_object(lowering, func)
        handle = None if found is None else found[0]
    if handle is None or handle is REFUSED:
        return handle
    is_object = isinstance(contents(lowering, handle), Record)
    return handle if is_object or callable(getattr(handle, "value", 0)) else None


def is_super(lowering: Lowering, node: gast.AST) -> bool:
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name):
        return False
    return node.func.id == "super" and lowering.resolve(node.func) is super


def super_has(lowering: Lowering, call: gast.Call, name: str) -> bool:
    """Whether a class behind this one has a name."""
    _, cls, above = _above(lowering, call)
    return behind_super(cls, above, name) is not MISSING


def _above(lowering: Lowering, call: gast.Call) -> tuple[Expr, type, type]:
    """The instance or the class that super() is of, its class, and the one passed."""
    frame: Any = lowering.frame
    while frame.parent is not None:
        frame = frame.parent
    if len(call.args) == 2:
        above, handle = class_of(lowering, call.args[0]), lowering.read(call.args[1])
    else:
        above = frame.source.closure.get("__class__")
        handle = lowering.state.names[frame.number, frame.node.args.args[0].id]
    known = contents(lowering, handle)
    cls = known.cls if isinstance(known, Record) else getattr(handle, "value", None)
    if above is None or not isinstance(cls, type):
        lowering.fail("GG271", "super() of what is not known", call, "the class's name")
    return handle, cls, above


def super_value(lowering: Lowering, node: gast.Attribute) -> Expr:
    """super().name, bound to the instance."""
    call: Any = node.value
    handle, cls, above = _above(lowering, call)
    known = contents(lowering, handle)
    own = behind_super(cls, above, node.attr)
    function = getter(own)
    if function is not None:
        return lowering.call(function, [handle], (), node)
    if isinstance(known, Record):
        bound = bound_method(lowering, handle, cls, own)
    else:
        bound = Const(Partial(getattr(own, "__func__", own), (Const(cls),), ()))
    if bound is not None:
        return bound
    if own is object.__init__:
        return Const(Partial(_nothing, (), ()))
    if own is MISSING:
        lowering.fail("GG240", f"no base class has {node.attr}", node, "one that is")
    return held_value(lowering, own, node)


def with_receiver(lowering: Lowering, node: gast.Call) -> gast.Call:
    """The call of a method, what the method is of read once: a.add(v).add(w)."""
    func = node.func
    if isinstance(func, (gast.Call, gast.Subscript)):
        return with_func(node, lend(lowering, func, lowering.read(func)))
    if not isinstance(func, gast.Attribute) or is_super(lowering, func.value):
        return node
    if not any(isinstance(one, gast.Call) for one in gast.walk(func.value)):
        return node
    found = known_object(lowering, func.value)
    if found is None:
        return node
    again = gast.Attribute(found[1], func.attr, func.ctx)
    return with_func(node, gast.copy_location(again, func))


def calls_an_object(lowering: Lowering, node: gast.Call) -> bool:
    """Whether a call is of an instance's method, or of a base's by super()."""
    func = node.func
    if isinstance(func, gast.Name):
        return instance_of(lowering, func) is not None
    if not isinstance(func, gast.Attribute):
        return False
    if is_super(lowering, func.value):
        return True
    found = known_object(lowering, func.value)
    return found is not None and isinstance(contents(lowering, found[0]), Record)


def with_func(node: gast.Call, func: gast.AST) -> gast.Call:
    """The call of something else with the same arguments."""
    return gast.copy_location(gast.Call(func, node.args, node.keywords), node)


def _nothing(*args: object, **kwargs: object) -> None:
    """What object.__init__ does."""
