"""Maxima that a result does not depend on: the shifts of softmax and log-sum-exp."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import isfinite

from gradgen.derive.lanes import WHOLE, Lanes, key_items
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Effect, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.walk import blocks, own_expressions, reads, reads_of, static
from gradgen.ir.operators import ADDITIVE, LENGTHS, MULTIPLICATIVE, TOTALS
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR

# what a shift is: a maximum, or a maximum that a choice has made finite
SHIFTS = {
    f"numpy.{name}" for name in "max amax nanmax min amin nanmin maximum where".split()
}
SUM, PRODUCT = "sum", "product"


@dataclass(frozen=True)
class Moved:
    """A value as a function of the shift m, all else fixed.

    As a SUM it is v + c * m, as a PRODUCT v * exp(c * m), where neither v nor c
    depends on m. c is a number times scalars over scalars; `lanes` tells which
    entry of m belongs to each entry.
    """

    sort: str
    lanes: Lanes
    number: Fraction = Fraction(1)
    above: tuple[int, ...] = ()
    below: tuple[int, ...] = ()

    def times(self, number: Fraction) -> Moved:
        return replace(self, number=self.number * number)

    def like(self, other: Moved) -> bool:
        """Whether the two differ in the number in front at most."""
        return replace(self, number=other.number) == other


class Depends(Exception):
    """The value hangs on the shift in another way."""


def shifts(primal: Function, facts: Facts) -> frozenset[Var]:
    """The maxima that no value of the primal depends on.

        before:  m = np.max(X)
                 y = m + np.log(np.sum(np.exp(X - m)))
                 return y
        after:   m, held constant

    Each later value is v + c * m or v * exp(c * m), entry by entry, or does not
    depend on m at all; a sum keeps the second form along axes on which m is one
    number. Where all that leaves the block of m is of the last sort, the function
    is the same for every m: its derivative in m is 0 identically, and so is what
    flows through m. Whatever the proof does not know is taken to depend on m.
    """
    ends = tuple(primal.values)
    return frozenset(_shifts(primal.body, ends, facts))


def _shifts(
    body: tuple[Stmt, ...], ends: tuple[Expr, ...], facts: Facts
) -> Iterator[Var]:
    """Those of one block, `ends` being what is read of it outside, and inside it."""
    for i, stmt in enumerate(body):
        if isinstance(stmt, Let) and isinstance(stmt.value, Apply):
            lanes = None
            if stmt.value.op in SHIFTS:
                lanes = Lanes.of(stmt.value, facts)
            if lanes is not None and _is_free(
                stmt.var, lanes, body[i + 1 :], ends, facts
            ):
                yield stmt.var
        inner = tuple(own_expressions(stmt))
        for block in blocks(stmt):
            yield from _shifts(block, inner, facts)


def _is_free(
    var: Var, lanes: Lanes, rest: Iterable[Stmt], ends: Iterable[Expr], facts: Facts
) -> bool:
    """Whether nothing that is read in the end depends on the variable."""
    moved = {var: Moved(SUM, lanes)}
    try:
        for stmt in rest:
            if isinstance(stmt, Let):
                found = _moved(stmt.value, moved, facts)
                if found is not None:
                    moved[stmt.var] = found
            elif not isinstance(stmt, Effect):
                if not moved.keys().isdisjoint(reads_of(stmt)):
                    return False
    except Depends:
        return False
    return all(moved.keys().isdisjoint(reads(expr)) for expr in ends)


def _moved(expr: Expr, moved: dict[Var, Moved], facts: Facts) -> Moved | None:
    """How an expression depends on the shift; None where it does not."""
    if isinstance(expr, Ref):
        return moved.get(expr.var)
    if not isinstance(expr, Apply) or moved.keys().isdisjoint(reads(expr)):
        return None
    if expr.op in LENGTHS:
        return None  # of the shape alone
    args = [_moved(arg, moved, facts) for arg in expr.args]
    if {name for name, _ in expr.kwargs} - {"axis", "keepdims"}:
        raise Depends
    if expr.op in ADDITIVE:
        return _sum(expr, *args)
    if expr.op in MULTIPLICATIVE:
        left, right = args
        return _product(expr, left, right, facts)
    if expr.op == "numpy.where" and len(args) == 3:
        return _choice(expr, *args)
    if expr.op == "numpy.matmul":
        left, right = args
        return _matmul(expr, left, right, facts)
    first, others = args[0], args[1:]
    if first is None or any(others):
        raise Depends
    if len(args) == 1 and not expr.kwargs:
        if expr.op == "numpy.negative":
            return first.times(Fraction(-1)) if first.sort is SUM else first
        if expr.op == "numpy.positive":
            return first
        if expr.op == "numpy.exp" and first.sort is SUM:
            return replace(first, sort=PRODUCT)
        if expr.op == "numpy.log" and first.sort is PRODUCT:
            return replace(first, sort=SUM)
    return _arranged(expr, first, facts)


def _sum(expr: Apply, left: Moved | None, right: Moved | None) -> Moved | None:
    if left and right:
        if not left.like(right):
            raise Depends
        if left.sort is PRODUCT:
            return _same(left, right)
        number = left.number + ADDITIVE[expr.op] * right.number
        return replace(left, number=number) if number else None
    one = left or right
    if one is None:
        return None
    if one.sort is PRODUCT:
        raise Depends
    return one if left else one.times(Fraction(ADDITIVE[expr.op]))


def _same(left: Moved, right: Moved) -> Moved:
    if left != right:
        raise Depends
    return left


def _product(
    expr: Apply, left: Moved | None, right: Moved | None, facts: Facts
) -> Moved | None:
    over = expr.op == "numpy.divide"
    one, other = (left, expr.args[1]) if left else (right, expr.args[0])
    if left and right:
        if left.sort is SUM or not left.like(right):
            raise Depends
        number = left.number + (-right.number if over else right.number)
        return replace(left, number=number) if number else None
    if one is None:
        return None
    if one.sort is PRODUCT:
        return one.times(Fraction(-1)) if over and right else one
    if right and over:
        raise Depends
    return _scaled(one, other, over, facts)


def _scaled(one: Moved, factor: Expr, over: bool, facts: Facts) -> Moved:
    """A sum times, or over, a number: one written down, or a variable's."""
    if isinstance(factor, Const) and isinstance(factor.value, int | float):
        if not factor.value or not isfinite(factor.value):
            raise Depends
        number = Fraction(factor.value)
        return one.times(1 / number if over else number)
    if not isinstance(factor, Ref) or facts.of(factor) != SCALAR:
        raise Depends
    which = (factor.var.id,)
    if over:
        return replace(one, below=tuple(sorted(one.below + which)))
    return replace(one, above=tuple(sorted(one.above + which)))


def _choice(expr: Apply, *args: Moved | None) -> Moved:
    """One of two that move alike; 0 and infinity move like anything."""
    test, *ways = args
    found = [way for way in ways if way]
    if test or not found:
        raise Depends
    if len(found) == 2:
        return _same(*found)
    (fixed,) = (arg for arg, way in zip(expr.args[1:], ways) if not way)
    try:
        value = static(fixed)
    except ValueError:
        raise Depends from None
    neutral = (0,) if found[0].sort is PRODUCT else (float("inf"), float("-inf"))
    if isinstance(value, int | float) and value in neutral:
        return found[0]
    raise Depends


def _matmul(
    expr: Apply, left: Moved | None, right: Moved | None, facts: Facts
) -> Moved:
    """A product of two matrices, one of them the same along what is summed over."""
    one = left or right
    if left and right or one is None or one.sort is SUM:
        raise Depends
    if any(facts.rank(arg) != 2 for arg in expr.args):
        raise Depends
    row, column = one.lanes.at(2), one.lanes.at(1)
    if (column if left else row) is not None:
        raise Depends
    return replace(one, lanes=Lanes((None, row) if left else (column, None)))


def _arranged(expr: Apply, one: Moved, facts: Facts) -> Moved:
    """A view, a sum or a mean along axes on which the shift is one number."""
    rank, lanes = facts.rank(expr.args[0]), None
    if expr.op in TOTALS or expr.op == "numpy.squeeze":
        if expr.op == "numpy.sum" and one.sort is SUM:
            raise Depends
        lanes = one.lanes.without(expr, facts)
    elif expr.op == "getitem":
        items = key_items(expr.args[1])
        lanes = None if items is None else one.lanes.expanded(items, rank)
    elif expr.op == "numpy.expand_dims":
        items = _added(expr)
        lanes = None if items is None else one.lanes.expanded(items, rank)
    elif expr.op == "numpy.transpose" and len(expr.args) == 1 and rank is not None:
        lanes = (
            None
            if one.lanes.removed
            else Lanes(tuple(one.lanes.at(rank - i) for i in range(rank)))
        )
    if lanes is None:
        raise Depends
    return replace(one, lanes=lanes)


def _added(expr: Apply) -> list[Expr] | None:
    """The index that puts in the axis of np.expand_dims; None of one that is not known."""
    given = [*expr.args[1:], *dict(expr.kwargs).values()]
    axis = given[0] if len(given) == 1 else None
    if not isinstance(axis, Const) or type(axis.value) is not int:
        return None
    if axis.value < 0:
        return [Const(...), Const(None), *[WHOLE] * (-axis.value - 1)]
    return [*[WHOLE] * axis.value, Const(None), Const(...)]
