"""Sums to the shape of an operand are taken of arrays that have all of its axes."""

from __future__ import annotations

from gradgen.ir.nodes import Expr, Function
from gradgen.ir.operators import add, call
from gradgen.ir.walk import map_values, rewrite
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import ShapeConflict, equal, join
from gradgen.simplify.summed_once import has_sums, is_sum


def filled(function: Function, facts: Facts) -> Function:
    """The function whose adjoints have the axes of what they are summed to the shape of.

        before:  d_xk = 2 * d_out
                 d_x = _unbroadcast(d_xk * k, x)
        after:   d_xk = 2 * d_out
                 d_x = _unbroadcast(d_xk * k + np.zeros_like(x), x)

    Where that is not known: of xk = x * k either may be a number, and the other an array.
    """
    if not has_sums(function):
        return function

    def full(expr: Expr) -> Expr:
        if not is_sum(expr):
            return expr
        summed, target = expr.args
        if _has_axes(summed, target, facts):
            return expr
        return call(expr.op, add(summed, call("numpy.zeros_like", target)), target)

    return map_values(
        function,
        lambda let: rewrite(let.value, full) if let.note.derived else let.value,
    )


def _has_axes(summed: Expr, target: Expr, facts: Facts) -> bool:
    try:
        found = facts.of(summed)
        return equal(join(found, facts.of(target)), found)
    except ShapeConflict:
        return False
