"""What cannot be one name's value after both arms of a branch."""

from __future__ import annotations

from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison
from gradgen.frontend.source.names import is_mark
from gradgen.ir.nodes import Expr, Ref, Var


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


def turned(
    lowering: Lowering, inner: Var, value: Expr, end: Expr | None
) -> Poison | None:
    """Why an array of one round cannot be the next one's: it is a list at its end.

    `end` is the handle of the value; one of two lists has twins.
    """
    facts, memory = lowering.facts, lowering.memory
    is_one_of_two = (
        isinstance(end, Ref) and memory.buffer(end.var) in memory.links.twins
    )
    if inner in facts.entries or inner in memory.lists:
        return None
    if not facts.is_list(value) and not is_one_of_two:
        return None
    told = f"{inner.name} is an array before the loop, and a list after a round"
    return Poison("GG222", told, f"{inner.name} = list(...) before the loop")
