"""Identities of conjugates and lengths: conj(d * z) -> d * conj(z), abs(x) * sign(x) -> x."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import SCALING, call
from gradgen.ir.walk import with_children
from gradgen.rules.traits import ODD
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


def without_sign(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with the sign of a real number and its length as the number.

    before:  2 * d_out * np.abs(x) * np.sign(x)
    after:   2 * d_out * x

    So it bends at 0 as the function does, where it is differentiated once more. Powers
    of the length are the number's: abs(x)**3 * sign(x) is x**3, abs(x)**2 * sign(x) is
    x**2 * sign(x), and x * sign(x) is abs(x); sin(abs(x)) * sign(x) is sin(x). The slope of an absolute value beside a
    sign that the primal has computed is 1: sign(x) * log1p(abs(x)) has a slope at 0.
    """
    for sign in monomial.numerators:
        if not isinstance(sign, Apply) or sign.op != "numpy.sign" or sign.kwargs:
            continue
        (x,) = sign.args
        for at, factor in enumerate(monomial.numerators):
            base, exponent = _power(factor)
            rest = list(monomial.numerators)
            if factor == x and not facts.is_complex(x):
                rest[at] = call("numpy.abs", x)
                rest.remove(sign)
            elif _measured(base, facts) == x and not facts.is_complex(x):
                rest[at] = x
                if exponent > 1:
                    assert isinstance(factor, Apply)
                    rest[at] = with_children(factor, (x, factor.args[1]))
                if exponent % 2:
                    rest.remove(sign)
            elif _odd_length(factor, facts) == x:
                assert isinstance(factor, Apply)
                rest[at] = with_children(factor, (x,))
                rest.remove(sign)
            elif isinstance(factor, Ref) and facts.definitions.get(factor.var) == sign:
                rest.remove(factor)
                rest.remove(sign)
            else:
                continue
            return without_sign(replace(monomial, numerators=tuple(rest)), facts)
    return _without_even_lengths(monomial, facts)


def _odd_length(factor: Expr, facts: Facts) -> Expr | None:
    """x of sin(abs(x))."""
    if not isinstance(factor, Apply) or factor.op not in ODD or factor.kwargs:
        return None
    return _measured(factor.args[0], facts)


def _without_even_lengths(monomial: Monomial, facts: Facts) -> Monomial:
    """x * abs(x) * abs(x) is x * x * x."""
    rest = list(monomial.numerators)
    for at, factor in enumerate(rest):
        x = _measured(factor, facts)
        if x is None or facts.is_complex(x):
            continue
        for other in range(at + 1, len(rest)):
            if rest[other] == factor:
                rest[at] = rest[other] = x
                break
    return replace(monomial, numerators=tuple(rest))


def _power(factor: Expr) -> tuple[Expr, int]:
    """x and 3 of x**3; what is no such power is one of itself."""
    if isinstance(factor, Apply) and factor.op == "numpy.power" and not factor.kwargs:
        base, exponent = factor.args
        if isinstance(exponent, Const) and type(exponent.value) is int:
            return (base, exponent.value) if exponent.value > 0 else (factor, 1)
    return factor, 1


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
