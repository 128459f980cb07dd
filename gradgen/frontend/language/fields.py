"""Attributes of instances and classes, read."""

from __future__ import annotations

import inspect
from typing import Any

import gast

from gradgen.frontend.calls.arguments import object_of
from gradgen.frontend.calls.asked_types import note_class_value
from gradgen.frontend.calls.fields import LENT, class_of, field, held_value, is_own
from gradgen.frontend.calls.fields import known_object
from gradgen.frontend.calls.methods import is_super, super_value
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.callables import Partial
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.operations import answers, handles
from gradgen.frontend.source.lookup import MISSING
from gradgen.frontend.source.names import NO_VALUE
from gradgen.ir.nodes import Const, Expr, Var


@answers(Lowering.name)
def name(lowering: Lowering, node: gast.Name) -> Expr:
    found: Expr | None = getattr(node, "handle", None)
    return name.further(lowering, node) if found is None else found


@answers(Lowering.is_local)
def is_local(lowering: Lowering, name: str) -> bool:
    return name == LENT or is_local.further(lowering, name)


@answers(Lowering.resolve)
def resolve(lowering: Lowering, node: gast.AST) -> Any:
    """The Python object of a dotted name, also of one that goes through a class."""
    if isinstance(node, gast.Name) and node.id == LENT:
        return object_of(lowering, getattr(node, "handle", None))
    if isinstance(node, gast.Attribute):
        base = class_of(lowering, node.value)
        if base is not None:
            found = _of_class(lowering, base, node.attr)
            if callable(found):
                note_class_value(lowering, node, found)
            return found
    return resolve.further(lowering, node)


def _of_class(lowering: Lowering, cls: type, name: str) -> Any:
    """What a class has under a name: a constant, a function, a member."""
    if name in ("__name__", "__qualname__"):
        return getattr(cls, name)
    found = inspect.getattr_static(cls, name, MISSING)
    if found is MISSING:
        return NO_VALUE
    if isinstance(found, staticmethod):
        return found.__func__
    if isinstance(found, classmethod):
        return Partial(found.__func__, (Const(cls),), ())
    return getattr(cls, name, found)


@handles(gast.Attribute)
def attribute(lowering: Lowering, node: gast.Attribute) -> Expr:
    if is_super(lowering, node.value):
        return super_value(lowering, node)
    if node.attr == "__class__":
        return _type_of(lowering, lowering.read(node.value), node)
    cls = class_of(lowering, node.value)
    if cls is not None:
        return _class_value(lowering, cls, node)
    found = known_object(lowering, node.value)
    if found is None:
        return attribute.further(lowering, node)
    handle, base = found
    if handle is REFUSED:
        return REFUSED
    known = contents(lowering, handle)
    if isinstance(known, Record) and (known.op == "object" or is_own(handle)):
        return field(lowering, handle, known, node)
    again = gast.Attribute(base, node.attr, node.ctx)
    return attribute.further(lowering, gast.copy_location(again, node))


def _class_value(lowering: Lowering, cls: type, node: gast.Attribute) -> Expr:
    """A constant, a function or a member of a class."""
    value = _of_class(lowering, cls, node.attr)
    if value is NO_VALUE:
        lowering.fail(
            "GG240", f"{cls.__name__} has no {node.attr}", node, "one that it has"
        )
    note_class_value(lowering, node, value)
    return held_value(lowering, value, node)


@answers(Lowering.touch)
def touch(lowering: Lowering, changed: Var) -> None:
    """Notes that a container has changed; one of the receiver's stays as it was."""
    touch.further(lowering, changed)
    version = lowering.state.versions.get(changed)
    if changed in lowering.places and getattr(version, "op", "") != "object":
        lowering.left[lowering.places[changed]] = None


def _type_of(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    known = contents(lowering, handle) if handle is not REFUSED else None
    if isinstance(known, Record):
        return Const(known.cls)
    asked = gast.Call(Held(Const(type), node), [Held(handle, node)], [])
    return lowering.read(gast.copy_location(asked, node))
