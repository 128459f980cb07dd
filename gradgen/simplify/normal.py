"""The normal form of one expression's arithmetic: a sum of products."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.walk import children, is_static, reads, static, with_children
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, COMPARISONS, MULTIPLICATIVE
from gradgen.ir.operators import SIGNED
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL
from gradgen.shapes.shape import SCALAR, Shape, equal
from gradgen.simplify.bounded import with_bounded
from gradgen.simplify.choices import choice, number_of_choice
from gradgen.simplify.conjugates import conjugated, without_length
from gradgen.simplify.conjugates import without_sign
from gradgen.simplify.cost import cost
from gradgen.simplify.counts import counts_anew, is_cast, is_counted
from gradgen.simplify.counts import is_of_floats, is_whole, may_be_whole, may_overflow
from gradgen.simplify.distributed import distributed
from gradgen.simplify.exponents import MOST, with_exponents, with_open_exponents
from gradgen.simplify.factored import common, factored, joined, negated, turned_round
from gradgen.simplify.factored import without
from gradgen.simplify.in_results import with_one_view, with_results
from gradgen.simplify.monomials import Monomial, atom, build
from gradgen.simplify.monomials import is_derived, is_power, is_slope, taken

# operations that are linear in their first argument, and move or add its entries
LINEAR = {
    "getitem",
    *(f"numpy.{n}" for n in "expand_dims reshape sum swapaxes transpose".split()),
}


def normal(expr: Expr, facts: Facts) -> Expr:
    """The expression with all its arithmetic in normal form."""
    return Normal(facts).normal(expr)


class Normal:
    """The normal forms of expressions, each found once.

    What is found is kept by identity: the forms of parts are parts of the forms of
    wholes, and are asked for again at each level. `named` has the factors of
    variables that may be read for the products of these.
    """

    def __init__(
        self, facts: Facts, named: Mapping[Var, tuple[Expr, ...]] | None = None
    ) -> None:
        self.facts = facts
        self.named = named or {}
        self.normals: dict[int, tuple[Expr, Expr]] = {}
        self.sums: dict[int, tuple[Expr, list[Monomial]]] = {}
        self.products: dict[int, tuple[Expr, Monomial]] = {}
        self.whole: dict[int, tuple[Expr, bool]] = {}
        # of each kind of products, the expressions with these written out
        self.written: dict[int, dict[int, tuple[Expr, Expr]]] = {}

    def normal(self, expr: Expr) -> Expr:
        """The expression with all its arithmetic in normal form."""
        if not isinstance(expr, Apply):
            return expr
        if id(expr) not in self.normals:
            form = self._normal(expr)
            self.normals[id(expr)] = expr, form
            self.normals[id(form)] = form, form
        return self.normals[id(expr)][1]

    def factors(self, expr: Expr) -> tuple[Expr, ...]:
        """The factors of a product without a number in front, or none."""
        term = self.product(expr)
        if term is None or term.coefficient != 1 or term.denominators:
            return ()
        return term.numerators

    def product(self, expr: Expr) -> Monomial | None:
        """An expression as one product; None of a sum."""
        found = self._terms(expr)
        return found[0] if len(found) == 1 else None

    def is_zero(self, expr: Expr) -> bool:
        """Whether the terms of a sum cancel: a * b - b * a."""
        totals: dict[tuple[Any, ...], Fraction] = {}
        for term in self._terms(expr):
            totals[term.key] = totals.get(term.key, Fraction(0)) + term.coefficient
        return not any(totals.values())

    def number(self, expr: Expr) -> Fraction:
        """The number in front of an expression, 1 of a sum: 1/2 in x / (2 * y)."""
        found = self._terms(expr)
        return found[0].coefficient if len(found) == 1 else Fraction(1)

    def _normal(self, expr: Apply) -> Expr:
        if expr.op in COMPARISONS:
            # what is compared is what the primal has compared, to the last bit
            return expr
        if expr.op in ARITHMETIC or is_power(expr):
            short = self._sum(self._terms(expr))
            if isinstance(short, Const) and is_of_floats(expr):
                return Const(float(short.value))
            if equal(self.facts.of(short), self.facts.of(expr)):
                if not counts_anew(short, expr, self.facts):
                    return short
                return with_children(expr, map(self._kept, children(expr)))
            old = children(expr)
            return with_children(expr, (self.normal(child) for child in old))
        expr = with_children(expr, (self.normal(child) for child in children(expr)))
        if expr.op == "numpy.conj":
            return conjugated(expr.args[0], self.facts)
        if expr.op == "numpy.where" and len(expr.args) == 3:
            return choice(expr, self._terms, self.facts)
        return self._linear(expr)

    def _kept(self, expr: Expr) -> Expr:
        """The normal form of a factor of integers: 1.0 is not 1."""
        form = self.normal(expr)
        return expr if isinstance(form, Const) else form

    def _is_whole(self, expr: Apply) -> bool:
        """Whether an operation computes in integers; its operands are asked apart."""
        if expr.op not in ARITHMETIC and expr.op not in SIGNED and not is_power(expr):
            return False
        if id(expr) not in self.whole:
            facts = self.facts
            found = is_whole(expr, facts) or may_be_whole(expr, facts)
            found = found or is_cast(expr, facts)
            # True + m is True | m
            found = found or expr.op in ADDITIVE and is_counted(expr, facts)
            self.whole[id(expr)] = expr, found
        return self.whole[id(expr)][1]

    def _terms(self, expr: Expr) -> list[Monomial]:
        """The expression as a sum of monomials; a sum inside a product is an atom.

        A long sum is a chain of operators: it is gone through, not into.
        """
        found: list[Monomial] = []
        slopes: list[tuple[Expr, bool]] = []
        waiting = [(expr, False)]
        while waiting:
            node, minus = waiting.pop()
            op = node.op if isinstance(node, Apply) else ""
            if node is not expr and is_slope(node):
                slopes.append((node, minus))
            elif isinstance(node, Apply) and self._is_whole(node):
                found.append(negated(atom(node)) if minus else atom(node))
            elif op in ADDITIVE:
                waiting.append((node.args[1], minus ^ (op == "numpy.subtract")))
                waiting.append((node.args[0], minus))
            elif op in SIGNED:
                waiting.append((node.args[0], minus ^ (op == "numpy.negative")))
            else:
                terms = self._of_no_sum(node)
                found += map(negated, terms) if minus else terms
        return self._with_slopes(found, slopes) if slopes else found

    def _with_slopes(
        self, found: list[Monomial], slopes: list[tuple[Expr, bool]]
    ) -> list[Monomial]:
        """A sum with 1 - t**2 in it as one term, unless a part of that meets another.

        before:  t / x - 1 + t**2        after:  t / x - (1 - t**2), if t / x is small
        """
        (first, minus), *others = slopes
        number, square = self._terms(first)
        if not others and all(t.key not in (number.key, square.key) for t in found):
            return [*found, negated(atom(first))] if minus else [atom(first), *found]
        for slope, minus in slopes:
            terms = self._terms(slope)
            found += map(negated, terms) if minus else terms
        return found

    def _of_no_sum(self, expr: Expr) -> list[Monomial]:
        """The monomials of what is no sum itself."""
        if not isinstance(expr, Apply):
            return [atom(expr)]
        if id(expr) not in self.sums:
            self.sums[id(expr)] = expr, self._monomials(expr)
        return self.sums[id(expr)][1]

    def _monomials(self, expr: Apply) -> list[Monomial]:
        if expr.op in MULTIPLICATIVE:
            first, second = (self._single(arg) for arg in expr.args)
            if expr.op == "numpy.divide":
                if not second.coefficient:
                    return [atom(expr)]
                second = second.inverse()
            return [first.times(second).cancelled()]
        if is_power(expr):
            if may_overflow(expr.args[0], self.facts):
                return [atom(expr)]  # as it is written, and nowhere else
            base = self._single(expr.args[0])
            exponent = 2 if expr.op == "numpy.square" else expr.args[1].value
            if base.denominators and exponent > MOST:
                base = atom(build(base, self.facts))  # (a / r)**12 is no a**12 / r**12
            product = base
            for _ in range(exponent - 1):
                product = product.times(base)
            return [product]
        inner = self.normal(expr)
        if inner != expr and isinstance(inner, Apply) and inner.op in ARITHMETIC:
            return self._terms(inner)
        if isinstance(inner, Apply) and inner.op == "numpy.where":
            return [number_of_choice(inner, self._terms, self.facts)]
        return [atom(inner)]

    def _single(self, expr: Expr) -> Monomial:
        """The expression as one monomial: a sum becomes one factor."""
        if id(expr) not in self.products:
            self.products[id(expr)] = expr, self._product(expr)
        return self.products[id(expr)][1]

    def _product(self, expr: Expr) -> Monomial:
        found = self._terms(expr)
        if len(found) == 1:
            return found[0]
        if all(term.coefficient < 0 for term in found):
            return negated(atom(self._sum(list(map(negated, found)))))
        total = self._sum(found)
        again = self._terms(total) if isinstance(total, Apply) else []
        if len(again) == 1:
            return again[0]
        return atom(total)

    def _sum(self, found: list[Monomial]) -> Expr:
        """The terms as one expression, equal ones added, common arrays factored."""
        merged: dict[tuple[Any, ...], Monomial] = {}
        for term in found:
            key = term.key
            mine = merged.get(key)
            if mine is None:
                merged[key] = term
            else:
                total = mine.coefficient + term.coefficient
                merged[key] = replace(mine, coefficient=total)
        left = [t for t in merged.values() if t.coefficient]
        left = [with_results(without_length(t, self.facts), self.facts) for t in left]
        left = [without_sign(term, self.facts) for term in left]
        left = [with_bounded(term, self.facts) for term in left]
        left = [with_open_exponents(term, self.facts) for term in left]
        left = [with_exponents(term, self.facts) for term in left]
        left = [with_one_view(term, self.facts) for term in left]
        if self.named:
            left = [self._absorbed(term) for term in left]
        if len(left) == 1:
            left = [turned_round(left[0], self.facts)]
        if not left:
            # 0 * m of a mask would be a gradient of integers
            return Const(0.0 if any(map(is_derived, found)) else 0)
        joined = self._joined(left)
        parts = distributed(left, self._terms, self.facts)
        if parts is None:
            return joined
        other = self._sum(parts)
        alike = equal(self.facts.of(other), self.facts.of(joined))
        less = cost(other, self.facts) < cost(joined, self.facts)
        return other if alike and less else joined

    def _joined(self, left: list[Monomial]) -> Expr:
        """A sum of different terms, with what all of them share in front."""
        shared = common(left)
        if shared is not None:
            rest = [without(term, shared) for term in left]
            if all(term.coefficient < 0 for term in rest):
                # -(a + b) * c, not (-a - b) * c
                rest, shared = list(map(negated, rest)), negated(shared)
            inner = atom(joined(factored(rest, self.facts)))
            return build(shared.times(inner), self.facts)
        return joined(factored(left, self.facts))

    def _absorbed(self, term: Monomial) -> Monomial:
        """The product with named products in it, one of a sum's factors outside of it."""
        for var, factors in self.named.items():
            rest = taken(term.numerators, factors)
            if rest is not None:
                return replace(term, numerators=(*rest, Ref(var)))
            for i, base in enumerate(term.numerators):
                others = (*term.numerators[:i], *term.numerators[i + 1 :])
                inner = self._with_inside(base, others, var, factors)
                if inner is not None:
                    new, left = inner
                    return replace(term, numerators=(*left, new))
        return term

    def _with_inside(
        self, base: Expr, others: tuple[Expr, ...], var: Var, factors: tuple[Expr, ...]
    ) -> tuple[Expr, tuple[Expr, ...]] | None:
        """A sum or a view with a named product inside, and the other factors left."""
        if not isinstance(base, Apply) or not _is_linear(base):
            return None
        found = self._terms(base.args[0])
        if len(found) != 1:
            return None
        inside = [f for f in factors if f in found[0].numerators]
        outside = list(factors)
        for one in inside:
            outside.remove(one)
        rest = taken(found[0].numerators, inside)
        left = taken(others, outside)
        if not inside or rest is None or left is None:
            return None
        may_leave = self._leaving(base)
        if not all(map(may_leave, outside)):
            return None
        whole = build(replace(found[0], numerators=(*rest, Ref(var))), self.facts)
        if not equal(self.facts.of(whole), self.facts.of(base.args[0])):
            return None
        return with_children(base, (whole, *children(base)[1:])), left

    def _leaving(self, expr: Apply) -> Callable[[Expr], bool]:
        """Whether a factor inside of a sum or a view may as well stand outside."""
        keeps = dict(expr.kwargs).get("keepdims") == Const(True)
        result, before = self.facts.of(expr), self.facts.of(expr.args[0])
        behind = 0 if keeps else _axes_behind(expr, before)

        def may_leave(base: Expr) -> bool:
            shape = self.facts.of(base)
            stays = keeps or shape.rank is not None and shape.rank <= behind
            return shape == SCALAR or (stays and shape <= result)

        return may_leave

    def _linear(self, expr: Apply) -> Expr:
        """np.sum(2 * d * X) -> 2 * d * np.sum(X), where the sum stays the same sum."""
        if not _is_linear(expr):
            return expr
        inner = expr.args[0]
        found = self._terms(inner)
        if len(found) != 1:
            return expr
        before, may_leave = self.facts.of(inner), self._leaving(expr)
        term = found[0]
        count = self._count(expr, term)
        if count is not None:
            return build(term.times(atom(count)), self.facts)
        stay = Monomial(
            Fraction(1),
            tuple(base for base in term.numerators if not may_leave(base)),
            tuple(f for f in term.denominators if not may_leave(f.base)),
        )
        if not stay.numerators:
            # A number in front may leave; d / x stays a quotient.
            stay = replace(term, coefficient=Fraction(1))
        rest = build(stay, self.facts)
        if rest == inner or not equal(self.facts.of(rest), before):
            return expr
        front = without(term, stay)
        whole = with_children(expr, (rest, *children(expr)[1:]))
        product = build(front.times(Monomial(Fraction(1), (whole,))), self.facts)
        return expr if counts_anew(product, expr, self.facts) else product

    def _count(self, total: Apply, term: Monomial) -> Expr | None:
        """How many entries a sum has that all are one number, once x / x has cancelled."""
        inner, facts = total.args[0], self.facts
        factors = (*term.numerators, *(one.base for one in term.denominators))
        if total.op != "numpy.sum" or total.kwargs or len(total.args) > 1:
            return None
        if not facts.rank(inner) or any(facts.rank(one) != 0 for one in factors):
            return None
        if any(facts.rank(Ref(var)) for one in factors for var in reads(one)):
            return None
        like = (Ref(var) for var in reads(inner) if facts.same(Ref(var), inner))
        found = next(like, None)
        if found is None or facts.kind(total) in INTEGRAL:
            return None
        if facts.rank(found) == 1:
            return Apply("len", (found,), (), "name:len")
        return Apply("numpy.size", (found,), (), "attribute:size")


def _is_linear(expr: Apply) -> bool:
    """Whether a number may leave its argument; a sum that starts elsewhere is not."""
    if expr.op == "getitem" and not _expands(expr.args[1]):
        return False
    return expr.op in LINEAR and "initial" not in dict(expr.kwargs)


def _axes_behind(expr: Apply, before: Shape) -> int:
    """How many axes there are behind the last one that a sum takes away."""
    axes = dict(expr.kwargs).get("axis")
    if expr.op != "numpy.sum" or axes is None or not before.rank:
        return 0
    if not is_static(axes) or static(axes) is None:
        return 0
    summed = static(axes)
    summed = (summed,) if isinstance(summed, int) else summed
    return min((before.rank - 1 - axis % before.rank for axis in summed), default=0)


def _expands(key: Expr) -> bool:
    """Whether an index only adds or drops axes of length 1, or shows all of it."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    whole = Apply("slice", (Const(None),) * 3)
    return all(item in (Const(None), Const(...), Const(0), whole) for item in items)
