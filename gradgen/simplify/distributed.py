"""Products over sums, where factors of the product cancel what the sum divides by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

from gradgen.ir.nodes import Apply, Expr, Origin, Ref
from gradgen.ir.operators import ADDITIVE
from gradgen.shapes.infer import Facts
from gradgen.simplify.counts import is_whole, may_be_whole
from gradgen.simplify.monomials import Monomial

TermsOf = Callable[[Expr], list[Monomial]]
# sums that become longer than this when they are written out stay as they are
LONGEST = 8


def distributed(
    found: list[Monomial], terms_of: TermsOf, facts: Facts
) -> list[Monomial] | None:
    """The terms with such products written out; None where there are none.

    before:  p * (y / p - (1 - y) / (1 - p)) * (1 - p)        (1 - p) * y - p * (1 - y)
    after:   y - p                                            y - p

    Whether that is less work is asked by the caller. Sums of integers stay: written
    out, they may overflow elsewhere.
    """
    new: list[Monomial] = []
    changed = False
    for term in found:
        parts = _cancelled(term, terms_of, facts)
        changed = changed or parts is not None
        new += [term] if parts is None else parts
    if len(new) > LONGEST:
        return None
    written = [part for term in new for part in _written_out(term, terms_of, facts)]
    short = len(written) <= LONGEST
    if not changed:
        return written if short and _count(written) < len(found) else None
    return written if short and _count(written) <= _count(new) else new


def _cancelled(
    term: Monomial, terms_of: TermsOf, facts: Facts
) -> list[Monomial] | None:
    """The terms of a product of a sum with factors that its terms divide by."""
    for i, base in enumerate(term.numerators):
        parts = _parts(base, terms_of, facts)
        others = [*term.numerators[:i], *term.numerators[i + 1 :]]
        below = [factor.base for part in parts for factor in part.denominators]
        moved = [one for one in others if any(_same(one, b, facts) for b in below)]
        if not moved:
            continue
        for one in moved:
            others.remove(one)
            parts = [_times(part, one, facts) for part in parts]
        rest = replace(term, numerators=tuple(others))
        return [rest.times(part) for part in parts]
    return None


def _times(part: Monomial, factor: Expr, facts: Facts) -> Monomial:
    """The product with one more factor, or one less in its denominator."""
    for one in part.denominators:
        if _same(factor, one.base, facts):
            left = list(part.denominators)
            left.remove(one)
            return replace(part, denominators=tuple(left))
    return replace(part, numerators=(*part.numerators, factor))


def _written_out(term: Monomial, terms_of: TermsOf, facts: Facts) -> list[Monomial]:
    """A product with all of the sums in it written out."""
    done = [replace(term, numerators=())]
    for base in term.numerators:
        parts = _parts(base, terms_of, facts)
        one = Monomial(Fraction(1), (base,))
        done = [d.times(part) for d in done for part in parts or [one]]
        if len(done) > LONGEST:
            return [term]
    return done


def _count(found: Iterable[Monomial]) -> int:
    """How many terms are left of a sum when equal ones are added."""
    totals: dict[object, Fraction] = {}
    for term in found:
        totals[term.key] = totals.get(term.key, Fraction(0)) + term.coefficient
    return sum(1 for total in totals.values() if total)


def _parts(base: Expr, terms_of: TermsOf, facts: Facts) -> list[Monomial]:
    """The terms of a sum of floating numbers, as it stands or with a name; or none."""
    value = _defined(base, facts)
    if not isinstance(value, Apply) or value.op not in ADDITIVE:
        return []
    if is_whole(value, facts) or may_be_whole(value, facts):
        return []
    parts = terms_of(value)
    return parts if len(parts) > 1 else []


def _same(one: Expr, other: Expr, facts: Facts) -> bool:
    return one == other or _defined(one, facts) == _defined(other, facts)


def _defined(expr: Expr, facts: Facts) -> Expr:
    """What a part of a statement is computed from."""
    if isinstance(expr, Ref) and expr.var.origin is Origin.TEMP:
        if facts.visible(expr.var):
            return facts.definitions.get(expr.var, expr)
    return expr
