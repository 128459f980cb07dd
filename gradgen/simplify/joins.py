"""Values that loops and branches hand on unchanged are read from where they were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Branch, Expr, Function, Loop, Ref, Role, Stmt, Var
from gradgen.ir.walk import substitute, with_blocks, with_expressions


def joins(function: Function) -> Function:
    """The function without adjoints that go through a loop or branch as they are.

        before:  d_s = 1
                 for i in reversed(range(3)):
                     v_d_x -= d_s * np.sin(x) * v_x
        after:   for i in reversed(range(3)):
                     v_d_x -= np.sin(x) * v_x

    An adjoint that every round hands on to the next is the one before the loop;
    one that both arms leave alone is the one before the branch.
    """
    values: dict[Var, Expr] = {}
    body = _joined(function.body, values)
    if not values:
        return function
    results = tuple(
        replace(result, value=substitute(result.value, values))
        for result in function.results
    )
    return replace(function, body=body, results=results)


def _joined(body: Iterable[Stmt], values: dict[Var, Expr]) -> tuple[Stmt, ...]:
    done = []
    for stmt in body:
        stmt = with_expressions(stmt, lambda expr: substitute(expr, values))
        if isinstance(stmt, Loop) and stmt.note.role is Role.GRAD:
            same = [slot for slot in stmt.carried if slot.next == Ref(slot.inner)]
            for slot in same:
                values[slot.inner] = values[slot.exit] = slot.entry
            rest = tuple(slot for slot in stmt.carried if slot not in same)
            stmt = replace(stmt, carried=rest)
        stmt = with_blocks(stmt, lambda b: _joined(b, values))
        if values:  # what the blocks hand on is alike at once, however deep they are
            stmt = with_expressions(stmt, lambda expr: substitute(expr, values))
        if isinstance(stmt, Branch) and stmt.note.role is Role.GRAD:
            alike = [m for m in stmt.merges if m.then == m.orelse]
            values.update((merge.var, merge.then) for merge in alike)
            merges = tuple(merge for merge in stmt.merges if merge not in alike)
            stmt = replace(stmt, merges=merges)
        done.append(stmt)
    return tuple(done)
