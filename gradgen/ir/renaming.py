"""Variables under other names, or replaced by values, in whole blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gradgen.ir.nodes import (
    Branch,
    Carried,
    Effect,
    Expr,
    Let,
    Loop,
    Merge,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.walk import rewrite


def in_expression(
    expr: Expr, same: Mapping[Var, Expr], names: Mapping[int, Var]
) -> Expr:
    """The expression with variables replaced, as `replaced` does."""

    def change(node: Expr) -> Expr:
        if isinstance(node, Ref):
            while isinstance(node, Ref) and node.var in same:
                node = same[node.var]
            if isinstance(node, Ref) and node.var.id in names:
                return Ref(names[node.var.id])
        return node

    return rewrite(expr, change)


def replaced(
    body: Iterable[Stmt], same: Mapping[Var, Expr], names: Mapping[int, Var]
) -> tuple[Stmt, ...]:
    """The statements with variables replaced by values, and others by variables.

    `same` are values for variables that are read; what defines them stays. `names`
    are variables, by the numbers of those that they take the place of everywhere.
    """

    def expr(value: Expr) -> Expr:
        return in_expression(value, same, names)

    def optional(value: Expr | None) -> Expr | None:
        return None if value is None else expr(value)

    def var(old: Var) -> Var:
        return names.get(old.id, old)

    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Let):
            stmt = replace(stmt, var=var(stmt.var), value=expr(stmt.value))
        elif isinstance(stmt, Effect):
            stmt = replace(stmt, value=expr(stmt.value))
        elif isinstance(stmt, Branch):
            merges = tuple(
                Merge(var(m.var), expr(m.then), expr(m.orelse))
                for m in stmt.merges
                if m.var not in same
            )
            stmt = replace(
                stmt,
                test=expr(stmt.test),
                then=replaced(stmt.then, same, names),
                orelse=replaced(stmt.orelse, same, names),
                merges=merges,
            )
        elif isinstance(stmt, Loop):
            carried = tuple(
                Carried(var(c.inner), expr(c.entry), expr(c.next), var(c.exit))
                for c in stmt.carried
                if c.inner not in same
            )
            stmt = replace(
                stmt,
                index=var(stmt.index),
                over=optional(stmt.over),
                test=optional(stmt.test),
                until=optional(stmt.until),
                carried=carried,
                body=replaced(stmt.body, same, names),
            )
        out.append(stmt)
    return tuple(out)
