"""Lists that have no value on some way: the empty list there."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Let,
    Loop,
    Merge,
    Note,
    Origin,
    Ref,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.walk import own_expressions, statements, subexpressions, with_blocks


def with_empty_lists(
    body: tuple[Stmt, ...], lists: Container[Var], supply: Supply
) -> tuple[Stmt, ...]:
    """The block with an empty list wherever a list may have no value.

        before:  if c:                       after:  if c:
                     xs = [a]                            xs = [a]
                                                     else:
                                                         xs = []

    What reads the list reads it where it has been set, and never sees the
    difference. A function that asks whether something is None stays as it is.
    """
    if any(_asks(stmt) for stmt in statements(body)):
        return body

    def empty(var: Var, arm: list[Stmt], note: Note) -> Expr:
        new = supply.var(var.name, Origin.USER)
        arm.append(Let(new, Apply("list", ()), note))
        return Ref(new)

    def block(statements: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in statements:
            before: list[Stmt] = []
            stmt = with_blocks(stmt, block)
            errstate = isinstance(stmt, Branch) and _is_with(stmt)
            if isinstance(stmt, Branch) and not errstate:
                then, orelse = list(stmt.then), list(stmt.orelse)
                merges = []
                for merge in stmt.merges:
                    ways = [merge.then, merge.orelse]
                    for side, arm in enumerate((then, orelse)):
                        if merge.var in lists and ways[side] == Const(None):
                            ways[side] = empty(merge.var, arm, stmt.note)
                    merges.append(Merge(merge.var, *ways))
                stmt = replace(
                    stmt, then=tuple(then), orelse=tuple(orelse), merges=tuple(merges)
                )
            elif isinstance(stmt, Loop):
                carried = tuple(
                    (
                        replace(slot, entry=empty(slot.inner, before, stmt.note))
                        if slot.inner in lists and slot.entry == Const(None)
                        else slot
                    )
                    for slot in stmt.carried
                )
                stmt = replace(stmt, carried=carried)
            yield from before
            yield stmt

    return tuple(block(body))


def _is_with(branch: Branch) -> bool:
    return isinstance(branch.test, Apply) and branch.test.op == "numpy.errstate"


def _asks(stmt: Stmt) -> bool:
    return any(
        isinstance(node, Apply) and node.op in ("is", "is_not")
        for expr in own_expressions(stmt)
        for node in subexpressions(expr)
    )
