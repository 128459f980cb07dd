"""What cannot be one name's value after both arms of a branch."""

from __future__ import annotations

from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.memory import Poison
from gradgen.frontend.source.names import is_mark
from gradgen.ir.nodes import Expr


def unjoined(name: str, *values: Expr) -> Poison | None:
    """Why the values of two arms cannot be joined: one is a function, or a mark."""
    for value in values:
        plain = getattr(value, "value", None)
        if callable(plain) or value is REFUSED:
            told = f"which function {name} is depends on the branch"
            return Poison("GG223", told, "the call in either arm")
        if is_mark(plain):
            kind = type(plain).__name__
            told = f"whether {name} is an {kind} of the module depends on the branch"
            return Poison("GG223", told, "None in its place")
    return None
