"""Vectors of space: what dot products scale, and what cross products are taken of."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.matrices import Products, Step
from gradgen.facts.through import of_entries
from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import CROSSES, DISTANCES, MATRIX_PRODUCTS, TOTALS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks


def geometry(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """Both operands of a product that scales one of them are vectors.

    before:  d - 2 * np.dot(d, n) * n        np.cross(b - a, c - a)
    after:   d and n are vectors             b - a and c - a are vectors

    So is what a vector of theirs is multiplied with, and both operands of a cross product
    that is multiplied with another vector, or of which the length is taken.
    """
    if Products(primal, facts).are_stacked:
        return
    products = [one for one in lets(primal.body) if _sides(one.value, MATRIX_PRODUCTS)]
    vectors = False
    for let in products:
        sides = _sides(let.value, MATRIX_PRODUCTS)
        layer = any(ranks.of(side) == {2} for side in sides)  # z * h of a gate
        if not layer and _scales(Ref(let.var), sides, primal, facts):
            vectors = True
            yield from (
                [(one.var, 1)] for side in sides for one in _points(side, facts)
            )
    crosses = [let for let in lets(primal.body) if _sides(let.value, CROSSES)]
    vectors = vectors or _are_alone({let.var for let in crosses}, primal)
    operands = (one for let in crosses for one in _sides(let.value, CROSSES))
    vectors = vectors or any(ranks.of(one) == {1} for one in operands)
    for let in crosses if vectors else ():
        for one in _sides(let.value, CROSSES):
            if len(ranks.of(one)) > 1:
                yield from ([(point.var, 1)] for point in _points(one, facts))
    for let in products if vectors else ():
        left, right = _sides(let.value, MATRIX_PRODUCTS)
        for one, other in ((left, right), (right, left)):
            if ranks.of(one) == {1} and len(ranks.of(other)) > 1:
                if other.var.name.islower():
                    yield [(other.var, 1)]


def _are_alone(crosses: set[Var], primal: Function) -> bool:
    """Whether one cross product is a vector: its length is taken, or its product."""
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and not crosses.isdisjoint(reads(value)):
            if value.op in MATRIX_PRODUCTS:
                return True
            alone = len(value.args) == 1 and not value.kwargs
            if value.op in DISTANCES - TOTALS and alone:
                return True
    return False


def _points(side: Ref, facts: Facts) -> Iterator[Ref]:
    """A vector, and the points that it is the difference of: b and a of b - a."""
    yield side
    made = facts.definitions.get(side.var)
    if isinstance(made, Apply) and made.op == "numpy.subtract":
        yield from (one for one in made.args if isinstance(one, Ref))


def _sides(value: Expr, ops: frozenset[str] | set[str]) -> tuple[Ref, ...]:
    """The operands of a product of two variables, or nothing."""
    if not isinstance(value, Apply) or value.op not in ops or value.kwargs:
        return ()
    sides = tuple(one for one in value.args[:2] if isinstance(one, Ref))
    return sides if len(sides) == 2 else ()


def _scales(
    product: Ref, sides: tuple[Ref, ...], primal: Function, facts: Facts
) -> bool:
    """Whether a product multiplies one of its operands, and the other is beside that.

    Of w * (cov @ w) nothing is said.
    """
    scaled = any(
        side in value.args
        and any(
            end == product
            for one in value.args
            if one != side
            for end in upstream(one, facts.definitions, of_entries)
        )
        for value in (let.value for let in lets(primal.body))
        if isinstance(value, Apply) and value.op == "numpy.multiply"
        for side in sides
    )  # s / (ones @ s) has a number for each column
    return scaled and any(
        {product, *sides} <= set(upstream(Ref(let.var), facts.definitions, of_entries))
        for let in lets(primal.body)
        if isinstance(let.value, Apply) and of_entries(let.value) is not None
    )
