"""What is read of an array stands before the stores that would change it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Function, Let, Ref, Role, Stmt, Var
from gradgen.ir.operators import STORES
from gradgen.ir.walk import lets, reads_of, with_blocks


def reads_first(function: Function) -> Function:
    """The function that reads a part of an adjoint before others are added to.

        before:  for i in reversed(range(steps)):
                     g = d_u[1:-1].copy()
                     d_rhs = k * g
                     d_u[2:] += d_rhs
                     d_u[:-2] -= d_rhs
                     d_k += g @ rhs_list[i]
        after:   for i in reversed(range(steps)):
                     g = d_u[1:-1]
                     d_rhs = k * g
                     d_k += g @ rhs_list[i]
                     d_u[2:] += d_rhs
                     d_u[:-2] -= d_rhs

    So the part is a view, and no copy of it is made. Only statements of the same line of
    the primal change places.
    """
    if not any(map(_is_store, lets(function.body))):
        return function
    body = _block(function.body)
    return function if body == function.body else replace(function, body=body)


def _block(source: Iterable[Stmt]) -> tuple[Stmt, ...]:
    body = [with_blocks(stmt, _block) for stmt in source]
    for stmt in tuple(body):
        if isinstance(stmt, Let) and _is_store(stmt):
            body = _moved(body, body.index(stmt), stmt)
    return tuple(body)


def _moved(body: list[Stmt], at: int, store: Let) -> list[Stmt]:
    """The block with what reads parts of an array in front of a store into it."""
    assert isinstance(store.value, Apply)
    base = store.value.args[0]
    parts = {
        stmt.var for stmt in body[:at] if isinstance(stmt, Let) and _is_part(stmt, base)
    }
    late = [stmt for stmt in body[at + 1 :] if parts.intersection(reads_of(stmt))]
    if not late:
        return body
    made: set[Var] = set()
    read: set[Var] = set()
    for stmt in body[at:]:
        if stmt in late:
            same = stmt.note.lines == store.note.lines
            if not isinstance(stmt, Let) or not same or _is_store(stmt):
                return body
            if made.intersection(reads_of(stmt)):
                return body
            value = stmt.value
            changed = value.args[0] if isinstance(value, Apply) and value.args else None
            if isinstance(changed, Ref) and changed.var in read:
                return body  # it may be changed in place
        elif isinstance(stmt, Let):
            made.add(stmt.var)
            read.update(reads_of(stmt))
        else:
            return body
    rest = [stmt for stmt in body[at:] if stmt not in late]
    return [*body[:at], *late, *rest]


def _is_part(let: Let, base: object) -> bool:
    """Whether a statement names a part of an array."""
    value = let.value
    return isinstance(value, Apply) and value.op == "getitem" and value.args[0] == base


def _is_store(let: Let) -> bool:
    """Whether a statement of the gradient stores into an array."""
    value = let.value
    is_store = isinstance(value, Apply) and value.op in STORES
    return is_store and let.note.role is Role.GRAD and isinstance(value.args[0], Ref)
