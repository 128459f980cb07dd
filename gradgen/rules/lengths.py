"""How many axes the arguments of a rule have, and how long these are, as expressions."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir import operators
from gradgen.ir.operators import add

Rank = Callable[[Expr], int | None]


def extent(x: Expr, axis: int) -> Expr:
    """The length of x along one axis; of a list that is written out as a number."""
    if isinstance(x, Apply) and x.op in ("tuple", "list"):
        return Const(len(x.args)) if axis == 0 else extent(x.args[0], axis - 1)
    return Apply("extent", (x, Const(axis)))


def cut(x: Expr, axis: int | None) -> Expr:
    """The length as a place to cut at, never less than 0: see ir/operators.py."""
    if axis is not None and isinstance(x, Apply) and x.op in ("tuple", "list"):
        return extent(x, axis)
    return operators.cut(x, axis)


def rank_of(rank: Rank, x: Expr) -> int | None:
    """How many axes np.array(x) has: one more than the items of a list."""
    if not isinstance(x, Apply) or x.op not in ("tuple", "list") or not x.args:
        return rank(x)
    ranks = {rank_of(rank, item) for item in x.args}
    n = ranks.pop()
    return None if n is None or ranks else n + 1


def total(parts: list[Expr]) -> Expr:
    """The sum of lengths, the plain numbers among them in one."""
    number = sum(part.value for part in parts if isinstance(part, Const))
    result: Expr | None = None
    for part in parts:
        if not isinstance(part, Const):
            result = part if result is None else add(result, part)
    if result is None:
        return Const(number)
    return add(result, Const(number)) if number else result
