"""Rows of nested lists on the way back, without a name."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import (
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.walk import map_expressions, own_expressions, statements, subexpressions
from gradgen.ir.walk import substitute, with_blocks
from gradgen.simplify.kept_lists import entry


def rows_read(function: Function) -> Function:
    """The function that reads entries of a list of lists where it read a row.

        before:  for i in reversed(range(n)):
                     row = rows[i]
                     for j in reversed(range(m)):
                         d_x[j] += row[j] * row[j] * g
        after:   for i in reversed(range(n)):
                     for j in reversed(range(m)):
                         d_x[j] += rows[i][j] * rows[i][j] * g

    Of rows that are read by entries alone: then what a round keeps can be seen.
    """
    rows: dict[Var, Expr] = {}
    for loop in statements(function.body):
        if not isinstance(loop, Loop) or loop.note.role is not Role.GRAD:
            continue
        for stmt in loop.body:
            if isinstance(stmt, Let) and stmt.var.origin is not Origin.USER:
                value = substitute(stmt.value, rows)  # a row of a row
                whole = entry(value)
                if whole is not None and whole[0].origin is Origin.SAVED:
                    rows[stmt.var] = value
    if not rows:
        return function
    for stmt in statements(function.body):
        for expr in own_expressions(stmt):
            inside = list(subexpressions(expr))
            bases = [
                one.args[0] for one in inside if getattr(one, "op", "") == "getitem"
            ]
            named = {one.var for one in inside if isinstance(one, Ref)}
            for var in named & rows.keys():
                if inside.count(Ref(var)) != bases.count(Ref(var)):
                    del rows[var]

    def block(stmts: tuple[Stmt, ...]) -> list[Stmt]:
        left = [one for one in stmts if getattr(one, "var", None) not in rows]
        changed = map_expressions(left, lambda expr: substitute(expr, rows))
        return [with_blocks(one, block) for one in changed]

    return replace(function, body=tuple(block(function.body)))
