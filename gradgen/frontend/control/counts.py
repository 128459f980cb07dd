"""Loops over a count of rounds."""

from __future__ import annotations

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Items
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import add, multiply, negative, subtract

# a loop over items that are known is written out, up to so many rounds
ROUNDS = 64


def assigned_to(lowering: Lowering, value: Expr) -> Expr | None:
    """What a variable was assigned, where that is known."""
    known = lowering.facts.definitions
    return known.get(value.var) if isinstance(value, Ref) else None


def counted(lowering: Lowering, items: Items, node: gast.AST) -> Items:
    """The same with a length and what is at each place of it."""
    if items.span is None:
        return items
    start, stop, step = items.span
    if items.at is None and all(isinstance(part, Const) for part in items.span):
        numbers = range(start.value, stop.value, step.value)
        if len(numbers) <= ROUNDS and start.value != 0:
            return Items(known=tuple(map(Const, numbers)))
    if step == stop == Const(-1):  # reversed(...)
        inner = items.at or _itself
        return Items(
            length=_one_more(lowering, start, node),
            at=lambda i: inner(lowering.bind(subtract(start, i), node)),
        )
    inner = items.at or _itself
    if step != Const(1):
        return _by_steps(lowering, items, node)
    if start == Const(0):
        return Items(length=stop, at=inner)
    length = lowering.bind(subtract(stop, start), node)
    return Items(length=length, at=lambda i: inner(lowering.bind(add(start, i), node)))


def _by_steps(lowering: Lowering, items: Items, node: gast.AST) -> Items:
    """range(a, b, s): -((a - b) // s) rounds, at a + s * i.

    before:  for i, k in enumerate(range(0, n, s)): ...
    after:   for i in range(-(-n // s)): k = s * i
    """
    assert items.span is not None
    start, stop, step = items.span
    inner, from_0 = items.at or _itself, start == Const(0)
    gap = negative(stop) if from_0 else subtract(start, stop)
    over = lowering.bind(gap, node), step
    rounds = lowering.bind(Apply("numpy.floor_divide", over, (), "operator"), node)

    def at(i: Expr) -> Expr:
        place = lowering.bind(multiply(step, i), node)
        return inner(place if from_0 else lowering.bind(add(start, place), node))

    return Items(length=lowering.bind(negative(rounds), node), at=at)


def _one_more(lowering: Lowering, number: Expr, node: gast.AST) -> Expr:
    """number + 1; n for n - 1."""
    value = assigned_to(lowering, number)
    if isinstance(value, Apply) and value.op == "numpy.subtract":
        if value.args[1] == Const(1):
            return value.args[0]
    return lowering.bind(add(number, Const(1)), node)


def _itself(index: Expr) -> Expr:
    return index
