"""Products of powers of one base: x**0.5 / x**1.5 is 1 / x."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import add, call, power, subtract
from gradgen.shapes.infer import Facts
from gradgen.simplify.monomials import Factor, Monomial, taken

# so many factors of a base are written out below a line
MOST = 3
ZERO, ONE = Const(0), Const(1)
EQUAL = "numpy.equal"
ONES = ONE, Const(1.0)


def with_exponents(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with the powers of a base added up, one of them a broken one.

    before:  d * x**0.5 / y            where y = x**1.5 can be read
    after:   d / x
    before:  d * x**0.5 / y / y
    after:   d / x / y

    Only where that leaves fewer powers to compute: a power costs more than a product.
    """
    if len(monomial.numerators) + len(monomial.denominators) < 2:
        return monomial
    found = (_broken(_written(one.base, facts)) for one in _factors(monomial))
    for base in dict.fromkeys(found):
        if base is not None and not facts.is_complex(base):
            monomial = _added(monomial, base, facts)
    return monomial


def with_open_exponents(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with a base taken up into its power, whose exponent has a name.

    before:  d * p * x ** (p - (p != 0)) * x
    after:   d * p * x**p
    before:  d * p * (x / s) ** (p - (p != 0)) * x / s
    after:   d * p * (x / s) ** p

    The two differ where p is 0, and then they are multiplied by it. So it is finite
    where x is 0, as the function is.
    """
    above = monomial.numerators
    for slope in above:
        made = _written(slope, facts)
        base, exponent = _slope_of(made) if isinstance(made, Apply) else (None, None)
        if base is None or exponent is None or exponent not in above:
            continue
        whole = power(base, exponent)
        left = taken(above, (slope, base))
        if left is not None:
            return replace(monomial, numerators=(*left, whole))
        quotient = _written(base, facts)
        if not isinstance(quotient, Apply) or quotient.op != "numpy.divide":
            continue
        over, under = quotient.args
        left = taken(above, (slope, over))
        below = list(monomial.denominators)
        found = next((one for one in below if one.base == under), None)
        if left is not None and found is not None:
            below.remove(found)
            return Monomial(monomial.coefficient, (*left, whole), tuple(below))
    return monomial


def with_surely_less(expr: Apply, facts: Facts) -> Apply:
    """An exponent less one without the question whether it is 0, which it is not.

    before:  1 / p - (1 / p != 0)
    after:   1 / p - 1
    """
    one, other = expr.args[:2]
    if expr.op == "numpy.subtract" and other == call("numpy.not_equal", one, ZERO):
        return subtract(one, ONE) if _is_by_number(one, facts) else expr
    if expr.op == "numpy.add" and isinstance(one, Apply) and one.args:
        exponent = one.args[0]
        if (one, other) == (subtract(exponent, ONE), call(EQUAL, exponent, ZERO)):
            return one if _is_by_number(exponent, facts) else expr
    if expr.op == "numpy.where" and isinstance(one, Apply) and one.op == EQUAL:
        exponent = one.args[0]
        wanted = call(EQUAL, exponent, ZERO), ONE, subtract(exponent, ONE)
        if expr.args == wanted and _is_by_number(exponent, facts):
            return subtract(exponent, ONE)
    return expr


def _is_by_number(value: Expr, facts: Facts) -> bool:
    """Whether a value is a number other than 0 divided by something: 1 / p."""
    made = _written(value, facts)
    if not isinstance(made, Apply) or made.op != "numpy.divide":
        return False
    above = made.args[0]
    is_number = isinstance(above, Const) and type(above.value) in (int, float)
    return is_number and above != ZERO and above.value != 0


def _slope_of(expr: Apply) -> tuple[Expr | None, Expr | None]:
    """x and p of x ** (p - (p != 0)), as the slope of x**p is written."""
    if expr.op != "numpy.power" or expr.kwargs:
        return None, None
    base, less = expr.args
    if not isinstance(less, Apply):
        return None, None
    if less.op == "numpy.where" and len(less.args) == 3:
        last = less.args[2]
        exponent = last.args[0] if isinstance(last, Apply) and last.args else last
        written = call(EQUAL, exponent, ZERO), ONE, subtract(exponent, ONE)
        return (base, exponent) if less.args == written else (None, None)
    exponent = less.args[0]
    if less == subtract(exponent, call("numpy.not_equal", exponent, ZERO)):
        return base, exponent
    if less == subtract(exponent, ONE):  # of an exponent that is not 0
        return base, exponent
    if isinstance(exponent, Apply) and exponent.op == "numpy.subtract":
        exponent, one = exponent.args
        is_zero = call(EQUAL, exponent, ZERO)
        if one in ONES and less == add(subtract(exponent, one), is_zero):
            return base, exponent
    return None, None


def _factors(monomial: Monomial) -> tuple[Factor, ...]:
    return *(Factor(base, -1) for base in monomial.numerators), *monomial.denominators


def is_broken(expr: Expr) -> bool:
    """Whether it is a power whose exponent is no whole number."""
    return _broken(expr) is not None


def _broken(expr: Expr) -> Expr | None:
    """The base of such a power, None of others."""
    found = _power_of(expr)
    return found[0] if found is not None and found[1].denominator > 1 else None


def _power_of(expr: Expr) -> tuple[Expr, Fraction] | None:
    """The base and the exponent of x**1.5 and np.sqrt(x)."""
    if not isinstance(expr, Apply) or expr.kwargs:
        return None
    if expr.op == "numpy.sqrt" and len(expr.args) == 1:
        return expr.args[0], Fraction(1, 2)
    if expr.op != "numpy.power" or not isinstance(expr.args[1], Const):
        return None
    exponent = expr.args[1].value
    if type(exponent) not in (int, float) or not abs(exponent) < 64:
        return None
    exact = Fraction(exponent)
    return (expr.args[0], exact) if exact.denominator <= 8 else None


def _added(monomial: Monomial, base: Expr, facts: Facts) -> Monomial:
    """The product with the powers of one base added up."""
    named: dict[Expr, Fraction] = {}
    total, written, count, held = Fraction(0), 0, 0, 0
    for factor in _factors(monomial):
        exponent = _exponent(factor.base, base, facts)
        if exponent is None:
            continue
        if isinstance(factor.base, Ref) and factor.base != base:
            named[factor.base] = exponent
            held += 1
        written += is_broken(factor.base)
        total += exponent if factor.group < 0 else -exponent
        count += 1
    if count < 2 or held == count:
        return monomial  # the base itself may not be kept
    above, below = _spread(base, total, named)
    powers = sum(map(is_broken, (*above, *below)))
    if (powers, len(above) + len(below)) >= (written, count):
        return monomial

    def stays(one: Expr) -> bool:
        return _exponent(one, base, facts) is None

    numerators = (*filter(stays, monomial.numerators), *above)
    left = [one for one in monomial.denominators if stays(one.base)]
    first = 1 + max((one.group for one in left), default=-1)
    left += [Factor(one, first + i) for i, one in enumerate(below)]
    return replace(monomial, numerators=numerators, denominators=tuple(left))


def _exponent(expr: Expr, base: Expr, facts: Facts) -> Fraction | None:
    """The power of the base that an expression is, also by the name of a variable."""
    if expr == base:
        return Fraction(1)
    found = _power_of(_written(expr, facts))
    return found[1] if found is not None and found[0] == base else None


def _written(expr: Expr, facts: Facts) -> Expr:
    """What a variable that can be read is computed from."""
    if isinstance(expr, Ref) and facts.visible(expr.var):
        return facts.definitions.get(expr.var, expr)
    return expr


def _spread(
    base: Expr, total: Fraction, named: dict[Expr, Fraction]
) -> tuple[list[Expr], list[Expr]]:
    """Factors above and below that are a power of the base, by names where these fit."""
    for one, exponent in named.items():
        for times in (-1, 1, -2, 2):
            rest = total - times * exponent
            if rest.denominator == 1 and rest * times >= 0 and abs(rest) < MOST:
                factors = [*[base] * abs(int(rest)), *[one] * abs(times)]
                return (factors, []) if times > 0 else ([], factors)
    if total.denominator == 1 and -MOST <= total <= MOST:
        whole = [base] * abs(int(total))
        return (whole, []) if total > 0 else ([], whole)
    if total > 0:
        return [power(base, Const(float(total)))], []
    return [], [power(base, Const(float(-total)))]
