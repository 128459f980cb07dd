"""Functions that call themselves: written out where it is known when they end."""

from __future__ import annotations

from collections.abc import Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import DIVIDING_WHOLE

# calls of a function in itself, in all and one inside the other
CALLS, DEEP = 64, 20
# operations inside one another that are looked through
STEPS = 8

_ARITHMETIC = {
    "numpy.add": lambda a, b: a + b,
    "numpy.subtract": lambda a, b: a - b,
    "numpy.multiply": lambda a, b: a * b,
    "numpy.floor_divide": lambda a, b: a // b,
    "numpy.remainder": lambda a, b: a % b,
}


def whole_number(
    expr: Expr, definitions: Mapping[Var, Expr], steps: int = STEPS
) -> Expr:
    """An integer that is known while emitting, as a constant; else the expression.

    before:  n - 1, where n is 3
    after:   2
    """
    if isinstance(expr, Ref) and expr.var in definitions and steps:
        found = whole_number(definitions[expr.var], definitions, steps - 1)
        return found if isinstance(found, Const) else expr
    if not isinstance(expr, Apply) or expr.op not in _ARITHMETIC:
        return expr
    if expr.spelling != "operator" or len(expr.args) != 2 or not steps:
        return expr
    numbers = []
    for arg in expr.args:
        found = whole_number(arg, definitions, steps - 1)
        if not isinstance(found, Const) or type(found.value) is not int:
            return expr
        numbers.append(found.value)
    left, right = numbers
    if right == 0 and expr.op in DIVIDING_WHOLE:
        return expr
    return Const(_ARITHMETIC[expr.op](left, right))
