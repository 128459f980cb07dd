"""What a round takes from an array has its adjoint stored where it is computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.callee import stays
from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Loop, Origin, Ref
from gradgen.ir.nodes import Role, Stmt, Var
from gradgen.ir.operators import IN_PLACE, STORES
from gradgen.ir.walk import defined, reads, reads_of, statements, uses, with_blocks


def at_once(function: Function) -> Function:
    """The function without names for adjoints that a loop only stores.

        before:  for i in reversed(range(len(coef))):
                     d_c = np.sum(d_p)
                     d_p = d_p * t
                     d_coef[i] = d_c
        after:   for i in reversed(range(len(coef))):
                     d_coef[i] = np.sum(d_p)
                     d_p = d_p * t

    So it stands under the line that reads c, not under that of the loop, or under
    `c = coef[i]`.
    """
    loops = [stmt for stmt in function.body if isinstance(stmt, Loop | Branch)]
    if not any(map(_is_of_entry, statements(loops))):
        return function
    counted = uses(function)
    body = tuple(_block(stmt, counted) for stmt in function.body)
    return function if body == function.body else replace(function, body=body)


def _block(stmt: Stmt, counted: Counter[Var]) -> Stmt:
    stmt = with_blocks(stmt, lambda body: (_block(one, counted) for one in body))
    if isinstance(stmt, Loop) and stmt.note.role is Role.GRAD:
        body = _stored(stmt.body, counted)
        return stmt if body == stmt.body else replace(stmt, body=body)
    return stmt


def _stored(source: Iterable[Stmt], counted: Counter[Var]) -> tuple[Stmt, ...]:
    body = list(source)
    for store in [stmt for stmt in body if _is_of_entry(stmt)]:
        assert isinstance(store, Let) and isinstance(store.value, Apply)
        *where, value = store.value.args
        var = value.var if isinstance(value, Ref) else None
        made = [one for one in body if isinstance(one, Let) and one.var == var]
        if not made or made[0].var.origin is not Origin.ADJOINT:
            continue
        if stays(made[0].value):
            continue
        if isinstance(made[0].value, Apply) and made[0].value.op in IN_PLACE:
            continue
        first, last = body.index(made[0]), body.index(store)
        if counted[made[0].var] == 1 and _may_move(where, body[first:last]):
            new = replace(store.value, args=(*where, made[0].value))
            body[first] = replace(store, value=new, note=made[0].note)
            del body[last]
    return tuple(body)


def _is_of_entry(stmt: Stmt) -> bool:
    """Whether a statement stores an adjoint of the user's, as it is."""
    if not isinstance(stmt, Let) or not isinstance(stmt.value, Apply):
        return False
    value = stmt.value
    plain = len(value.args) == 3 and not value.kwargs and value.op in STORES
    return stmt.note.derived and plain and isinstance(value.args[2], Ref)


def _may_move(where: list[Expr], between: list[Stmt]) -> bool:
    """Whether an array and a key are there already, and nothing reads the array."""
    made = {var for stmt in between for var in defined(stmt)}
    if made & {var for one in where for var in reads(one)}:
        return False
    arrays = set(reads(where[0]))
    return not any(arrays & set(reads_of(stmt)) for stmt in between)
