"""Whole powers of arrays as products."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Function, Supply
from gradgen.ir.operators import call, divide, multiply, power
from gradgen.shapes.certain import dims_of, is_floating
from gradgen.shapes.infer import Facts
from gradgen.simplify.parts import Parts

# The highest power that is worth its products.
MOST = 16


def powers(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function without powers that NumPy computes entry by entry, with pow.

        before:  x_cubed = x**3
                 y = np.sin(x_cubed)
        after:   x_cubed = x * x * x
                 y = np.sin(x_cubed)

    (x + 1) ** -1.5 is 1 / (z_in * np.sqrt(z_in)), where z_in is a line z_in = x + 1.

    NumPy itself computes squares and roots of arrays quickly. Numbers and integers
    stay as they are.
    """
    facts = facts.remembering()
    return Parts(facts, supply, _product).through(function)


def _product(expr: Expr, parts: Parts) -> Expr:
    if not isinstance(expr, Apply) or expr.op != "numpy.power" or expr.kwargs:
        return expr
    base, exponent = expr.args
    if not isinstance(exponent, Const) or exponent.dtype or not _is_quick(exponent):
        return expr
    n = exponent.value
    facts = parts.facts
    if not dims_of(base, facts) or not is_floating(base, facts):
        return expr
    size = abs(n)
    if size % 2:
        base = parts.named(base)
    found = _power(base, int(size))
    if size % 1:
        found = multiply(found, call("numpy.sqrt", base))
    return divide(Const(1), found) if n < 0 else found


def _is_quick(exponent: Const) -> bool:
    """Whether products compute the power sooner than pow does."""
    n = exponent.value
    if type(n) not in (int, float) or not abs(n) <= MOST:
        return False
    half = n % 1 == 0.5 and 1 < abs(n) < 5
    return half or bool(n % 1 == 0 and (n > 2 or n < -1))


def _power(base: Expr, n: int) -> Expr:
    """A power by squares and products."""
    if n == 1:
        return base
    if n == 2:
        return power(base, Const(2))
    if n == 3:
        return multiply(multiply(base, base), base)
    if n % 2:
        return multiply(_power(base, n - 1), base)
    return power(_power(base, n // 2), Const(2))
