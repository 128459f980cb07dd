"""Sums to one shape of what has one shape: the terms are added up first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Role, Var
from gradgen.ir.operators import ADDITIVE, add, call, negative, subtract
from gradgen.ir.walk import lets, map_values, rewrite
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR, Shape, ShapeConflict, equal, join
from gradgen.simplify.summed_once import SUM, factors_of, has_sums, is_sum, readers

# the sums that are read once, by their variables
Sums = Mapping[Var, Expr]


def summed_together(function: Function, facts: Facts) -> Function:
    """The function whose adjoints sum the terms of one operation's shape at once.

        before:  d_rate = _unbroadcast(np.full_like(ky, d_out, dtype=np.result_type(ky, 0.0)), y)
                 d_y = d_rate * rate + _unbroadcast(-d_out * k + np.zeros_like(y), y)
        after:   d_y = _unbroadcast(d_out * (rate - k), y)

    Each term has all axes that are summed, and factors that have y's shape at most.
    A number repeated in full is the number where other terms have the axes.
    """
    if not has_sums(function):
        return function
    derived = {let.var: let for let in lets(function.body) if _is_derived(let)}
    read = readers(function)
    once = {
        var: let.value
        for var, let in derived.items()
        if is_sum(let.value) and len(read[var]) == 1
    }

    def value(let: Let) -> Expr:
        if let.var not in derived:
            return let.value
        return rewrite(let.value, lambda expr: _together(expr, facts, once))

    return map_values(function, value)


def _is_derived(let: Let) -> bool:
    return let.note.role is not Role.FORWARD


@dataclass(frozen=True)
class _Term:
    """A term of a sum: its sign, the sum in it, and itself without that."""

    minus: bool
    whole: Expr
    target: Expr | None = None  # of a term that is summed to a shape
    bare: Expr | None = None
    shape: Shape | None = None  # what is summed


def _together(expr: Expr, facts: Facts, once: Sums) -> Expr:
    if not isinstance(expr, Apply) or expr.op not in ADDITIVE:
        return expr
    if expr.spelling != "operator":
        return expr
    terms = [_term(minus, one, facts, once) for minus, one in _terms(expr, False)]
    for first in terms:
        alike = [one for one in terms if _are_alike(first, one, facts)]
        if len(alike) < 2:
            continue
        assert first.target is not None and first.shape is not None
        inside = _smaller(alike, first, facts)
        if inside is None:
            continue
        summed = _Term(False, call(SUM, _sum(inside), first.target))
        rest = [summed if one is first else one for one in terms]
        return _sum([one for one in rest if one is summed or one not in alike])
    return expr


def _terms(expr: Expr, minus: bool) -> Iterator[tuple[bool, Expr]]:
    if isinstance(expr, Apply) and expr.spelling == "operator":
        if expr.op in ADDITIVE:
            yield from _terms(expr.args[0], minus)
            yield from _terms(expr.args[1], minus ^ (expr.op == "numpy.subtract"))
            return
    yield minus, expr


def _term(minus: bool, expr: Expr, facts: Facts, once: Sums) -> _Term:
    plain = _Term(minus, expr)
    for inner, factors in factors_of(expr):
        found = once.get(inner.var, inner) if isinstance(inner, Ref) else inner
        if not is_sum(found):
            continue
        summed, target = found.args
        try:
            of = facts.of(target)
            if not equal(join(of, *map(facts.of, factors)), of):
                return plain
            shape = join(facts.of(summed), of)
        except ShapeConflict:
            return plain
        bare = rewrite(expr, lambda node: summed if node == inner else node)
        return _Term(minus, expr, target, bare, shape)
    return plain


def _are_alike(one: _Term, other: _Term, facts: Facts) -> bool:
    """Whether two terms are sums of one shape to one shape."""
    if one.target is None or other.target is None:
        return False
    assert one.shape is not None and other.shape is not None
    same = equal(facts.of(one.target), facts.of(other.target))
    return same and equal(one.shape, other.shape)


def _smaller(alike: list[_Term], first: _Term, facts: Facts) -> list[_Term] | None:
    """The terms that are added up, without arrays of one number that others stretch."""
    inside = [replace(one, whole=one.bare) for one in alike if one.bare is not None]
    for i, one in enumerate(inside):
        number = rewrite(one.whole, lambda node: _number(node, facts))
        tried = [*inside[:i], replace(one, whole=number), *inside[i + 1 :]]
        if number != one.whole and _is_whole(tried, first, facts):
            inside = tried
    return inside if _is_whole(inside, first, facts) else None


def _is_whole(inside: list[_Term], first: _Term, facts: Facts) -> bool:
    assert first.target is not None and first.shape is not None
    try:
        found = join(*(facts.of(one.whole) for one in inside), facts.of(first.target))
    except ShapeConflict:
        return False
    return equal(found, first.shape)


def _number(node: Expr, facts: Facts) -> Expr:
    """The number for an array of it."""
    if isinstance(node, Apply) and node.op == "numpy.full_like":
        like, number = node.args[:2]
        if facts.of(number) == SCALAR and not facts.is_complex(like):
            return number
    return node


def _sum(terms: list[_Term]) -> Expr:
    """The terms in their order, a positive one first."""
    ordered = sorted(terms, key=lambda one: one.minus)
    first, *others = ordered
    total = negative(first.whole) if first.minus else first.whole
    for one in others:
        total = (subtract if one.minus else add)(total, one.whole)
    return total
