"""Members of an enum.Flag in operators: options.A | options.B."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from gradgen.ir.nodes import Const, Expr

COMBINED: dict[str, Callable[[Any, Any], Any]] = {
    "BitAnd": lambda a, b: a & b,
    "BitOr": lambda a, b: a | b,
    "BitXor": lambda a, b: a ^ b,
}


def flags_combined(name: str, left: Expr, right: Expr) -> Expr | None:
    """The member that two known ones make; None where these are no flags.

    >>> flags_combined("BitAnd", Const(enum.Flag("F", "A B")(1)), Const(2)) is None
    True
    """
    one, other = (getattr(side, "value", None) for side in (left, right))
    flags = isinstance(one, enum.Flag) and type(one) is type(other)
    if not flags or name not in COMBINED or isinstance(one, int):
        return None
    return Const(COMBINED[name](one, other))


def is_flag(*sides: Expr) -> bool:
    """Whether one of the operands is a member of an enum that is no number."""
    values = [getattr(side, "value", None) for side in sides]
    return any(isinstance(v, enum.Enum) and not isinstance(v, int) for v in values)
