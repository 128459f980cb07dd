"""One entry of each row, as an index and not along an axis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import lets, reads_of, statements, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

ALL = Apply("slice", (Const(None),) * 3)
COLUMN = Apply("tuple", (ALL, Const(None)))
FIRST = Apply("tuple", (ALL, Const(0)))


def along_rows(primal: Function, facts: Facts) -> Function:
    """The primal that reads one entry of each row by its place.

    before:  np.take_along_axis(logp, labels[:, None], axis=1)[:, 0]
    after:   logp[np.arange(len(logits)), labels]

    Of a matrix with as many rows as there are places: each row is then named once, and
    what flows back is stored, as by hand.
    """
    made = {let.var: let.value for let in lets(primal.body)}
    taken = {
        var: found
        for var, value in made.items()
        if (found := _of_rows(value, made, primal, facts)) is not None
    }
    if not taken:
        return primal
    for stmt in statements(primal.body):
        first = isinstance(stmt, Let) and _first_of(stmt.value, taken) is not None
        for var in () if first else reads_of(stmt):
            taken.pop(var, None)
    for value in primal.values:
        if isinstance(value, Ref):
            taken.pop(value.var, None)
    if not taken:
        return primal
    return replace(primal, body=_block(primal.body, taken))


def _block(body: Iterable[Stmt], taken: dict[Var, Expr]) -> tuple[Stmt, ...]:
    done = []
    for stmt in body:
        if isinstance(stmt, Let):
            if stmt.var in taken:
                continue
            found = _first_of(stmt.value, taken)
            stmt = stmt if found is None else replace(stmt, value=found)
        done.append(with_blocks(stmt, lambda inner: _block(inner, taken)))
    return tuple(done)


def _first_of(value: Expr, taken: dict[Var, Expr]) -> Expr | None:
    """What is read of the rows, where a value is picked[:, 0]."""
    if not isinstance(value, Apply) or value.op != "getitem" or value.args[1] != FIRST:
        return None
    whole = value.args[0]
    return taken.get(whole.var) if isinstance(whole, Ref) else None


def _of_rows(
    value: Expr, made: dict[Var, Expr], primal: Function, facts: Facts
) -> Expr | None:
    """x[np.arange(len(x)), i] for np.take_along_axis(x, i[:, None], axis=1)."""
    if not isinstance(value, Apply) or value.op != "numpy.take_along_axis":
        return None
    given = dict(value.kwargs)
    if len(value.args) < 2 or not given.keys() <= {"axis"}:
        return None
    axis = value.args[2] if len(value.args) == 3 else given.get("axis", Const(-1))
    array, column = value.args[:2]
    column = made.get(column.var, column) if isinstance(column, Ref) else column
    if not isinstance(axis, Const) or axis.value not in (1, -1):
        return None
    if not isinstance(column, Apply) or column.op != "getitem":
        return None
    places, key = column.args
    if key != COLUMN or facts.rank(places) != 1 or facts.rank(array) != 2:
        return None
    if facts.kind(places) is Kind.BOOLEAN:
        return None  # which np.take_along_axis refuses
    rows, several = facts.of(array).dims, facts.of(places).dims
    if not rows or not several or rows[0] != several[0]:
        return None
    # where there are more rows, or fewer, this raises as well
    counted = _as_long(array, places, primal, facts)
    count = Apply("len", (counted,), (), "name:len")
    every = Apply("numpy.arange", (count,))
    return replace(getitem(array, Apply("tuple", (every, places))), spelling="operator")


def _as_long(array: Expr, places: Expr, primal: Function, facts: Facts) -> Expr:
    """An argument of as many rows, which is there anyway; else the array itself."""
    rows = (facts.of(array).dims or ())[:1]
    for param in primal.params:
        one = Ref(param.var)
        if one != places and (facts.of(one).dims or ())[:1] == rows:
            return one
    return array
