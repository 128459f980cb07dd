"""Values that loops and branches hand on unchanged are read from where they were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Branch, Expr, Function, Let, Loop, Merge
from gradgen.ir.nodes import Ref, Role, Stmt, Var
from gradgen.ir.sharing import changes
from gradgen.ir.walk import defined, reads, statements, substitute, with_blocks
from gradgen.ir.walk import with_expressions


FILLED = "numpy.full_like"


def joins(function: Function) -> Function:
    """The function without adjoints that go through a loop or branch as they are.

        before:  d_s = 1
                 for i in reversed(range(3)):
                     v_d_x -= d_s * np.sin(x) * v_x
        after:   for i in reversed(range(3)):
                     v_d_x -= np.sin(x) * v_x

    An adjoint that every round hands on to the next is the one before the loop;
    one that both arms leave alone is the one before the branch. So is what both arms
    compute alike of what is there before:

        before:  if b is None:
                     d_s = 2 * d_out * x
                 else:
                     d_s = 2 * d_out * x
        after:   d_s = 2 * d_out * x

    What is filled there may yet turn out to need no filling.
    """
    values: dict[Var, Expr] = {}
    body = _joined(function.body, values)
    if body == function.body:
        return function
    results = tuple(
        replace(result, value=substitute(result.value, values))
        for result in function.results
    )
    return replace(function, body=body, results=results)


def _joined(body: Iterable[Stmt], values: dict[Var, Expr]) -> tuple[Stmt, ...]:
    done: list[Stmt] = []
    for stmt in body:
        if values:
            stmt = with_expressions(stmt, lambda expr: substitute(expr, values))
        if isinstance(stmt, Loop) and stmt.note.role is Role.GRAD:
            same = [slot for slot in stmt.carried if slot.next == Ref(slot.inner)]
            for slot in same:
                values[slot.inner] = values[slot.exit] = slot.entry
            others = tuple(slot for slot in stmt.carried if slot not in same)
            stmt = replace(stmt, carried=others)
        stmt = with_blocks(stmt, lambda b: _joined(b, values))
        if values:  # what the blocks hand on is alike at once, however deep they are
            stmt = with_expressions(stmt, lambda expr: substitute(expr, values))
        if isinstance(stmt, Branch) and stmt.note.role is Role.GRAD:
            alike = [m for m in stmt.merges if m.then == m.orelse]
            values.update((merge.var, merge.then) for merge in alike)
            merges = [merge for merge in stmt.merges if merge not in alike]
            twice = {m.var: let for m in merges if (let := _computed_twice(stmt, m))}
            for var, let in twice.items():
                if isinstance(let.value, Ref):
                    values[var] = let.value
                else:
                    done.append(let)
            rest = tuple(merge for merge in merges if merge.var not in twice)
            stmt = replace(stmt, merges=rest)
        done.append(stmt)
    return tuple(done)


def _computed_twice(branch: Branch, merge: Merge) -> Let | None:
    """What both arms compute alike, of what they have not computed themselves."""
    arms = ((branch.then, merge.then), (branch.orelse, merge.orelse))
    inside = [one for arm, _ in arms for one in statements(arm)]
    if branch.is_try or any(isinstance(s, Let) and changes(s) for s in inside):
        return None
    one, other = (
        next((s for s in arm if isinstance(s, Let) and Ref(s.var) == value), None)
        for arm, value in arms
    )
    if one is None or other is None or getattr(one.value, "op", "") == FILLED:
        return None
    own = {var for stmt in inside for var in defined(stmt)}
    if one.value != other.value or not own.isdisjoint(reads(one.value)):
        return None
    return replace(other, var=merge.var)
