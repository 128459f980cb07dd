"""Reductions and turned axes as numba has them: other keywords, or a few operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import call, multiply, subtract
from gradgen.ir.walk import static
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.numba_scalars import length as shape_entry

Length = Callable[[Dim], Expr | None]
TURNS = (
    "numpy.transpose",
    "numpy.swapaxes",
    "numpy.matrix_transpose",
    "numpy.moveaxis",
)
REDUCED = {f"numpy.{name}" for name in "sum mean var std max min prod any all".split()}
# what may be given an axis, as the second argument too
ALONG = REDUCED | {
    f"numpy.{name}" for name in "argmax argmin cumprod cumsum median ptp sort".split()
}


def keyworded(node: Apply) -> Apply:
    """A reduction with its axis by name, as all that looks at it reads it.

    before:  np.mean(x, 0)
    after:   np.mean(x, axis=0)
    """
    if node.op not in ALONG or len(node.args) != 2:
        return node
    axis = ("axis", node.args[1])
    return replace(node, args=node.args[:1], kwargs=(axis, *node.kwargs))


def turned(node: Apply, facts: Facts) -> Apply:
    """Axes in another order as one word, np.transpose.

    before:  x.swapaxes(1, 2)
    after:   np.transpose(x, (0, 2, 1))
    """
    rank = facts.rank(node.args[0]) if node.args else None
    if rank is None or rank < 3 or node.kwargs:
        return node
    order = list(range(rank))
    try:
        given = [static(arg) for arg in node.args[1:]]
    except ValueError:
        return node
    if node.op == "numpy.transpose":
        if len(given) > 1:
            given = [tuple(given)]
        if given and given != [None]:
            order = [axis % rank for axis in given[0]]
        else:
            order.reverse()
    elif node.op == "numpy.moveaxis":
        if any(type(axis) is not int for axis in given):
            return node
        first, last = (axis % rank for axis in given)
        order.insert(last, order.pop(first))
    else:
        first, last = given if given else (-1, -2)
        order[first], order[last] = order[last], order[first]
    axes = Apply("tuple", tuple(Const(axis) for axis in order))
    return Apply("numpy.transpose", (node.args[0], axes))


def reduced(node: Apply, facts: Facts, length: Length) -> Expr:
    """A reduction without keywords that numba lacks.

    before:  np.sum(hits, axis=1, dtype=x.dtype)      np.mean(x, axis=(1, 2))
    after:   np.sum(np.where(hits, 1.0, 0.0), axis=1)
             np.sum(x, axis=(1, 2)) / (x.shape[1] * x.shape[2])

    So np.var(x, ddof=1) is a sum of squares over x.size - 1.
    """
    if len(node.args) != 1:
        return node
    x, dims, kind = node.args[0], facts.of(node.args[0]).dims, facts.kind(node.args[0])
    given = dict(node.kwargs)
    try:
        axis = static(given.get("axis", Const(None)))
        keeps = bool(static(given.get("keepdims", Const(False))))
    except ValueError:
        return node
    known_words = {"axis", "keepdims", "dtype"}
    if node.op in ("numpy.var", "numpy.std"):
        known_words |= {"ddof"}
    if not dims or facts.is_list(x) or given.keys() - known_words:
        return node
    words = tuple(one for one in node.kwargs if one[0] in ("axis", "keepdims"))
    if node.op == "numpy.sum":
        if kind is not Kind.BOOLEAN or not given:
            return node
        ones = call("numpy.where", x, Const(1.0, "1.0"), Const(0.0, "0.0"))
        return Apply("numpy.sum", (ones,), words)
    if "dtype" in given or kind in (Kind.BOOLEAN, Kind.OTHER, *INTEGRAL):
        return node
    sums = node.op == "numpy.mean" and kind in (Kind.LIKE, Kind.WIDE)
    by_rows = type(axis) is int and len(dims) > 1 or axis is None and not keeps
    if by_rows and "ddof" not in given:
        if not sums or facts.is_complex(x):
            return node  # each row by itself, or all of it
    axes = [*range(len(dims))] if axis is None else axis
    gone = sorted({one % len(dims) for one in ([axes] if type(axes) is int else axes)})
    sizes = [_size(x, dims[one], one, length) for one in gone]
    known = [size for size in sizes if size is not None]
    if node.op in ("numpy.mean", "numpy.var", "numpy.std") and len(known) == len(gone):
        count = reduce(multiply, known)
        if node.op == "numpy.mean":
            return _mean(x, words, count)
        if isinstance(x, Ref):
            along = tuple(one for one in words if one[0] == "axis")
            along = (*along, ("keepdims", Const(True))) if len(gone) < len(dims) else ()
            away = subtract(x, _mean(x, along, count))
            freedom = given.get("ddof", Const(0))
            free = count if freedom == Const(0) else subtract(count, freedom)
            found = _mean(multiply(away, away), words, free)
            return found if node.op == "numpy.var" else call("numpy.sqrt", found)
    if len(gone) < len(dims):
        return node
    whole = Apply(node.op, (x,))
    if not keeps:
        return whole
    sides: tuple[Expr, ...] = (Const(1),) * len(dims)
    shape = sides[0] if len(sides) == 1 else Apply("tuple", sides)
    return call("numpy.full", shape, whole)


def _size(x: Expr, dim: Dim, axis: int, length: Length) -> Expr | None:
    """How long an axis is: a number, or as it is read of an array."""
    known = length(dim)
    if known is None and isinstance(x, Ref):
        return shape_entry(x, axis)
    return known


def _mean(x: Expr, words: tuple[tuple[str, Expr], ...], count: Expr) -> Expr:
    total = Apply("numpy.sum", (x,), words)
    return Apply("numpy.divide", (total, count), spelling="operator")
