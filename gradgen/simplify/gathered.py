"""The values of a call stand directly behind it, so that one line names them all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.callee import VALUES, is_unpacked
from gradgen.ir.nodes import Apply, Const, Function, Let, Ref, Stmt, Var
from gradgen.ir.walk import with_blocks


def gathered(function: Function) -> Function:
    """The function with the values of each call in one place.

    before:  whole = vjp_g(x)
             y = whole[0]
             ys.append(y)
             backprop_g = whole[1]
    after:   y, backprop_g = vjp_g(x)
             ys.append(y)
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
        if source in wholes:
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
    return part.value.args[1].value


def part_of(stmt: Stmt) -> Var | None:
    """The call that a statement takes one value of."""
    value = stmt.value if isinstance(stmt, Let) else None
    if isinstance(value, Apply) and value.op in VALUES:
        return value.args[0].var if isinstance(value.args[0], Ref) else None
    return None
