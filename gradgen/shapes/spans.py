"""From where to where an integer may go: loop indices, and sizes, which are not negative."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Expr, Loop
from gradgen.shapes.dims import ONE, Dim

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

# A loop inside of a loop inside of ...: so many bounds may follow from one another.
DEPTH = 4


def learn_span(facts: Facts, loop: Loop) -> None:
    """Notes the least and the greatest value of a loop's index, where it counts."""
    span = ends(facts, loop.over)
    if span is not None:
        facts.spans[facts.size_of(loop.index)] = span


def ends(facts: Facts, over: Expr | None) -> tuple[Dim, Dim] | None:
    """The least and the greatest value of what a loop goes over; None for others."""
    if not isinstance(over, Apply):
        return None
    if over.op == "reversed":
        return ends(facts, over.args[0])
    if over.op != "range":
        return None
    start, stop, step = map(facts.dim, over.args)
    forwards = side(step)  # range(0, n, k) goes forwards where k is a length
    if forwards == 0 or step.number == 0:
        return None
    return (start, stop - ONE) if forwards > 0 else (stop + ONE, start)


def rounds(facts: Facts, loop: Loop) -> Dim:
    """How many rounds a loop makes, as a size: n of `for i in range(n)`.

    That of a loop that may end before, or in steps, has a name of its own.
    """
    over = loop.over
    while isinstance(over, Apply) and over.op == "reversed":
        over = over.args[0]
    plain = loop.test is None and loop.until is None
    if plain and isinstance(over, Apply) and over.op == "range":
        start, stop = map(facts.dim, over.args[:2])
        step = getattr(over.args[2], "value", None)
        if step in (1, -1):
            return stop - start if step == 1 else start - stop
    return Dim.of(facts.size_of(loop.count))


def side(dim: Dim) -> int:
    """1 of what is surely 0 or more, -1 of what is surely less, 0 of what is neither.

    Named sizes are 0 or more, but for those of which nothing is known.
    """
    if any(name.startswith("?") for name in dim.names):
        return 0
    factors = [factor for _, factor in dim.terms]
    if all(factor > 0 for factor in factors):
        return 1
    plain = any(not names for names, _ in dim.terms)
    return -1 if plain and all(factor < 0 for factor in factors) else 0


def is_no_less(facts: Facts, dim: Dim) -> bool:
    """Whether a size is surely 0 or more, whatever the rounds of the loops around it."""
    for _ in range(DEPTH):
        if side(dim) > 0:
            return True
        least = dim
        for names, factor in dim.terms:
            span = facts.spans.get(names[0]) if len(names) == 1 else None
            if span is not None:
                moved = span[0] if factor > 0 else span[1]
                least = least + Dim.of(factor) * (moved - Dim.of(names[0]))
        if least == dim:
            return False
        dim = least
    return side(dim) > 0
