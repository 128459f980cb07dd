"""Choices between products: what both ways share stands outside of np.where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal
from gradgen.simplify.counts import counts_anew
from gradgen.simplify.factored import common, negated, without, without_minus
from gradgen.simplify.monomials import Monomial, build

# the monomials of an expression
Terms = Callable[[Expr], list[Monomial]]


def choice(expr: Apply, terms: Terms, facts: Facts) -> Expr:
    """np.where(m, d * x, d * y) -> d * np.where(m, x, y), of the same dtype.

    So does the sign of arrays: np.where(m, -x, 0) -> -np.where(m, x, 0).
    """
    test, *ways = expr.args
    found = [terms(way) for way in ways]
    if any(len(one) != 1 for one in found):
        return expr
    shared = common([one[0] for one in found])
    if shared is None or not shared.numerators:
        return without_minus(expr, [one[0] for one in found], facts)
    shared = replace(shared, denominators=())
    rest = [without(one[0], shared) for one in found]
    if not all(term.numerators for term in rest):
        return expr
    if all(term.coefficient < 0 for term in rest):
        rest, shared = list(map(negated, rest)), negated(shared)
    inner = (build(term, facts) for term in rest)
    chosen = replace(expr, args=(test, *inner))
    whole = build(shared.times(Monomial(Fraction(1), (chosen,))), facts)
    alike = equal(facts.of(whole), facts.of(expr))
    alike = alike and facts.kind(whole) is facts.kind(expr)
    return whole if alike and not counts_anew(whole, expr, facts) else expr


def number_of_choice(expr: Expr, terms: Terms, facts: Facts) -> Monomial:
    """A choice between a product and 0, whose number stands in front of it.

    before:  2 * np.where(m, -d / (2 * n), 0)
    after:   -np.where(m, d / n, 0)
    """
    if not isinstance(expr, Apply) or expr.op != "numpy.where":
        return Monomial(Fraction(1), (expr,))
    test, *ways = expr.args
    zeros = [way for way in ways if way in (Const(0), Const(0.0))]
    other = next((way for way in ways if way not in zeros), None)
    if len(ways) != 2 or len(zeros) != 1 or not isinstance(other, Apply):
        return Monomial(Fraction(1), (expr,))
    found = terms(other)
    if len(found) != 1 or found[0].coefficient == 1 or not found[0].numerators:
        return Monomial(Fraction(1), (expr,))
    (term,) = found
    plain = build(replace(term, coefficient=Fraction(1)), facts)
    if not equal(facts.of(plain), facts.of(other)):
        return Monomial(Fraction(1), (expr,))
    if facts.kind(plain) is not facts.kind(other):
        return Monomial(Fraction(1), (expr,))
    args = (test, *(way if way in zeros else plain for way in ways))
    return Monomial(term.coefficient, (replace(expr, args=args),))
