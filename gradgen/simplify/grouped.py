"""Factors that some terms of a sum share are in front of these, once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref
from gradgen.ir.operators import ADDITIVE, MULTIPLICATIVE, multiply
from gradgen.ir.walk import children, map_values, subexpressions, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal
from gradgen.simplify.cost import cost
from gradgen.simplify.counts import counts_anew, is_whole, may_be_whole
from gradgen.simplify.factored import joined, negated, without
from gradgen.simplify.monomials import Monomial, build, exact

# Every two terms of a sum are compared; longer sums stay as they are.
LONGEST = 12


@dataclass(frozen=True)
class _Term:
    """A term as it is written, and as a product; its sign is that of the product."""

    minus: bool
    expr: Expr
    product: Monomial


def grouped(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies once by what several terms share.

        before:  d_y = d_z - k * d_u - k * d_v - k * d_w
        after:   d_y = d_z - k * (d_u + d_v + d_w)

    The other terms stay as they are written, and so does a sum that this would make
    no cheaper, and no shorter either.
    """
    facts = facts.remembering()

    def value(let: Let) -> Expr:
        return with_groups(let.value, facts) if let.note.derived else let.value

    return map_values(function, value)


def with_groups(expr: Expr, facts: Facts) -> Expr:
    """An expression with each of its sums grouped, innermost first."""
    if not isinstance(expr, Apply):
        return expr
    if not _is_sum(expr):
        return with_children(expr, [with_groups(one, facts) for one in children(expr)])
    terms = list(_terms(expr, False))
    inner = [with_groups(term.expr, facts) for term in terms]
    if any(new is not term.expr for new, term in zip(inner, terms, strict=True)):
        known = {id(term.expr): new for term, new in zip(terms, inner, strict=True)}
        expr = _with_terms(expr, known)
        terms = list(_terms(expr, False))
    if len(terms) > LONGEST:
        return expr
    while len(terms) > 1:
        found = _shortest(expr, terms, facts)
        if found is None:
            break
        expr, terms = found
    return expr


def _is_sum(expr: Expr) -> bool:
    return (
        isinstance(expr, Apply) and expr.op in ADDITIVE and expr.spelling == "operator"
    )


def _with_terms(expr: Expr, known: dict[int, Expr]) -> Expr:
    """A sum with other terms in it."""
    if isinstance(expr, Apply) and _is_sum(expr):
        left, right = (_with_terms(arg, known) for arg in expr.args)
        return replace(expr, args=(left, right))
    return known.get(id(expr), expr)


def _terms(expr: Expr, minus: bool) -> Iterator[_Term]:
    if isinstance(expr, Apply) and _is_sum(expr):
        yield from _terms(expr.args[0], minus)
        yield from _terms(expr.args[1], minus ^ (expr.op == "numpy.subtract"))
    else:
        yield _Term(minus, expr, _product(expr))


def _product(expr: Expr) -> Monomial:
    """The factors of a product as they are written."""
    if isinstance(expr, Const):
        number = exact(expr.value)
        if number is not None and expr.text is None:
            return Monomial(number)
    if isinstance(expr, Apply) and expr.spelling == "operator":
        if expr.op == "numpy.negative":
            return negated(_product(expr.args[0]))
        if expr.op in MULTIPLICATIVE:
            first, second = map(_product, expr.args)
            if expr.op == "numpy.multiply":
                return first.times(second)
            if second.coefficient:
                return first.times(second.inverse())
    return Monomial(Fraction(1), (expr,))


def _shortest(
    expr: Expr, terms: list[_Term], facts: Facts
) -> tuple[Expr, list[_Term]] | None:
    """The sum with one group of terms made one, where that is best; None for none."""
    best, price = None, _price(expr, facts)
    for i, one in enumerate(terms):
        for other in terms[i + 1 :]:
            shared = _shared(one.product, other.product)
            if shared is None:
                continue
            made = _grouped(terms, shared, facts)
            if made is None:
                continue
            total = joined([(term.minus, term.expr) for term in made])
            now = _price(total, facts)
            if shared in (one.product, other.product) and now[0] == price[0]:
                continue  # d_x + k * d_x as it is written, not (1 + k) * d_x
            if now < price and _is_alike(total, expr, facts):
                best, price = (total, made), now
    return best


def _price(expr: Expr, facts: Facts) -> tuple[int, int, int]:
    """The work, then how much there is to read, then how many names."""
    parts = list(subexpressions(expr))
    names = sum(1 for part in parts if isinstance(part, Ref))
    return cost(expr, facts), len(parts), names


def _is_alike(total: Expr, expr: Expr, facts: Facts) -> bool:
    """Whether a sum is of the same shape and kind, and computes no integers anew."""
    alike = equal(facts.of(total), facts.of(expr))
    alike = alike and facts.kind(total) is facts.kind(expr)
    return alike and not counts_anew(total, expr, facts)


def _shared(one: Monomial, other: Monomial) -> Monomial | None:
    """What two products share, numbers apart."""
    left = list(other.numerators)
    above = []
    for base in one.numerators:
        if base in left:
            left.remove(base)
            above.append(base)
    there = [factor.base for factor in other.denominators]
    below = {f.base: f for f in one.denominators if f.base in there}
    if all(isinstance(base, Const) for base in above) and not below:
        return None
    return Monomial(Fraction(1), tuple(above), tuple(below.values()))


def _grouped(terms: list[_Term], shared: Monomial, facts: Facts) -> list[_Term] | None:
    """The terms, with those that have the shared factors as one."""
    inside = [term for term in terms if _has(term.product, shared)]
    if any(_counts(term.expr, facts) for term in inside):
        return None
    signed = [negated(t.product) if t.minus else t.product for t in inside]
    numbers = {abs(product.coefficient) for product in signed}
    if 0 in numbers:
        return None  # terms that have cancelled
    if len(numbers) == 1:
        shared = replace(shared, coefficient=numbers.pop())
    rest = [without(product, shared) for product in signed]
    minus = all(one.coefficient < 0 for one in rest)
    if minus:
        rest = list(map(negated, rest))
    if any(one.numerators or one.denominators for one in rest):
        parts = [(one.coefficient < 0, build(_positive(one), facts)) for one in rest]
        product = shared.times(Monomial(Fraction(1), (joined(parts),)))
        found = build(product, facts)
    else:  # k * x + k * x, of which 2 * k may overflow
        product = Monomial(sum((one.coefficient for one in rest), Fraction(0)))
        found = multiply(build(shared, facts), build(product, facts))
        product = shared.times(product)
    group = _Term(minus, found, product)
    place = terms.index(inside[0])
    others = [(i, term) for i, term in enumerate(terms) if term not in inside]
    ahead = [term for i, term in others if i < place]
    return [*ahead, group, *(term for i, term in others if i > place)]


def _positive(product: Monomial) -> Monomial:
    return replace(product, coefficient=abs(product.coefficient))


def _has(product: Monomial, shared: Monomial) -> bool:
    """Whether a product has all of the factors."""
    left = list(product.numerators)
    for base in shared.numerators:
        if base not in left:
            return False
        left.remove(base)
    below = {factor.base for factor in product.denominators}
    return all(factor.base in below for factor in shared.denominators)


def _counts(expr: Expr, facts: Facts) -> bool:
    """Whether a term may be computed in integers, in part or whole."""
    return any(
        is_whole(one, facts) or may_be_whole(one, facts)
        for one in subexpressions(expr)
        if isinstance(one, Apply) and one.op in MULTIPLICATIVE
    )
