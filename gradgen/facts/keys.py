"""What an index is: a place, a slice, or one that makes an axis."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr


def is_turned(value: Expr | None) -> bool:
    """Whether a value is x[:, None] or x[None, :]."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    key = value.args[1]
    return isinstance(key, Apply) and key.op == "tuple" and Const(None) in key.args


def is_place(key: Expr) -> bool:
    """Whether an index is one number that is written out."""
    return isinstance(key, Const) and type(key.value) is int


def is_slice(key: Expr) -> bool:
    """Whether an index is a slice alone: x[1:]."""
    return isinstance(key, Apply) and key.op == "slice"
