"""What a call gives has few names: a line for its values, one name for callbacks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.callee import VALUES, is_unpacked, slot_of
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Merge,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.walk import with_blocks
from gradgen.shapes.kinds import Kind


def gathered(function: Function) -> Function:
    """The function with the values of each call in one place.

        before:  for _ in range(n):
                     x, _unread = vjp_g(x)
                     xs.append(x)
                     backprop_g = g[1]
                     backprop_gs.append(backprop_g)
        after:   for _ in range(n):
                     x, backprop_g = vjp_g(x)
                     xs.append(x)
                     backprop_gs.append(backprop_g)

    The first of them unpacks the call; another that stands apart would read it again.
    """
    body = _gathered(function.body)
    return function if body == function.body else replace(function, body=body)


def _gathered(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
    body = tuple(with_blocks(stmt, _gathered) for stmt in body)
    wholes = {s.var for s in body if isinstance(s, Let) and is_unpacked(s.value)}
    if not wholes:
        return body
    parts: dict[Var, list[Let]] = {var: [] for var in wholes}
    rest: list[Stmt] = []
    for stmt in body:
        source = part_of(stmt)
        if isinstance(stmt, Let) and source in wholes:
            parts[source].append(stmt)
        else:
            rest.append(stmt)
    done: list[Stmt] = []
    for stmt in rest:
        done.append(stmt)
        if isinstance(stmt, Let) and stmt.var in wholes:
            done += [
                replace(part, note=stmt.note)
                for part in sorted(parts[stmt.var], key=_place)
            ]
    return tuple(done)


def _place(part: Let) -> int:
    assert isinstance(part.value, Apply) and isinstance(part.value.args[1], Const)
    place = part.value.args[1].value
    assert isinstance(place, int)
    return place


def callbacks_in(body: Iterable[Stmt]) -> set[Var]:
    """The callbacks that a block gets from its calls."""
    return {
        stmt.var
        for stmt in body
        if isinstance(stmt, Let) and part_of(stmt) is not None
        if isinstance(stmt.value, Apply) and slot_of(stmt.value).kind is Kind.OTHER
    }


def other_callback(
    var: Var, side: int, merges: list[Merge], callbacks: set[Var]
) -> Expr | None:
    """The other arm's callback of the same name, which becomes that of either arm.

    before:  if c: y, backprop_g = vjp_g(x)
             else: z, backprop_g_2 = vjp_g(2 * x)
    after:   if c: y, backprop_g = vjp_g(x)
             else: z, backprop_g = vjp_g(2 * x)

    `merges` are the branch's results; `side` is the arm of `var`, 0 or 1.
    """
    for i, merge in enumerate(merges):
        ways = [merge.then, merge.orelse]
        like = merge.var in callbacks and merge.var.name == var.name
        if like and ways[side] == Const(None):
            ways[side] = Ref(var)
            merges[i] = Merge(merge.var, *ways)
            return Ref(merge.var)
    return None


def part_of(stmt: Stmt) -> Var | None:
    """The call that a statement takes one value of."""
    value = stmt.value if isinstance(stmt, Let) else None
    if isinstance(value, Apply) and value.op in VALUES:
        return value.args[0].var if isinstance(value.args[0], Ref) else None
    return None
