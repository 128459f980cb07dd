"""Products in products without their brackets."""

from __future__ import annotations

from decimal import Decimal

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import multiply
from gradgen.ir.walk import map_values, rewrite
from gradgen.shapes.infer import Facts
from gradgen.simplify.cost import cost
from gradgen.simplify.counts import counts_anew, is_counted, may_be_whole


def flattened(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies from left to right.

        before:  d_v = d_b * (s * (1 - s))
        after:   d_v = d_b * s * (1 - s)

    A product of the primal's comes in brackets where the gradient writes it again.
    They stay where they save work on arrays. Of two numbers one is made where a person
    would: 2 * 0.1 * d_x is 0.2 * d_x, and 3 * 0.1 * d_x stays.
    """
    facts = facts.remembering()

    def value(let: Let) -> Expr:
        if not let.note.derived:
            return let.value
        return rewrite(let.value, lambda expr: _flat(expr, facts))

    return map_values(function, value)


def _flat(expr: Expr, facts: Facts) -> Expr:
    """a * b * c for a * (b * c), where that is no more work."""
    if not _is_product(expr):
        return expr
    assert isinstance(expr, Apply)
    front, behind = expr.args
    number = _one_number(front, behind)
    if number is not None:
        return number
    factors: list[Expr] = []
    while _is_product(behind) and not (
        is_counted(behind, facts) or may_be_whole(behind, facts)
    ):
        assert isinstance(behind, Apply)
        behind, last = behind.args
        factors.insert(0, last)
    if not factors or isinstance(behind, Const):
        return expr
    total: Expr = multiply(front, behind)
    for factor in factors:
        total = multiply(total, factor)
    if cost(total, facts) > cost(expr, facts) or counts_anew(total, expr, facts):
        return expr
    return total


def _one_number(front: Expr, behind: Expr) -> Const | None:
    """0.2 for 2 * 0.1: as exact in decimals as it is in floats, and as written."""
    values = []
    for one in (front, behind):
        if not isinstance(one, Const) or type(one.value) not in (int, float):
            return None
        if one.text not in (None, repr(one.value)) or one.dtype:
            return None
        values.append(one.value)
    product = values[0] * values[1]
    if type(product) is not float or not 1e-4 <= abs(product) < 1e6:
        return None
    exact = Decimal(repr(values[0])) * Decimal(repr(values[1]))
    return Const(product) if Decimal(repr(product)) == exact else None


def _is_product(expr: Expr) -> bool:
    operator = isinstance(expr, Apply) and expr.spelling == "operator"
    return operator and isinstance(expr, Apply) and expr.op == "numpy.multiply"
