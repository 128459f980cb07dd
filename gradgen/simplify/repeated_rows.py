"""Rows of an array that repeats a row, and what it is turned over."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import call, getitem, lift, multiply
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

COLUMN = lift((slice(None), None))
FILLED = "numpy.full_like"


def part_of_filled(expr: Apply, filled: Apply, facts: Facts) -> Expr:
    """A row of what repeats it, and columns in rows for rows in columns.

    before:  np.full_like(A, row)[0]
    after:   row

    before:  np.full_like(A.T, d * column[:, None]).T
    after:   np.full_like(A, d * column)
    """
    if filled.kwargs or len(filled.args) != 2:
        return expr
    array, row = filled.args
    if expr.op == "getitem":
        is_place = isinstance(expr.args[1], Const) and type(expr.args[1].value) is int
        alike = facts.rank(row) and equal(facts.of(row), facts.of(expr))
        same = facts.kind(row) is facts.kind(expr)
        return row if is_place and alike and same else expr
    turned = isinstance(array, Apply) and array.spelling == "attribute:T"
    if not turned or facts.rank(array) != 2 or not isinstance(array, Apply):
        return expr
    found = _turned(row, facts)
    return expr if found is None else call(FILLED, array.args[0], found)


def added_to_filled(total: Apply, facts: Facts) -> Apply:
    """A sum of what repeats a row and of another row, as the sum of rows, repeated.

    before:  np.full_like(A, d * row) + d * other
    after:   np.full_like(A, d * row + d * other)

    before:  np.full_like(A, d * column[:, None]) + d * row
    after:   d * column[:, None] + d * row

    The sum has the dtype of the array anyway.
    """
    for at, filled in enumerate(total.args):
        if not isinstance(filled, Apply) or filled.op != FILLED or len(total.args) != 2:
            continue
        if filled.kwargs or len(filled.args) != 2 or total.kwargs:
            continue
        array, row = filled.args
        parts = (row, total.args[1]) if at == 0 else (total.args[0], row)
        inner = replace(total, args=parts)
        whole = facts.of(array)
        if whole.dims is None or not equal(facts.of(total), whole):
            continue
        if facts.of(inner).dims is None:
            continue
        if facts.kind(total) is facts.kind(filled) is facts.kind(inner):
            wide = equal(facts.of(inner), whole)
            return inner if wide else replace(filled, args=(array, inner))
    return total


def _turned(row: Expr, facts: Facts) -> Expr | None:
    """A row as a column, and a column as a row; None for anything else."""
    if isinstance(row, Apply) and row.op == "numpy.multiply":
        number, factor = row.args
        rest = _turned(factor, facts) if facts.rank(number) == 0 else None
        return None if rest is None else multiply(number, rest)
    if isinstance(row, Apply) and row.op == "getitem" and row.args[1] == COLUMN:
        return row.args[0] if facts.rank(row.args[0]) == 1 else None
    return getitem(row, COLUMN) if facts.rank(row) == 1 else None
