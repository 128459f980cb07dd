"""Functions that call themselves: written out where it is known when they end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import DIVIDING_WHOLE

# calls of a function in itself, in all and one inside the other
CALLS, DEEP = 64, 20
# operations inside one another that are looked through
STEPS = 96

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "numpy.add": lambda a, b: a + b,
    "numpy.subtract": lambda a, b: a - b,
    "numpy.multiply": lambda a, b: a * b,
    "numpy.floor_divide": lambda a, b: a // b,
    "numpy.remainder": lambda a, b: a % b,
    "numpy.minimum": lambda a, b: min(a, b),
    "numpy.maximum": lambda a, b: max(a, b),
}
_OF_ONE: dict[str, Callable[[int], int]] = {
    "numpy.negative": lambda a: -a,
    "numpy.abs": lambda a: abs(a),
}
# of Python's own numbers: not np.minimum(a, b)
SPELLED = ("operator", "augmented", "name:min", "name:max", "name:abs")


def whole_number(expr: Expr, definitions: Mapping[Var, Expr]) -> Expr:
    """An integer that is known while emitting, as a constant; else the expression.

    before:  n - 1, where n is 3
    after:   2
    """
    return _whole(expr, definitions, {}, STEPS)


def _whole(
    expr: Expr, definitions: Mapping[Var, Expr], seen: dict[Var, Expr], steps: int
) -> Expr:
    if isinstance(expr, Ref):
        if expr.var not in seen and expr.var in definitions and steps:
            found = _whole(definitions[expr.var], definitions, seen, steps - 1)
            seen[expr.var] = found if isinstance(found, Const) else expr
        return seen.get(expr.var, expr)
    if not isinstance(expr, Apply) or expr.spelling not in SPELLED or not steps:
        return expr
    if len(expr.args) != (2 if expr.op in _ARITHMETIC else 1):
        return expr
    if expr.op not in _ARITHMETIC and expr.op not in _OF_ONE:
        return expr
    numbers = []
    for arg in expr.args:
        found = _whole(arg, definitions, seen, steps - 1)
        if not isinstance(found, Const) or type(found.value) is not int:
            return expr
        numbers.append(found.value)
    if expr.op in _OF_ONE:
        return Const(_OF_ONE[expr.op](*numbers))
    left, right = numbers
    if right == 0 and expr.op in DIVIDING_WHOLE:
        return expr
    return Const(_ARITHMETIC[expr.op](left, right))
