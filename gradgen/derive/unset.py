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
from gradgen.ir.walk import joins, own_expressions, statements, subexpressions
from gradgen.ir.walk import with_blocks


def with_empty_lists(
    body: tuple[Stmt, ...], lists: Container[Var], supply: Supply
) -> tuple[Stmt, ...]:
    """The block with an empty list wherever a list may have no value.

        before:  if c:                       after:  if c:
                     xs = [a]                            xs = [a]
                                                     else:
                                                         xs = []

    What reads the list reads it where it has been set, and never sees the
    difference. A list that is asked whether it is None stays as it is.
    """
    asked = _asked(body)

    def empty(var: Var, arm: list[Stmt], note: Note) -> Expr:
        new = supply.var(var.name, Origin.USER)
        arm.append(Let(new, Apply("list", ()), note))
        return Ref(new)

    def is_unset(var: Var, way: Expr) -> bool:
        return var in lists and var not in asked and way == Const(None)

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
                        if is_unset(merge.var, ways[side]):
                            ways[side] = empty(merge.var, arm, stmt.note)
                    merges.append(Merge(merge.var, *ways))
                stmt = replace(
                    stmt, then=tuple(then), orelse=tuple(orelse), merges=tuple(merges)
                )
            elif isinstance(stmt, Loop):
                carried = tuple(
                    (
                        replace(slot, entry=empty(slot.inner, before, stmt.note))
                        if is_unset(slot.inner, slot.entry)
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


def _asked(body: Iterable[Stmt]) -> set[Var]:
    """The variables of which it is asked whether they are None, by any name."""
    every = list(statements(body))
    found = {
        arg.var
        for stmt in every
        for expr in own_expressions(stmt)
        for node in subexpressions(expr)
        if isinstance(node, Apply) and node.op in ("is", "is_not")
        for arg in node.args
        if isinstance(arg, Ref)
    }
    ways = [(var, way.var) for s in every for var, way in _ways(s) if type(way) is Ref]
    size = -1
    while size != len(found):
        size = len(found)
        found |= {source for var, source in ways if var in found}
    return found


def _ways(stmt: Stmt) -> Iterator[tuple[Var, Expr]]:
    """The variables of a statement that are other ones, and which."""
    if isinstance(stmt, Let):
        yield stmt.var, stmt.value
    yield from joins(stmt)
