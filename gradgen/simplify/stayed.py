"""Adjoints of entries that are put back where they were taken from."""

from __future__ import annotations

from collections.abc import Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Role, Var
from gradgen.ir.walk import lets, substitute_everywhere, uses
from gradgen.simplify.cleared import without


def stayed(function: Function) -> Function:
    """The function that leaves the adjoint of an entry where it is.

        before:  for _ in range(steps):
                     g = d_u[1:-1].copy()
                     d_u[1:-1] = g
                     d_u[:-2] += k * g
        after:   for _ in range(steps):
                     d_u[:-2] += k * d_u[1:-1]

    `u[1:-1] = u[1:-1] + k * u[:-2]` stores what it has read, and more: the adjoint is
    taken, the entries are cleared, and get it back.
    """
    defined = {let.var: let for let in lets(function.body)}
    if not any(_is_cleared(let) for let in defined.values()):
        return function
    counted = uses(function)
    found: dict[Var, Expr] = {}
    for let in defined.values():
        put_back = _put_back(let, defined)
        if put_back is not None and counted[put_back[0]] == 1:
            cleared, before = put_back
            found |= {let.var: before, cleared: before}
    return substitute_everywhere(without(function, found), _resolved(found))


def _is_cleared(let: Let) -> bool:
    """Whether a statement sets entries of an adjoint to zero."""
    value = let.value
    is_store = isinstance(value, Apply) and value.op == "setitem"
    return is_store and let.note.role is Role.GRAD and value.args[2] == Const(0)


def _put_back(let: Let, defined: Mapping[Var, Let]) -> tuple[Var, Expr] | None:
    """An adjoint whose entries are cleared and get back what they had, and as it was."""
    value = let.value
    if not isinstance(value, Apply) or value.op != "additem" or len(value.args) != 3:
        return None
    base, key, added = value.args
    cleared = defined.get(base.var) if isinstance(base, Ref) else None
    if cleared is None or not _is_cleared(cleared):
        return None
    assert isinstance(cleared.value, Apply)
    before, place, _ = cleared.value.args
    made = defined.get(added.var) if isinstance(added, Ref) else None
    taken = made.value if made is not None else added
    if not isinstance(taken, Apply) or taken.op != "getitem":
        return None
    same = place == key and taken.args == (before, key)
    return (cleared.var, before) if same else None


def _resolved(found: Mapping[Var, Expr]) -> dict[Var, Expr]:
    """The replacements, where one may stand for another."""
    done = {}
    for var, value in found.items():
        while isinstance(value, Ref) and value.var in found:
            value = found[value.var]
        done[var] = value
    return done
