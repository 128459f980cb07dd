"""Texts of values that are known."""

from __future__ import annotations

import gast

from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.source.holding import is_opaque
from gradgen.ir.nodes import Apply, Const, Expr


def as_text(lowering: Lowering, handle: Expr, node: gast.AST) -> Expr:
    """An argument of a message: as it is, records and functions by what they say."""
    if isinstance(handle, Const) and callable(handle.value):
        return Const(getattr(handle.value, "__name__", "function"))
    if isinstance(handle, Const) and is_opaque(handle.value):
        told = f"a {type(handle.value).__name__} is told, which no text has"
        lowering.fail("GG272", told, node, "the message without it")
    return handle


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
