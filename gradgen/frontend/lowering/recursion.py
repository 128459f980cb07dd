"""Functions that call themselves: written out where it is known when they end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import DIVIDING_WHOLE

# calls of a function in itself, in all and one inside the other
CALLS, DEEP = 64, 20
# operations inside one another that are looked through
STEPS = 96

# ... with the count of their operands
_ARITHMETIC: dict[str, tuple[int, Callable[..., int]]] = {
    "numpy.add": (2, lambda a, b: a + b),
    "numpy.subtract": (2, lambda a, b: a - b),
    "numpy.multiply": (2, lambda a, b: a * b),
    "numpy.floor_divide": (2, lambda a, b: a // b),
    "numpy.remainder": (2, lambda a, b: a % b),
    "numpy.minimum": (2, lambda a, b: min(a, b)),
    "numpy.maximum": (2, lambda a, b: max(a, b)),
    "numpy.negative": (1, lambda a: -a),
    "numpy.abs": (1, lambda a: abs(a)),
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
    count, compute = _ARITHMETIC.get(expr.op, (0, None))
    if compute is None or len(expr.args) != count:
        return expr
    numbers: list[int] = []
    for arg in reversed(expr.args):  # a long sum is one of what comes last
        found = _whole(arg, definitions, seen, steps - 1)
        if not isinstance(found, Const) or type(found.value) is not int or found.dtype:
            return expr
        numbers.insert(0, found.value)
    if numbers[-1] == 0 and expr.op in DIVIDING_WHOLE:
        return expr
    return Const(compute(*numbers))
