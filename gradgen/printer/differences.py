"""Sums with a minus in a term, as differences."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.signs import signed
from gradgen.ir.operators import ADDITIVE, MULTIPLICATIVE, add, subtract
from gradgen.ir.walk import map_values, rewrite

# operations whose sign is that of their first argument, exactly
_PRODUCTS = MULTIPLICATIVE | {"numpy.matmul"}


def differences(function: Function) -> Function:
    """The function whose gradient subtracts what it would add with a minus in front.

        before:  d_w = d_z + -v * x
                 d_x = d_y - -v * w
        after:   d_w = d_z - v * x
                 d_x = d_y + v * w

    A sign changes no rounding. The primal stays as its author wrote it.
    """

    def value(let: Let) -> Expr:
        return rewrite(let.value, as_difference) if let.note.derived else let.value

    return map_values(function, value)


def as_difference(expr: Expr) -> Expr:
    """a - b for a + -b, and any other expression as it is."""
    if not (isinstance(expr, Apply) and expr.spelling == "operator"):
        return expr
    positive = without_minus(expr.args[1]) if expr.op in ADDITIVE else None
    if positive is None:
        return expr
    contrary = subtract if expr.op == "numpy.add" else add
    return contrary(expr.args[0], positive)


def without_minus(expr: Expr) -> Expr | None:
    """What a product with a minus in front, or a sum of such, is the negative of."""
    if isinstance(expr, Const):
        negative = type(expr.value) in (int, float) and expr.value < 0
        spelled = expr.text is None or expr.text.startswith("-")
        return signed("USub", expr) if negative and spelled else None
    if not (isinstance(expr, Apply) and expr.spelling == "operator"):
        return None
    if expr.op == "numpy.negative":
        return expr.args[0]
    if expr.op in _PRODUCTS:
        left = without_minus(expr.args[0])
        if left is not None:
            return replace(expr, args=(left, expr.args[1]))
    if expr.op in ADDITIVE:
        left = without_minus(expr.args[0])
        is_sum = expr.op == "numpy.add"
        right = without_minus(expr.args[1]) if is_sum else expr.args[1]
        if left is not None and right is not None:
            return replace(expr, op="numpy.add", args=(left, right))
    return None
