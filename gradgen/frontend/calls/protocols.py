"""What the methods of a class stand for: its length, its order, its division."""

from __future__ import annotations

import types
from typing import Any

import gast

from gradgen.frontend.calls.fields import known_object
from gradgen.frontend.calls.settings import read_class
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record, is_object
from gradgen.frontend.source.lookup import MISSING, is_method, looked_up, refused_class
from gradgen.ir.nodes import Expr

COMPARED = {
    "Eq": ("__eq__", "__eq__"),
    "NotEq": ("__ne__", "__ne__"),
    "Lt": ("__lt__", "__gt__"),
    "LtE": ("__le__", "__ge__"),
    "Gt": ("__gt__", "__lt__"),
    "GtE": ("__ge__", "__le__"),
}


def own_method(lowering: Lowering, handle: Expr, name: str) -> Any:
    """What an instance's class has under a name, where it has a text; else None."""
    known = contents(lowering, handle) if handle is not REFUSED else None
    if not isinstance(known, Record):
        return None
    if refused_class(known.cls, around=bool(known.outer)):
        return None
    found = looked_up(known.cls, name)
    plain = isinstance(found, types.FunctionType)
    if not plain or not is_method(found):  # or it is generated
        return None
    read_class(lowering, handle, known.cls)
    return found


def refuse_object(
    lowering: Lowering, known: Record, what: str, why: str, node: Any
) -> None:
    name = known.cls.__name__
    lowering.fail("GG243", f"{what} a {name} {why}", node, "its fields one by one")


def length_of(lowering: Lowering, handle: Expr, known: Record, node: gast.AST) -> Expr:
    """len of an instance, which its class tells."""
    method = own_method(lowering, handle, "__len__")
    if method is None:
        refuse_object(lowering, known, "the length of", "is not known", node)
    return lowering.call(method, [handle], (), node)


def unless_reversed(lowering: Lowering, node: gast.AST) -> gast.AST:
    """What is reversed, read once; refuses an instance that has a way of its own."""
    found = known_object(lowering, node)
    known = None if found is None else contents(lowering, found[0])
    if is_object(known):
        own = ("__reversed__", "__iter__")
        if any(looked_up(known.cls, name) is not MISSING for name in own):
            refuse_object(lowering, known, "reversed of", "is not supported", node)
    return node if found is None else found[1]


def unless_divided(lowering: Lowering, one: Expr, other: Expr, node: gast.AST) -> None:
    """Refuses divmod of an instance that has a way of its own."""
    for name, handle in (("__divmod__", one), ("__rdivmod__", other)):
        known = contents(lowering, handle) if handle is not REFUSED else None
        if is_object(known) and looked_up(known.cls, name) is not MISSING:
            refuse_object(lowering, known, "divmod of", "is not supported", node)
