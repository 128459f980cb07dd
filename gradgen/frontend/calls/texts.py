"""Texts of values that are known."""

from __future__ import annotations

import builtins
from typing import Any

import gast

from gradgen.frontend.heap.contents import contents, pairs_of
from gradgen.frontend.lowering.callables import Choice
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.source.holding import is_opaque
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import TEXTS


def as_text(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """An argument of a message: as it is, records and functions by what they say."""
    if isinstance(handle, Const) and callable(handle.value):
        return Const(getattr(handle.value, "__name__", "function"))
    if isinstance(handle, Const) and is_opaque(handle.value):
        told = f"a {type(handle.value).__name__} is told, which no text has"
        lowering.fail("GG272", told, node, "the message without it")
    known = contents(lowering, handle)
    if isinstance(known, Record):
        label = _label(lowering, handle, known)
        if not label:
            told = f"what a {known.cls.__name__} reads as is not known here"
            lowering.fail("GG272", told, node, "the message of its fields")
        return Const(None, label)
    if known is not None and known.op == "dict" and not isinstance(handle, Ref):
        label = _name_of(lowering, handle)
        if label:
            return Const(None, label)
    return handle


def _name_of(lowering: Lowering, handle: Expr) -> str:
    """The name of an argument that is a dictionary, which the text has as it is."""
    names = lowering.state.names
    found = [n for n in lowering.bundles if names.get((0, n)) is handle]
    return found[0] if found and found[0] not in lowering.own_dictionaries else ""


def _label(lowering: Lowering, handle: Expr, known: Record) -> str:
    """How the text reads an object that an argument is and stays; "" for others.

    before:  if str(kind) != "flat": x = x * kind.scale      kind an object
    after:   if str(kind) != "flat": ...
    """
    places = []
    for key, part in pairs_of(lowering, known):
        inner = contents(lowering, part)
        if isinstance(inner, Record):
            place = _label(lowering, part, inner)
        elif isinstance(part, Ref) and part.var in lowering.leaf_paths:
            name, *path = lowering.leaf_paths[part.var]
            place = ".".join(map(str, (name, *path)))
        else:
            place = ""
        base, _, last = place.rpartition(".")
        places.append(base if last == getattr(key, "value", None) else "")
    told = lowering.places.get(handle.var) if isinstance(handle, Ref) else None
    first = places[0] if places else told or ""
    return first if all(place == first for place in places) else ""


def class_of_builtins(lowering: Lowering, kind: type, done: str) -> Const:
    """An exception's class under a name that every text has: the nearest of Python's.

    before:  class Old(UserWarning): ...       after:  UserWarning
             warnings.warn("no", Old)
    """
    own = next(c for c in kind.__mro__ if c.__module__ == "builtins")
    if own is not kind:
        lowering.decided(f"a {kind.__name__} is {done} as a {own.__name__}")
    return Const(own, own.__name__)


def as_class(lowering: Lowering, handle: Const, node: gast.AST) -> Expr:
    """A class in a message, or the category of a warning."""
    value: Any = handle.value
    if isinstance(value, Choice):
        ways = (value.then, value.orelse)
        made = [as_class(lowering, way, node) for way in ways if isinstance(way, Const)]
        if len(made) == 2 and made[0] == made[1]:
            return made[0]
        told = "which class this is depends on the branch"
        lowering.fail("GG223", told, node, "a warning in each arm")
    if issubclass(value, BaseException):
        return class_of_builtins(lowering, value, "told")
    name = str(value.__name__)
    if getattr(builtins, name, None) is value:
        return Const(value, name)
    if value.__module__.partition(".")[0] == "numpy":
        return handle
    return Const(name)


def is_class(handle: Expr) -> bool:
    """Whether a handle is a class, or one of two by a branch."""
    value = getattr(handle, "value", None)
    if isinstance(value, Choice):
        return is_class(value.then) and is_class(value.orelse)
    return isinstance(value, type)


def text_of(lowering: Lowering, node: gast.JoinedStr) -> Expr:
    """An f-string that reads values."""
    parts: list[Expr] = []
    for part in node.values:
        if isinstance(part, gast.Constant):
            parts.append(Const(part.value))
            continue
        value = as_text(lowering, lowering.read(part.value), part)
        spec = (
            Const("") if part.format_spec is None else lowering.read(part.format_spec)
        )
        if REFUSED in (value, spec):
            raise Refusal
        if not isinstance(spec, Const):
            lowering.fail("GG201", "computed formats are not supported", node, "")
        if set("{}") & set(str(spec.value)):
            lowering.fail("GG201", "a format of braces is not supported", node, "")
        args = (lowering.current(value, node), Const(part.conversion), spec)
        parts.append(Apply("format", args))
    return Apply("text", tuple(parts))


def beside_a_string(operands: tuple[Expr, ...]) -> str:
    """What to write for the sum of a string and an argument: which string that is."""
    for one in operands:
        if isinstance(one, Ref) and one.var.origin is Origin.PARAM:
            return f"--shape {one.var.name}='=\"...\"' for one string, or an example"
    return "a number"


def is_text(lowering: Lowering, handle: Expr) -> bool:
    """Whether a value surely is a string."""
    if isinstance(handle, Const):
        return isinstance(handle.value, str)
    return isinstance(handle, Apply) and handle.op in TEXTS
