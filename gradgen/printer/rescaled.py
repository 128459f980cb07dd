"""What is multiplied where it stands: x[key] *= y."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Expr, Function, Let, Loop, Ref, Stmt, Var
from gradgen.ir.operators import MULTIPLICATIVE, getitem
from gradgen.ir.walk import lets, uses
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict, equal

# how the value of a store is spelled that is printed as x[key] *= y
IN_PLACE = "in place"
_WRITTEN = re.compile(r"\][ \\\n]*[*/]=")


def rescaled(function: Function, facts: Facts) -> Function:
    """The function that multiplies parts of arrays where they stand.

        before:  d_rhs = w * d_x[1:]
                 d_x[1:] = d_rhs
        after:   d_x[1:] *= w

    A quotient likewise. In the gradient that is so wherever the value has surely the
    shape of its place, and in the primal where the user has written it.
    """
    if not any(map(_store, lets(function.body))):
        return function
    body = _block(function.body, uses(function), facts)
    return replace(function, body=body)  # other spellings are equal


def _store(let: Let) -> Apply | None:
    value = let.value
    is_store = isinstance(value, Apply) and value.op == "setitem"
    return value if is_store and len(value.args) == 3 else None  # type: ignore


def _block(
    source: Iterable[Stmt], counted: Counter[Var], facts: Facts
) -> tuple[Stmt, ...]:
    body = [_inside(stmt, counted, facts) for stmt in source]
    made = {let.var: let for let in body if isinstance(let, Let)}
    gone: set[Var] = set()
    done: list[Stmt] = []
    for stmt in body:
        store = _store(stmt) if isinstance(stmt, Let) else None
        if store is None:
            done.append(stmt)
            continue
        assert isinstance(stmt, Let)
        array, key, value = store.args
        named = made.get(value.var) if isinstance(value, Ref) else None
        if named is not None and counted[named.var] == 1 and named.note.derived:
            value = named.value
        place = getitem(array, key)
        names = {Ref(one.var) for one in made.values() if one.value == place}
        new = _multiplied(value, place, names)
        derived = stmt.note.derived
        if new is None or not (
            _fits(value, place, facts) if derived else _is_written(stmt)
        ):
            done.append(stmt)
            continue
        if value != store.args[2]:
            assert named is not None
            gone.add(named.var)
        done.append(replace(stmt, value=replace(store, args=(array, key, new))))
    return tuple(s for s in done if not (isinstance(s, Let) and s.var in gone))


def _inside(stmt: Stmt, counted: Counter[Var], facts: Facts) -> Stmt:
    """The statement with its blocks; not by with_blocks, for which equal ones are the same."""
    if isinstance(stmt, Branch):
        then, orelse = (_block(b, counted, facts) for b in (stmt.then, stmt.orelse))
        return replace(stmt, then=then, orelse=orelse)
    if isinstance(stmt, Loop):
        return replace(stmt, body=_block(stmt.body, counted, facts))
    return stmt


def _multiplied(value: Expr, place: Expr, names: set[Ref]) -> Expr | None:
    """A product of a place, or a quotient, with the place in front, which may have names."""
    if not isinstance(value, Apply) or value.op not in MULTIPLICATIVE:
        return None
    if value.spelling != "operator" or len(value.args) != 2:
        return None
    first, second = (place if arg in names else arg for arg in value.args)
    if first != place and value.op == "numpy.multiply":
        first, second = second, first
    if first != place:
        return None
    return replace(value, args=(first, second), spelling=IN_PLACE)


def _fits(value: Expr, place: Expr, facts: Facts) -> bool:
    """Whether a value surely has the shape of a place, also in words of another library."""
    try:
        return equal(facts.of(value), facts.of(place))
    except ShapeConflict:
        return False


def _is_written(let: Let) -> bool:
    """Whether the user's line says x[key] *= y."""
    return any(_WRITTEN.search(line.text) for line in let.note.lines)
