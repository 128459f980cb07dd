"""Products in products without their brackets."""

from __future__ import annotations

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
    They stay where they save work on arrays.
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


def _is_product(expr: Expr) -> bool:
    operator = isinstance(expr, Apply) and expr.spelling == "operator"
    return operator and isinstance(expr, Apply) and expr.op == "numpy.multiply"
