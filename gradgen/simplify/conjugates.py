"""Identities of conjugates: conj(d * z) -> d * conj(z), abs(z) * (conj(z) / abs(z))."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import SCALING, call
from gradgen.ir.walk import with_children
from gradgen.shapes.infer import Facts
from gradgen.simplify.monomials import Monomial


def conjugated(expr: Expr, facts: Facts) -> Expr:
    """The conjugate of an expression; real numbers are their own."""
    if not facts.is_complex(expr):
        return expr
    if isinstance(expr, Apply) and expr.op == "numpy.conj":
        return expr.args[0]
    if isinstance(expr, Apply) and expr.op in SCALING and expr.spelling == "operator":
        real = any(not facts.is_complex(arg) for arg in expr.args)
        if real or expr.op == "numpy.negative":
            return with_children(expr, (conjugated(arg, facts) for arg in expr.args))
    if facts.rank(expr) == 0:
        # np.conj of a Python number is a complex128, which lifts a complex64.
        return Apply("numpy.conj", (expr,), spelling="method:conjugate")
    return call("numpy.conj", expr)


def without_length(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with the length of a complex number cancelled.

    before:  z_abs * np.conj(z) / np.where(z_abs == 0, 1, z_abs)
    after:   np.conj(z)

    At z = 0 both are 0.
    """
    for length in monomial.numerators:
        z = _measured(length, facts)
        if z is None or call("numpy.conj", z) not in monomial.numerators:
            continue
        for factor in monomial.denominators:
            if _is_length_or_one(factor.base, length):
                above, below = list(monomial.numerators), list(monomial.denominators)
                above.remove(length)
                below.remove(factor)
                return replace(
                    monomial, numerators=tuple(above), denominators=tuple(below)
                )
    return monomial


def _measured(length: Expr, facts: Facts) -> Expr | None:
    """The numbers that an expression is the absolute value of."""
    value = facts.definitions.get(length.var) if isinstance(length, Ref) else length
    if isinstance(value, Apply) and value.op == "numpy.abs" and not value.kwargs:
        return value.args[0]
    return None


def _is_length_or_one(expr: Expr, length: Expr) -> bool:
    """Whether it is np.where(length == 0, 1, length)."""
    if not isinstance(expr, Apply) or expr.op != "numpy.where":
        return False
    test, one, other = expr.args
    zero = Apply("numpy.equal", (length, Const(0)))
    return (test, one, other) == (zero, Const(1), length)
