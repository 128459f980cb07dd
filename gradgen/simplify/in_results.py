"""Products in which values that the primal has computed are read again."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import divide, power
from gradgen.shapes.infer import Facts
from gradgen.simplify.monomials import Monomial


def with_results(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with a quotient that the primal computed and named read again.

    before:  c * c * c / r / r / r / r          where s = (c / r) ** 3
    after:   s / r
    """
    if facts.quotients:
        monomial = _with_powers(monomial, facts)
    for base in monomial.numerators:
        for factor in monomial.denominators:
            var = facts.quotient(base, factor.base)
            if var is not None:
                above, below = list(monomial.numerators), list(monomial.denominators)
                above[above.index(base)] = Ref(var)
                below.remove(factor)
                return replace(
                    monomial, numerators=tuple(above), denominators=tuple(below)
                )
    return monomial


def _with_powers(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with the power of a quotient that has a name for its factors."""
    below = [factor.base for factor in monomial.denominators]
    for base in dict.fromkeys(monomial.numerators):
        for other in dict.fromkeys(below):
            most = min(monomial.numerators.count(base), below.count(other))
            for times in range(most, 1, -1):
                n = Const(times)
                var = facts.quotient(power(base, n), power(other, n))
                if var is not None:
                    above, left = list(monomial.numerators), list(monomial.denominators)
                    above[above.index(base)] = Ref(var)
                    for _ in range(times - 1):
                        above.remove(base)
                    for one in [f for f in left if f.base == other][-times:]:
                        left.remove(one)
                    return replace(
                        monomial, numerators=tuple(above), denominators=tuple(left)
                    )
    return monomial


def with_one_view(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with (d / r)[:, None] for d[:, None] / r[:, None]."""
    for one in monomial.numerators:
        if not isinstance(one, Apply) or one.op != "getitem":
            continue
        whole, key = one.args
        for factor in monomial.denominators:
            view = factor.base
            if not isinstance(view, Apply) or view.op != "getitem":
                continue
            if view.args[1] != key:
                continue
            below = view.args[0]
            alike = facts.of(whole) == facts.of(below) and facts.rank(whole) == 1
            if not alike or not _adds_axes(key):
                continue
            above, left = list(monomial.numerators), list(monomial.denominators)
            above[above.index(one)] = replace(one, args=(divide(whole, below), key))
            left.remove(factor)
            return replace(monomial, numerators=tuple(above), denominators=tuple(left))
    return monomial


def _adds_axes(key: Expr) -> bool:
    """Whether an index is that of x[:, None]."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
    whole = Apply("slice", (Const(None),) * 3)
    return whole in items and set(items) == {whole, Const(None)}
