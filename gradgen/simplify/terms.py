"""Sums of products: equal terms are added up, common arrays are factored out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gradgen.ir.nodes import Apply, Const, Effect, Expr, Function, Let, Origin, Stmt
from gradgen.ir.operators import add, negative, subtract
from gradgen.ir.walk import (
    all_defined,
    children,
    is_static,
    reads,
    static,
    substitute,
    with_children,
    with_located,
)
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR, Shape, equal
from gradgen.simplify.conjugates import conjugated, without_length
from gradgen.simplify.cost import ARITHMETIC, cost, is_product
from gradgen.simplify.monomials import (
    LARGEST_POWER,
    Monomial,
    build,
    exact,
    weight,
    with_results,
)

# operations that are linear in their first argument, and move or add its entries
LINEAR = {
    "getitem",
    "numpy.expand_dims",
    "numpy.reshape",
    "numpy.sum",
    "numpy.swapaxes",
    "numpy.transpose",
}


def terms(function: Function, facts: Facts) -> Function:
    """The function with each adjoint in its shortest arithmetic form.

        before:  d_X = X * d_XX_sum + X * d_XX_sum
        after:   d_X = 2 * d_XX_sum * X

    An expression keeps its shape: where cancelling would make it smaller than
    what was stretched and summed before, it is left as it was.
    """

    body = tuple(_shortened(function.body, facts.remembering(), ()))
    return function if body == function.body else replace(function, body=body)


def _shortened(
    body: Iterable[Stmt], facts: Facts, path: tuple[Any, ...]
) -> Iterator[Stmt]:
    body, here = tuple(body), facts.within(path)
    forward = [stmt for stmt in body if not stmt.note.derived]
    # In forward mode the statements of the primal stand between the others.
    here.ahead = facts.ahead | frozenset(all_defined(forward))
    for stmt in body:
        if not stmt.note.derived:
            here.ahead -= frozenset(all_defined((stmt,)))
        if not stmt.note.derived and isinstance(stmt, Let | Effect):
            yield stmt
        elif isinstance(stmt, Let):
            value = shortest(stmt.value, here)
            if value == Const(0) and stmt.var.origin is Origin.ADJOINT:
                value = Const(0.0)
            yield stmt if value == stmt.value else replace(stmt, value=value)
        else:
            yield with_located(stmt, path, lambda b, p: _shortened(b, here, p))


def shortest(expr: Expr, facts: Facts) -> Expr:
    """The normal form; with the primal's products written out where that cancels."""
    plain = normal(expr, facts)
    products = {
        var: facts.definitions[var]
        for var in reads(plain)
        if var.origin is Origin.TEMP and _cancels(facts.definitions.get(var))
    }
    if not products:
        return plain
    written_out = normal(substitute(plain, products), facts)
    return written_out if cost(written_out, facts) < cost(plain, facts) else plain


def _cancels(value: Expr | None) -> bool:
    """Whether factors of a temporary's value may cancel once it is written out."""
    conjugate = isinstance(value, Apply) and value.op == "numpy.conj"
    return conjugate or is_product(value)


def normal(expr: Expr, facts: Facts) -> Expr:
    """The expression with all its arithmetic in normal form."""
    if not isinstance(expr, Apply):
        return expr
    if expr.op in ARITHMETIC or _is_power(expr):
        short = _sum(_terms(expr, facts), facts)
        if equal(facts.of(short), facts.of(expr)):
            return short
        old = children(expr)
        return with_children(expr, (normal(child, facts) for child in old))
    expr = with_children(expr, (normal(child, facts) for child in children(expr)))
    if expr.op == "numpy.conj":
        return conjugated(expr.args[0], facts)
    return _linear(expr, facts)


def _is_power(expr: Apply) -> bool:
    if expr.op == "numpy.square":
        return True
    if expr.op != "numpy.power" or not isinstance(expr.args[1], Const):
        return False
    exponent = expr.args[1].value
    return type(exponent) is int and 1 <= exponent <= LARGEST_POWER


def _terms(expr: Expr, facts: Facts) -> list[Monomial]:
    """The expression as a sum of monomials; a sum inside a product is an atom."""
    if not isinstance(expr, Apply):
        return [_atom(expr)]
    if expr.op in ("numpy.add", "numpy.subtract"):
        left, right = (_terms(arg, facts) for arg in expr.args)
        if expr.op == "numpy.subtract":
            right = [_negated(term) for term in right]
        return left + right
    if expr.op == "numpy.negative":
        return [_negated(term) for term in _terms(expr.args[0], facts)]
    if expr.op == "numpy.positive":
        return _terms(expr.args[0], facts)
    if expr.op in ("numpy.multiply", "numpy.divide"):
        first, second = (_single(arg, facts) for arg in expr.args)
        if expr.op == "numpy.divide":
            if not second.coefficient:
                return [_atom(expr)]
            second = second.inverse()
        return [first.times(second).cancelled()]
    if _is_power(expr):
        base = _single(expr.args[0], facts)
        exponent = 2 if expr.op == "numpy.square" else expr.args[1].value
        product = base
        for _ in range(exponent - 1):
            product = product.times(base)
        return [product]
    inner = normal(expr, facts)
    if inner != expr and isinstance(inner, Apply) and inner.op in ARITHMETIC:
        return _terms(inner, facts)
    return [_atom(inner)]


def _atom(expr: Expr) -> Monomial:
    if isinstance(expr, Const):
        number = exact(expr.value)
        if number is not None:
            return Monomial(number)
    return Monomial(Fraction(1), (expr,))


def _negated(term: Monomial) -> Monomial:
    return replace(term, coefficient=-term.coefficient)


def _single(expr: Expr, facts: Facts) -> Monomial:
    """The expression as one monomial: a sum becomes one factor."""
    found = _terms(expr, facts)
    if len(found) == 1:
        return found[0]
    total = _sum(found, facts)
    again = _terms(total, facts) if isinstance(total, Apply) else []
    if len(again) == 1:
        return again[0]
    return _atom(total)


def _sum(found: list[Monomial], facts: Facts) -> Expr:
    """The terms as one expression, equal ones added, common arrays factored."""
    merged: dict[tuple[Any, ...], Monomial] = {}
    for term in found:
        mine = merged.get(term.key)
        if mine is None:
            merged[term.key] = term
        else:
            total = mine.coefficient + term.coefficient
            merged[term.key] = replace(mine, coefficient=total)
    left = [t for t in merged.values() if t.coefficient]
    left = [with_results(without_length(t, facts), facts) for t in left]
    if not left:
        return Const(0)
    common = _common(left)
    if common is not None:
        rest = [_without(term, common) for term in left]
        inner = _atom(_joined(_factored(rest, facts)))
        return build(common.times(inner), facts)
    return _joined(_factored(left, facts))


def _common(found: list[Monomial]) -> Monomial | None:
    """The factors that all terms share, when each has others as well."""
    if len(found) < 2:
        return None
    first = found[0]
    above = [b for b in first.numerators if all(b in t.numerators for t in found)]
    below = [
        f
        for f in first.denominators
        if all(any(f.base == g.base for g in t.denominators) for t in found)
    ]
    above = list(dict.fromkeys(above))
    below = list({factor.base: factor for factor in below}.values())
    if not above and not below:
        return None
    shared = Monomial(Fraction(1), tuple(above), tuple(below))
    if any(not _without(term, shared).numerators for term in found):
        return None
    return shared


def _factored(found: list[Monomial], facts: Facts) -> list[tuple[bool, Expr]]:
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
        rest = [_without(term, arrays) for term in group]
        front = _joined([_signed(term, facts) for term in rest])
        product = Monomial(Fraction(1), (front,)).times(arrays)
        pieces.append((False, build(product, facts)))
    return pieces


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


def _without(term: Monomial, part: Monomial) -> Monomial:
    above, below = list(term.numerators), list(term.denominators)
    for base in part.numerators:
        above.remove(base)
    for factor in part.denominators:
        below.remove(next(f for f in below if f.base == factor.base))
    return Monomial(term.coefficient, tuple(above), tuple(below))


def _signed(term: Monomial, facts: Facts) -> tuple[bool, Expr]:
    positive = replace(term, coefficient=abs(term.coefficient))
    return term.coefficient < 0, build(positive, facts)


def _joined(pieces: list[tuple[bool, Expr]]) -> Expr:
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
        return Const(-expr.value)
    if isinstance(expr, Apply) and expr.op in ("numpy.multiply", "numpy.divide"):
        return with_children(expr, (_minus(expr.args[0]), expr.args[1]))
    return negative(expr)


def _linear(expr: Apply, facts: Facts) -> Expr:
    """np.sum(2 * d * X) -> 2 * d * np.sum(X), where the sum stays the same sum."""
    if expr.op not in LINEAR or (expr.op == "getitem" and not _expands(expr.args[1])):
        return expr
    if "initial" in dict(expr.kwargs):
        return expr  # a sum that starts elsewhere is not linear
    inner = expr.args[0]
    found = _terms(inner, facts)
    if len(found) != 1:
        return expr
    keeps = dict(expr.kwargs).get("keepdims") == Const(True)
    result, before = facts.of(expr), facts.of(inner)
    behind = 0 if keeps else _axes_behind(expr, before)

    def may_leave(base: Expr) -> bool:
        shape = facts.of(base)
        stays = keeps or shape.rank is not None and shape.rank <= behind
        return shape == SCALAR or (stays and shape <= result)

    term = found[0]
    stay = Monomial(
        Fraction(1),
        tuple(base for base in term.numerators if not may_leave(base)),
        tuple(f for f in term.denominators if not may_leave(f.base)),
    )
    if not stay.numerators:
        # A number in front may leave; d / x stays a quotient.
        stay = replace(term, coefficient=Fraction(1))
    rest = build(stay, facts)
    if rest == inner or not equal(facts.of(rest), before):
        return expr
    front = _without(term, stay)
    whole = with_children(expr, (rest, *children(expr)[1:]))
    return build(front.times(Monomial(Fraction(1), (whole,))), facts)


def _axes_behind(expr: Apply, before: Shape) -> int:
    """How many axes there are behind the last one that a sum takes away."""
    axes = dict(expr.kwargs).get("axis")
    if expr.op != "numpy.sum" or axes is None or before.rank is None:
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
