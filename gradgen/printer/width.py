"""Long lines of the gradient are cut: a part gets a line and a name of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from gradgen.ir.nodes import (
    Apply,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Stmt,
    Supply,
)
from gradgen.ir.operators import ADDITIVE, MULTIPLICATIVE, SIGNED, STORES
from gradgen.ir.temporaries import part_name
from gradgen.ir.walk import all_defined, rewrite, subexpressions, with_blocks

WIDTH = 88
# A shorter part is not worth a name.
SHORTEST = 14
INDENT = 4
# words that are no value by themselves, or another's; a chain is the keys of a part of
# a part
STRUCTURE = "tuple list slice chain dtype numpy.result_type numpy.asarray".split()


def cut(
    function: Function,
    width_of: Callable[..., Any],
    indent: int,
    breaks: Callable[[Let, int], bool] = lambda let, indent: False,
) -> Function:
    """The function with a named part for each line of the gradient that is too long.

        before:  d_s = d_w + np.where(hits, d_t / np.sum(hits, axis=-1, keepdims=True), 0)
        after:   hits_sum = np.sum(hits, axis=-1, keepdims=True)
                 d_s = d_w + np.where(hits, d_t / hits_sum, 0)

    `width_of(let)` is the length of a statement, `width_of(expr)` of an expression.
    A sum of three or more stays whole where its terms fit: it is laid out in
    brackets, a term in a line. So does what `breaks(let, indent)` in brackets of
    arithmetic alone.
    """
    supply = Supply(1 + max((v.id for v in all_defined(function.body)), default=0))
    body = tuple(_cut(function.body, width_of, indent, supply, breaks))
    return function if body == function.body else replace(function, body=body)


def _cut(
    source: Iterable[Stmt],
    width_of: Callable[..., Any],
    indent: int,
    supply: Supply,
    breaks: Callable[[Let, int], bool],
) -> Iterator[Stmt]:
    room = WIDTH - indent
    for stmt in source:
        if not isinstance(stmt, Let):
            yield with_blocks(
                stmt, lambda b: _cut(b, width_of, indent + 4, supply, breaks)
            )
            continue
        long = stmt.note.derived and width_of(stmt) > room
        long = long and not _fits_by_terms(stmt, width_of, room)
        long = long and not breaks(stmt, indent)
        part = _part(stmt, width_of, room) if long else None
        if part is not None:
            name = part_name(part, stmt.var.name)
            var = supply.var(name, Origin.LOCAL, stmt.var.of)
            yield Let(var, part, stmt.note)
            value = rewrite(stmt.value, _replacing(part, Ref(var)))
            stmt = replace(stmt, value=value)
        yield stmt


def _fits_by_terms(let: Let, width_of: Callable[..., Any], room: int) -> bool:
    """Whether each term of a sum, or row of an array, fits in a line of its own."""
    value = let.value
    if isinstance(value, Apply) and value.op in (*STORES, "accumulate"):
        value = value.args[-1]
    if isinstance(value, Apply) and value.op == "numpy.array":
        rows = value.args[0]
        if isinstance(rows, Apply) and rows.op == "list":
            return all(width_of(t) + 2 * INDENT + 1 <= room for t in rows.args)
    terms = list(_terms(value))
    signs = len("+ ()") + INDENT
    return len(terms) > 2 and all(width_of(t) + signs <= room for t in terms)


def _terms(expr: Expr) -> Iterator[Expr]:
    """The terms of a sum as it is written: a + b - c."""
    while isinstance(expr, Apply) and expr.op in ADDITIVE and len(expr.args) == 2:
        yield expr.args[1]
        expr = expr.args[0]
    yield expr


def says_twice(value: Expr, width_of: Callable[..., Any]) -> bool:
    """Whether a part of an expression that is worth a name is there twice."""
    return any(
        count > 1
        and isinstance(node, Apply)
        and node.op not in STRUCTURE
        and width_of(node) >= SHORTEST
        for node, count in Counter(subexpressions(value)).items()
    )


def _replacing(part: Expr, ref: Ref) -> Callable[[Expr], Expr]:
    return lambda node: ref if node == part else node


def _part(let: Let, width_of: Callable[..., Any], room: int) -> Expr | None:
    """The part whose line and rest come out most alike, and fit where any does.

    A part that is there twice goes from both places. A dtype is no part.
    """
    total = width_of(let)
    best, best_width = None, total
    parts = Counter(node for node in subexpressions(let.value))
    for node, count in parts.items():
        if node is let.value or not isinstance(node, Apply) or node.op in STRUCTURE:
            continue
        width = width_of(node)
        if (
            width < SHORTEST
            or max(width + 4, total - count * (width - 1)) >= best_width
        ):
            continue
        name = len(part_name(node, let.var.name))
        longest = max(width + name + 3, total - count * (width - name))
        if longest < best_width:
            best, best_width = node, longest
    whole = _whole_sum(let, width_of, room) if best_width > room else None
    return whole or best


def _whole_sum(let: Let, width_of: Callable[..., Any], room: int) -> Expr | None:
    """A sum in a product that has a line for each term, where the rest fits in one.

    before:  d_L = (a + b - c) / L          # with long terms
    after:   d_L_terms = (
                 a
                 + b
                 - c
             )
             d_L = d_L_terms / L
    """
    total, value = width_of(let), let.value
    while isinstance(value, Apply) and value.op in (*MULTIPLICATIVE, *SIGNED):
        value = max(value.args, key=width_of)
    if value is let.value or not isinstance(value, Apply):
        return None
    name = part_name(value, let.var.name)
    rest = total - width_of(value) + len(name)
    fits = _fits_by_terms(replace(let, value=value), width_of, room)
    return value if fits and rest <= room else None
