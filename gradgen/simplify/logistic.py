"""The slope of a logistic function that is written with tanh, in its own values."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import multiply, subtract
from gradgen.ir.walk import blocks, map_values, rewrite

HALVES = (Const(0.5),)


def logistic(function: Function) -> Function:
    """The function with z * (1 - z) for the slope of z = 0.5 * (1 + tanh(x / 2)).

        before:  d_z = d_out * np.cos(z)
                 d_x = 0.25 * d_z * (1 - z_tanh**2)
        after:   d_z = d_out * np.cos(z)
                 d_x = d_z * z * (1 - z)

    1 - t**2 is (1 - t) * (1 + t), which is 4 * z * (1 - z), and z has a name.
    """
    named: dict[Var, Var] = {}
    _find(function.body, named)
    if not named:
        return function

    def change(node: Expr) -> Expr:
        t = _root_of_slope(node)
        if t is None or t not in named:
            return node
        z = Ref(named[t])
        return multiply(multiply(Const(4), z), subtract(Const(1), z))

    def value(let: Let) -> Expr:
        # A tangent stands before the z that it would read.
        is_after = let.note.role is Role.GRAD
        return rewrite(let.value, change) if is_after else let.value

    return map_values(function, value)


def _find(body: Iterable[Stmt], named: dict[Var, Var]) -> None:
    """The variables of tanh that have such a z in their own block."""
    values: dict[Var, Expr] = {}
    for stmt in body:
        for block in blocks(stmt):
            _find(block, named)
        if not isinstance(stmt, Let) or stmt.note.derived:
            continue
        values[stmt.var] = stmt.value
        if stmt.var.origin is not Origin.USER:
            continue
        t = _tanh_in(stmt.value, values)
        if t is not None and t.origin is Origin.TEMP:
            named.setdefault(t, stmt.var)


def _tanh_in(value: Expr, values: dict[Var, Expr]) -> Var | None:
    """t in 0.5 * (1 + t), t being a tanh."""
    if not _is(value, "numpy.multiply") or not isinstance(value, Apply):
        return None
    total = next((a for a in value.args if a not in HALVES), None)
    total = values.get(total.var, total) if isinstance(total, Ref) else total
    if not any(arg in HALVES for arg in value.args) or not isinstance(total, Apply):
        return None
    if not _is(total, "numpy.add") or Const(1) not in total.args:
        return None
    t = total.args[1] if total.args[0] == Const(1) else total.args[0]
    if isinstance(t, Ref) and _is(values.get(t.var), "numpy.tanh"):
        return t.var
    return None


def _root_of_slope(node: Expr) -> Var | None:
    """t in 1 - t**2."""
    if not _is(node, "numpy.subtract") or not isinstance(node, Apply):
        return None
    one, square = node.args
    if one != Const(1) or not _is(square, "numpy.power"):
        return None
    assert isinstance(square, Apply)
    base, exponent = square.args
    return base.var if exponent == Const(2) and isinstance(base, Ref) else None


def _is(value: Expr | None, op: str) -> bool:
    return isinstance(value, Apply) and value.op == op and len(value.args) > 0
