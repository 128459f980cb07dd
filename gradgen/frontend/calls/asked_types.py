"""type(self) of an instance, as the class that it names: type(self).rate."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.heap.contents import contents
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.ir.nodes import Expr, Ref

PLAIN = (str, int, float, bool, type(None))
NAMES = ("__name__", "__qualname__")


def type_asked(lowering: Lowering, node: gast.AST) -> type | None:
    """The class of an instance of this name: type(x), x.__class__; None for another node."""
    found = _instance_asked(lowering, node)
    return None if found is None else found[1].cls


def note_class_value(lowering: Lowering, node: gast.Attribute, value: Any) -> None:
    """Notes that a text holds for classes that have this value: type(self).rate.

    A subclass may have another one. Of a method it is the class that is looked at.
    """
    found = _instance_asked(lowering, node.value)
    if found is None or lowering.root.source.at_hand or node.attr in NAMES:
        return
    handle, known = found
    place = lowering.places.get(handle.var) if isinstance(handle, Ref) else None
    if place is None:
        return
    if type(value) in PLAIN:
        lowering.looked_at[f"type({place}).{node.attr}"] = value
    else:
        lowering.looked_at[f"type({place}).__name__"] = known.cls.__name__


def _instance_asked(lowering: Lowering, node: gast.AST) -> tuple[Expr, Record] | None:
    """The instance whose class is asked for by its name: type(x), x.__class__."""
    if isinstance(node, gast.Attribute) and node.attr == "__class__":
        asked = node.value
    elif isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords:
        asked = node.args[0]
        if not isinstance(asked, gast.Name) or lowering.resolve(node.func) is not type:
            return None
    else:
        return None
    if not isinstance(asked, gast.Name) or not lowering.is_local(asked.id):
        return None
    handle = lookup(lowering, asked.id)
    known = None if handle is None else contents(lowering, handle)
    return (handle, known) if handle and isinstance(known, Record) else None
