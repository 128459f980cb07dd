"""Shape words of shapes that are told: by a tuple, an int, or the shape of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.shapes.shape import Shape, join, ranked

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def given(facts: Facts, shape: Expr) -> Shape:
    """The shape a shape argument names: an int, a tuple, or x.shape."""
    if isinstance(shape, Apply) and shape.op == "numpy.shape":
        return facts.of(shape.args[0])
    if isinstance(shape, Ref) and shape.var in facts.definitions:
        return given(facts, facts.definitions[shape.var])
    if isinstance(shape, Apply) and shape.op in ("tuple", "list"):
        return ranked(*(facts.dim(item) for item in shape.args))
    if isinstance(shape, Const) and isinstance(shape.value, int):
        return ranked(shape.value)
    if facts.is_index(shape):
        return ranked(facts.dim(shape))
    return facts.fresh()


def lengths_of_all(facts: Facts, args: Expr) -> Shape:
    """broadcast_shapes: as many lengths as the arrays have axes together."""
    rank = join(*(given(facts, arg) for arg in args.args)).rank
    return ranked(facts.fresh_dim() if rank is None else rank)


def gridded(facts: Facts, shape: Expr) -> Shape:
    """indices: for each axis a grid of that shape."""
    dims = given(facts, shape).dims
    return facts.fresh() if dims is None else ranked(len(dims), *dims)


def rows_of_slopes(facts: Facts, n: Expr, m: Expr, x: Expr, most: Expr) -> Shape:
    """legendre_p and its like: the values, then the slopes up to that order.

    The common shape is behind an axis of an entry for each.
    """
    dims = join(*(facts.of(one) for one in (n, m, x))).dims
    if dims is None:
        return facts.fresh()
    known = isinstance(most, Const) and isinstance(most.value, int)
    return ranked(most.value + 1 if known else facts.fresh_dim(), *dims)


WORDS = (given, gridded, lengths_of_all, rows_of_slopes)
GIVEN = {word.__name__: word for word in WORDS}
