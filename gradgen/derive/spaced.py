"""Grids whose start or step a gradient goes through, as sums and products."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy

from gradgen.derive.activity import varied_from
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Stmt
from gradgen.ir.nodes import Supply, Var
from gradgen.ir.walk import lets, reads, with_blocks
from gradgen.rules.binding import bind
from gradgen.rules.load import operations

GRID = "numpy.arange"


def spaced_out(
    function: Function, wrt: tuple[Var, ...], stop: frozenset[Var], supply: Supply
) -> Function:
    """The function with grids of varied numbers written as what they are made of.

        before:  t = np.arange(start, stop, step)
        after:   t = start + step * np.arange(np.ceil((stop - start) / step))

    How many there are is piecewise constant in all three, as np.ceil is. A grid that
    nothing varied goes into stays as it is.
    """
    grids = [let for let in lets(function.body) if _is_grid(let)]
    if not grids:
        return function
    varied = varied_from(function, wrt, stop)
    moved = {let.var for let in grids if not varied.isdisjoint(reads(let.value))}
    if not moved:
        return function

    def block(statements: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in statements:
            if isinstance(stmt, Let) and stmt.var in moved:
                yield from _made(stmt, supply)
            else:
                yield with_blocks(stmt, block)

    return replace(function, body=tuple(block(function.body)))


def _is_grid(let: Let) -> bool:
    """Whether a statement makes a grid in the dtype of its numbers, or in float64."""
    if not isinstance(let.value, Apply) or let.value.op != GRID:
        return False
    dtype = dict(let.value.kwargs).get("dtype", Const(None))
    return getattr(dtype, "value", "") in (None, float, numpy.float64)


def _made(let: Let, supply: Supply) -> Iterator[Let]:
    assert isinstance(let.value, Apply)
    given = {p.name: v for p, v in bind(operations()[GRID], let.value).items()}
    start, stop = given.get("start", Const(0)), given.get("stop", Const(None))
    step = given.get("step", Const(None))
    if stop == Const(None):
        start, stop = Const(0), start
    made: list[Let] = []

    def new(op: str, *args: Expr) -> Expr:
        var = supply.var(let.var.name, Origin.TEMP)
        spelling = "operator" if len(args) == 2 else ""
        made.append(Let(var, Apply(f"numpy.{op}", args, (), spelling), let.note))
        return Ref(var)

    one, zero = step in (Const(None), Const(1)), start == Const(0)
    span = stop if zero else new("subtract", stop, start)
    count = new("ceil", span if one else new("divide", span, step))
    places = new("arange", count)
    moved = places if one else new("multiply", step, places)
    if not zero:
        moved = new("add", start, moved)
    yield from made[:-1]
    yield replace(made[-1], var=let.var)
