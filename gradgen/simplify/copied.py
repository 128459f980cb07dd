"""A copy of a view that nothing else reads is made where the view is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Function, Let, Ref, Stmt, Var
from gradgen.ir.walk import uses, with_blocks


def copied(function: Function) -> Function:
    """The function without a line for a view of which the next line is a copy.

    before:  d_a = d_m[1 : 1 + len(a)]
             d_a = d_a.copy()
             d_a[:1] += d_m[:1]
    after:   d_a = d_m[1 : 1 + len(a)].copy()
             d_a[:1] += d_m[:1]
    """
    used = uses(function)
    body = _block(function.body, used)
    return function if body == function.body else replace(function, body=body)


def _block(body: Iterable[Stmt], used: Counter[Var]) -> tuple[Stmt, ...]:
    done: list[Stmt] = []
    for stmt in body:
        last = done[-1] if done else None
        if isinstance(stmt, Let) and isinstance(last, Let) and _is_copy(stmt, last):
            if used[last.var] == 1 and last.note.derived:
                assert isinstance(stmt.value, Apply)
                value = replace(stmt.value, args=(last.value,))
                done[-1] = Let(stmt.var, value, last.note)
                continue
        done.append(with_blocks(stmt, lambda b: _block(b, used)))
    return tuple(done)


def _is_copy(stmt: Let, last: Let) -> bool:
    """Whether a statement copies what the one before it has read from an array."""
    value, view = stmt.value, last.value
    copies = isinstance(value, Apply) and value.op == "numpy.copy"
    reads = isinstance(view, Apply) and view.op == "getitem"
    return copies and reads and value.args == (Ref(last.var),)
