"""Shape words of the rules of products that contract axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Expr
from gradgen.ir.walk import static
from gradgen.rules.words_products import contracted_axes
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import Dropped, Shape, ShapeConflict, join, ranked
from gradgen.shapes.sizes import match

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def tensored(facts: Facts, a: Expr, b: Expr, axes: Expr) -> Shape:
    """tensordot: the axes of the first that stay, then those of the second."""
    first, second = facts.of(a).dims, facts.of(b).dims
    if first is None or second is None:
        return facts.fresh()
    of_a, of_b = contracted_axes(static(axes), len(first), len(second))
    for i, j in zip(of_a, of_b, strict=True):
        match(first[i], second[j])
    free_a = [dim for i, dim in enumerate(first) if i not in of_a]
    free_b = [dim for i, dim in enumerate(second) if i not in of_b]
    return ranked(*free_a, *free_b)


def crossed(facts: Facts, a: Expr, b: Expr, axis: Expr, name: Expr) -> Shape:
    """cross: vectors of three. np.cross takes vectors of two as well, whose result
    has an axis less, so that the length must be told."""
    where = -1 if static(axis) is None else static(axis)
    sides = [facts.of(a).dims, facts.of(b).dims]
    for dims in sides:
        if dims is not None and not -len(dims) <= where < len(dims):
            raise ShapeConflict(f"axis {where} of {static(name)} does not exist")
        number = None if dims is None else dims[where].number
        if (
            dims is not None
            and number != 3
            and (number is not None or static(name) == "np.cross")
        ):
            raise ShapeConflict(
                f"{static(name)} takes vectors not known to be of three",
                '"n 3"',
                None if dims is None else (dims[where], Dim.of(3)),
                contracted=True,
            )
    first, second = sides
    if first is None or second is None:
        # vectors of two have a result of an axis less
        known = where == -1 and static(name) == "np.linalg.cross"
        return join(facts.of(a), facts.of(b)) if known else facts.fresh()
    if where != -1 and len(first) != len(second):
        raise ShapeConflict(
            f"{static(name)} along axis {where} of arrays of these ranks",
            "shape facts, of equal ranks",
        )
    return join(facts.of(a), facts.of(b))


def dotted_along(facts: Facts, x1: Expr, x2: Expr, axis: Expr) -> Shape:
    """vecdot: without the axis."""
    shape, where = join(facts.of(x1), facts.of(x2)), static(axis)
    if shape.dims is None:
        return Shape(frozenset([Dropped(shape, (where,))]))
    if not -len(shape.dims) <= where < len(shape.dims):
        raise ShapeConflict(f"axis {where} does not exist")
    where %= len(shape.dims)
    return ranked(*(dim for i, dim in enumerate(shape.dims) if i != where))


def chain(facts: Facts, arrays: Expr) -> Shape:
    """multi_dot: the rows of the first, the columns of the last."""
    if not isinstance(arrays, Apply) or arrays.op not in ("tuple", "list"):
        raise ShapeConflict("the matrices are not written out one by one", "[a, b, c]")
    first, last = (facts.of(arrays.args[i]).dims for i in (0, -1))
    if first is None or last is None:
        return facts.fresh()
    return ranked(*first[:-1], *last[1:])


def rows_of(facts: Facts, x1: Expr, x2: Expr) -> Shape:
    """matvec: a vector for each matrix and vector of the stacks."""
    return _mapped(facts, facts.of(x1).dims, facts.of(x2).dims, -2)


def columns_of(facts: Facts, x1: Expr, x2: Expr) -> Shape:
    """vecmat: a vector for each vector and matrix of the stacks."""
    return _mapped(facts, facts.of(x2).dims, facts.of(x1).dims, -1)


def _mapped(
    facts: Facts,
    matrix: tuple[Dim, ...] | None,
    vector: tuple[Dim, ...] | None,
    kept: int,
) -> Shape:
    if matrix is None or vector is None or len(matrix) < 2 or not vector:
        return facts.fresh()
    lead = join(ranked(*matrix[:-2]), ranked(*vector[:-1])).dims
    assert lead is not None  # of axis lists
    return ranked(*lead, matrix[kept])


PRODUCTS = {
    function.__name__: function
    for function in (tensored, crossed, dotted_along, chain, rows_of, columns_of)
}
