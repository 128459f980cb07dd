"""What both arms of a branch of the gradient compute stands before it, once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Function, Let, Ref, Stmt, Var
from gradgen.ir.walk import all_defined, reads, substitute_everywhere, with_blocks

# what arms fill, each its own
LISTS = ("list", "dict", "tuple")


def hoisted(function: Function) -> Function:
    """The function whose arms begin where they differ.

        before:  if np.any(m):
                     d_x = np.zeros_like(x)
                     d_x[m] = r * d_power[m]
                 else:
                     d_x = np.zeros_like(x)
        after:   d_x = np.zeros_like(x)
                 if np.any(m):
                     d_x[m] = r * d_power[m]

    Of a gradient's branch: one of its arms runs, and so does what stands in both. A list
    is begun in the arm that fills it.
    """
    if not any(isinstance(stmt, Branch) for stmt in function.body):
        return function
    same: dict[Var, Ref] = {}
    body = _block(function.body, same)
    if not same:
        return function
    for var, ref in same.items():  # of a branch in a branch
        while ref.var in same:
            ref = same[ref.var]
        same[var] = ref
    return substitute_everywhere(replace(function, body=body), same)


def _block(body: Iterable[Stmt], same: dict[Var, Ref]) -> tuple[Stmt, ...]:
    done: list[Stmt] = []
    for stmt in body:
        stmt = with_blocks(stmt, lambda block: _block(block, same))
        if isinstance(stmt, Branch) and stmt.note.derived and not stmt.is_try:
            both, stmt = _apart(stmt, same)
            done += both
        done.append(stmt)
    return tuple(done)


def _apart(branch: Branch, same: dict[Var, Ref]) -> tuple[list[Let], Branch]:
    """What both arms compute of what stands outside, and the branch without it."""
    own = {var for arm in (branch.then, branch.orelse) for var in all_defined(arm)}
    others = {
        stmt.value: stmt.var
        for stmt in reversed(branch.orelse)
        if isinstance(stmt, Let) and not own & set(reads(stmt.value))
    }
    both = {
        stmt.value: stmt
        for stmt in reversed(branch.then)
        if isinstance(stmt, Let)
        and isinstance(stmt.value, Apply)
        and stmt.value.op not in LISTS
        and stmt.value in others
    }
    same |= {others[value]: Ref(let.var) for value, let in both.items()}
    gone = {let.var for let in both.values()} | {others[value] for value in both}

    def left(arm: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(s for s in arm if not isinstance(s, Let) or s.var not in gone)

    rest = replace(branch, then=left(branch.then), orelse=left(branch.orelse))
    first = [replace(let, note=branch.note) for let in reversed(both.values())]
    return first, rest
