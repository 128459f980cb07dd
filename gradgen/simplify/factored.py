"""A sum's terms as one expression: common arrays factored out, positive ones first."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.signs import signed
from gradgen.ir.operators import MULTIPLICATIVE, add, negative, subtract
from gradgen.ir.walk import with_children
from gradgen.shapes.infer import Facts
from gradgen.simplify.counts import counts_anew, is_counted
from gradgen.simplify.monomials import Monomial, build, weight


def common(found: list[Monomial]) -> Monomial | None:
    """The factors that all terms share, when each has others as well."""
    if len(found) < 2:
        return None
    first = found[0]
    above = [
        base
        for base in dict.fromkeys(first.numerators)
        for _ in range(min(term.numerators.count(base) for term in found))
    ]
    below = [
        f
        for f in first.denominators
        if all(any(f.base == g.base for g in t.denominators) for t in found)
    ]
    below = list({factor.base: factor for factor in below}.values())
    if not above and not below:
        return None
    shared = Monomial(Fraction(1), tuple(above), tuple(below))
    if any(not without(term, shared).numerators for term in found):
        return _with_number(shared, found)
    numbers = {abs(term.coefficient) for term in found}
    return replace(shared, coefficient=numbers.pop()) if len(numbers) == 1 else shared


def _with_number(shared: Monomial, found: list[Monomial]) -> Monomial | None:
    """Common factors, and a number in front, of terms of which one has no others.

    a * b * x - a * b is a * b * (x - 1); d * x - d stays what it is.
    """
    if len(shared.numerators) < 2 or shared.denominators or len(found) > 2:
        return None
    numbers = [abs(term.coefficient) for term in found]
    front = min(numbers)
    if not front or any((number / front).denominator != 1 for number in numbers):
        return None
    return replace(shared, coefficient=front)


def factored(found: list[Monomial], facts: Facts) -> list[tuple[bool, Expr]]:
    """(is negative, positive expression) for each term or group of terms.

    Terms with the same arrays and other numbers in front become one product,
    (a + b) * X, which passes over X once.
    """
    groups: dict[object, list[Monomial]] = {}
    for i, term in enumerate(found):
        arrays = _largest(term, facts)
        groups.setdefault(arrays.key if arrays else i, []).append(term)
    pieces = []
    for group in groups.values():
        if len(group) == 1:
            pieces.append(_signed(group[0], facts))
            continue
        arrays = _largest(group[0], facts)
        assert arrays is not None  # terms without are groups of one
        rest = [without(term, arrays) for term in group]
        minus = all(term.coefficient < 0 for term in rest)
        if minus:
            rest = [negated(term) for term in rest]
        front = joined([_signed(term, facts) for term in rest])
        product = Monomial(Fraction(1), (front,)).times(arrays)
        pieces.append((minus, build(product, facts)))
    return pieces


def negated(term: Monomial) -> Monomial:
    """The term with the other sign."""
    return replace(term, coefficient=-term.coefficient)


def turned_round(term: Monomial, facts: Facts) -> Monomial:
    """-d * (a - b) as d * (b - a), where a is no number: 1 - z stays what it is."""
    if term.coefficient > 0:
        return term
    for i, base in enumerate(term.numerators):
        if not isinstance(base, Apply) or base.op != "numpy.subtract":
            continue
        a, b = base.args
        if isinstance(a, Const) or is_counted(base, facts):
            continue
        above = list(term.numerators)
        above[i] = subtract(b, a)
        return Monomial(-term.coefficient, tuple(above), term.denominators)
    return term


def _largest(term: Monomial, facts: Facts) -> Monomial | None:
    """The factors of the largest shape, when there are smaller ones as well."""
    bases = [*term.numerators, *(factor.base for factor in term.denominators)]
    sizes = {base: weight(base, facts) for base in bases}
    top = max(sizes.values(), default=(0, 0))
    if top == (0, 0):
        return None
    above = tuple(b for b in term.numerators if sizes[b] == top)
    below = tuple(f for f in term.denominators if sizes[f.base] == top)
    return Monomial(Fraction(1), above, below)


def without(term: Monomial, part: Monomial) -> Monomial:
    above, below = list(term.numerators), list(term.denominators)
    for base in part.numerators:
        above.remove(base)
    for factor in part.denominators:
        below.remove(next(f for f in below if f.base == factor.base))
    front = term.coefficient / part.coefficient
    return Monomial(front, tuple(above), tuple(below))


def _signed(term: Monomial, facts: Facts) -> tuple[bool, Expr]:
    positive = replace(term, coefficient=abs(term.coefficient))
    return term.coefficient < 0, build(positive, facts)


def joined(pieces: list[tuple[bool, Expr]]) -> Expr:
    """a + b - c, a positive term first where there is one."""
    first = next((i for i, (minus, _) in enumerate(pieces) if not minus), 0)
    minus, total = pieces[first]
    if minus:
        total = _minus(total)
    for i, (minus, expr) in enumerate(pieces):
        if i != first:
            total = subtract(total, expr) if minus else add(total, expr)
    return total


def _minus(expr: Expr) -> Expr:
    """The negative, its sign on the first factor: -a * b."""
    if isinstance(expr, Const):
        return signed("USub", expr) or negative(expr)
    if isinstance(expr, Apply) and expr.op in MULTIPLICATIVE:
        return with_children(expr, (_minus(expr.args[0]), expr.args[1]))
    return negative(expr)


def without_minus(expr: Apply, found: list[Monomial], facts: Facts) -> Expr:
    """A choice between negative arrays and zeros, its sign in front.

    The sign of a number in front of one of them costs nothing.
    """
    if not any(
        term.coefficient == -1 and all(map(facts.rank, term.numerators))
        for term in found
    ):
        return expr
    for term, way in zip(found, expr.args[1:], strict=True):
        zero = way in (Const(0), Const(0.0))
        if not zero and (term.coefficient > 0 or not facts.rank(way)):
            return expr
    ways = [
        way if isinstance(way, Const) else build(negated(term), facts)
        for term, way in zip(found, expr.args[1:], strict=True)
    ]
    whole = negative(replace(expr, args=(expr.args[0], *ways)))
    return expr if counts_anew(whole, expr, facts) else whole
