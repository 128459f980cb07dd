"""What an adjoint of few rows is taken apart into is one line of the gradient."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from gradgen.ir.nodes import Apply, Const, Function, Let, Origin, Ref, Stmt, Supply, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import with_blocks
from gradgen.shapes.infer import Facts

ADJOINTS = (Origin.ADJOINT, Origin.SEED)
# more names than a line has
MOST = 8


def taken_apart(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function that takes an adjoint of so many rows apart at once.

        before:  d_dx = d_out[0]
                 d_dy = d_out[1]
                 d_dz = d_out[2]
        after:   d_dx, d_dy, d_dz = d_out

    Of a vector, or of what was np.array([dx, dy, dz]), where each is read several times.
    """
    body = _block(function.body, facts, supply)
    return function if body == function.body else replace(function, body=body)


def _block(source: Iterable[Stmt], facts: Facts, supply: Supply) -> tuple[Stmt, ...]:
    body = [with_blocks(stmt, lambda b: _block(b, facts, supply)) for stmt in source]
    done: list[Stmt] = []
    for of, group in groupby(body, _vector_of):
        items = list(group)
        if of is not None and _are_all(of, items, facts):
            whole = supply.var(of.name, Origin.SAVED)
            done.append(Let(whole, Ref(of), items[0].note))
            items = [
                replace(let, value=getitem(Ref(whole), place))
                for place, let in enumerate(sorted(items, key=_place))
                if isinstance(let, Let)
            ]
        done += items
    return tuple(done)


def _vector_of(stmt: Stmt) -> Var | None:
    """The vector that a statement of the gradient takes one entry of."""
    if not isinstance(stmt, Let) or not stmt.note.derived:
        return None
    value = stmt.value
    if not isinstance(value, Apply) or value.op != "getitem" or value.kwargs:
        return None
    base, key = value.args
    is_entry = isinstance(key, Const) and type(key.value) is int
    if not is_entry or not isinstance(base, Ref):
        return None
    return base.var if base.var.origin in ADJOINTS else None


def _place(stmt: Stmt) -> int:
    assert isinstance(stmt, Let) and isinstance(stmt.value, Apply)
    place = getattr(stmt.value.args[1], "value")
    assert isinstance(place, int)
    return place


def _are_all(of: Var, items: list[Stmt], facts: Facts) -> bool:
    """Whether these are all entries of the vector, each once."""
    count = _count(of, facts)
    if count is None or not 1 < count <= MOST:
        return False
    return sorted(map(_place, items)) == list(range(count))


def _count(of: Var, facts: Facts) -> int | None:
    """How many rows an array has: one of known axes, or the adjoint of np.array([a, b])."""
    if of not in facts.shapes:
        return None
    dims = facts.of(Ref(of)).dims
    if dims is not None:
        return dims[0].number if len(dims) == 1 else None
    made = facts.definitions.get(of.of) if of.of is not None else None
    if not isinstance(made, Apply) or made.op != "numpy.array":
        return None
    rows = made.args[0]
    alike = facts.along.get(facts.of(Ref(of))) is not None
    return len(rows.args) if alike and getattr(rows, "op", "") == "list" else None
