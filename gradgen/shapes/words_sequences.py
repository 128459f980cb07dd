"""The shape words of functions that take, drop or combine entries along an axis."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import static
from gradgen.rules.words_sequences import sequence_of
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.shape import SCALAR, Shape, ShapeConflict, join, ranked

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def _place(axis: Expr, dims: tuple[Dim, ...]) -> int:
    """A constant axis as a number from 0; None is the one axis of a vector."""
    where = static(axis)
    if where is None:
        where = 0
    if not isinstance(where, int) or not -len(dims) <= where < len(dims):
        raise ShapeConflict(f"there is no axis {where}")
    return where % len(dims)


def paired(facts: Facts, x1: Expr, x2: Expr) -> Shape:
    return ranked(_length(facts, x1), _length(facts, x2))


def flat(facts: Facts, x: Expr) -> Shape:
    return ranked(_length(facts, x))


def accumulated(facts: Facts, x: Expr, axis: Expr, *lifts: Expr) -> Shape:
    shape = facts.of(x)
    if axis == Const(None) or shape.rank == 0:  # of a number there is one
        return flat(facts, x)
    # a name may be None, by one way, and x a number
    number = bool(lifts) and shape.rank is None and axis in (Const(0), Const(-1))
    known = isinstance(axis, Const) and not number or shape.rank == 1
    return shape if known else facts.fresh()


def _length(facts: Facts, x: Expr) -> Dim:
    dims = facts.of(x).dims
    return facts.fresh_dim() if dims is None else prod(dims, start=ONE)


def lengthened(facts: Facts, x: Expr, axis: Expr, by: Expr) -> Shape:
    """The shape of x with `by` entries more along axis; fewer where it is negative.

    The axis may be a tuple of one.
    """
    dims = facts.of(x).dims
    if dims is None:
        return facts.fresh()
    dims = dims or (ONE,)  # of a number, as of one entry
    if isinstance(axis, Apply) and axis.op == "tuple" and len(axis.args) == 1:
        axis = axis.args[0]
    where, more = _place(axis, dims), Dim.of(static(by))
    return ranked(*dims[:where], dims[where] + more, *dims[where + 1 :])


def evaluated(facts: Facts, p: Expr, x: Expr) -> Shape:
    """polyval: that of x, to which the rows of p are broadcast where it has several."""
    own = facts.of(p).dims
    if own is None or len(own) == 1:
        return facts.of(x)
    return join(ranked(*own[1:]), facts.of(x))


def differenced(
    facts: Facts, a: Expr, n: Expr, axis: Expr, prepend: Expr, append: Expr
) -> Shape:
    """diff: n fewer along axis than a and what is put at its ends; 1 for a number."""
    if n == Const(0):  # a itself, whatever would be put at its ends
        return facts.of(a)
    dims = facts.of(a).dims
    if dims is None:
        return facts.fresh()
    where = _place(axis, dims)
    length = dims[where] - Dim.of(static(n))
    for end in (prepend, append):
        if end == Const(None):
            continue
        own = facts.of(end).dims
        if own is None:
            return facts.fresh()
        if own and len(own) != len(dims):
            raise ShapeConflict("np.diff of arrays of different ranks")
        length = length + (own[where] if own else ONE)
    return ranked(*dims[:where], length, *dims[where + 1 :])


def taken(facts: Facts, x: Expr, indices: Expr, axis: Expr) -> Shape:
    """take: the indices' axes in place of one axis, or of all for axis=None."""
    inner, dims = _of_indices(facts, indices), facts.of(x).dims
    if static(axis) is None:
        return inner
    if inner.dims is None or dims is None:
        return facts.fresh()
    where = _place(axis, dims)
    return ranked(*dims[:where], *inner.dims, *dims[where + 1 :])


def _of_indices(facts: Facts, indices: Expr) -> Shape:
    """The shape of an index array, or of lists of numbers that are written out."""
    entries = sequence_of(indices)
    if entries is None:
        return facts.of(indices)
    if not entries:
        return ranked(0)
    inner = join(*(_of_indices(facts, item) for item in entries)).dims
    return facts.fresh() if inner is None else ranked(len(entries), *inner)


def taken_along(facts: Facts, x: Expr, indices: Expr, axis: Expr) -> Shape:
    """take_along_axis: that of the indices; other axes broadcast with those of x."""
    inner, dims = _of_indices(facts, indices), facts.of(x).dims
    if static(axis) is None:
        return inner
    if inner.dims is None or dims is None:
        return facts.fresh()
    if len(inner.dims) != len(dims):
        raise ShapeConflict("the indices have as many axes as the array")
    where = _place(axis, dims)
    common = join(
        ranked(*dims[:where], ONE, *dims[where + 1 :]),
        ranked(*inner.dims[:where], ONE, *inner.dims[where + 1 :]),
    ).dims
    assert common is not None  # of axis lists
    return ranked(*common[:where], inner.dims[where], *common[where + 1 :])


def convolved(facts: Facts, a: Expr, v: Expr, mode: Expr) -> Shape:
    """convolve and correlate of two vectors, by mode."""
    n, m = _only(facts, a), _only(facts, v)
    if static(mode) == "full":
        return ranked(n + m - ONE)
    if _reaches(m, n):
        n, m = m, n
    elif not _reaches(n, m):
        return ranked(facts.fresh_dim())
    return ranked(n if static(mode) == "same" else n - m + ONE)


def filtered(facts: Facts, a: Expr, v: Expr, mode: Expr) -> Shape:
    """scipy.signal.convolve: the same is as long as the first; others by rank alone."""
    rank = facts.rank(a)
    if rank != facts.rank(v) or rank is None:
        return facts.fresh()
    if static(mode) == "same":
        return facts.of(a)
    if rank != 1:
        return ranked(*(facts.fresh_dim() for _ in range(rank)))
    return convolved(facts, a, v, mode)


def _only(facts: Facts, x: Expr) -> Dim:
    dims = facts.of(x).dims
    return dims[0] if dims else facts.fresh_dim()


def _reaches(n: Dim, m: Dim) -> bool:
    """Whether n >= m, whatever the named sizes are (each is at least 1)."""
    if any(name.startswith("?") for name in n.names | m.names):
        return False
    terms = (n - m).terms
    constant = sum(k for names, k in terms if not names)
    named = [k for names, k in terms if names]
    return all(k > 0 for k in named) and sum(named) + constant >= 0


def chosen(facts: Facts, conditions: Expr, choices: Expr, default: Expr) -> Shape:
    """select: all of them broadcast together."""
    for arrays in (conditions, choices):
        if sequence_of(arrays) is None:
            raise ShapeConflict("np.select's lists are not written out", "[a, b, c]")
    if len(conditions.args) != len(choices.args):
        raise ShapeConflict("np.select takes as many choices as conditions")
    everything = (*conditions.args, *choices.args, default)
    return join(*(facts.of(array) for array in everything))


def choices_of(facts: Facts, a: Expr, choices: Expr) -> Shape:
    """choose: the places and all the choices broadcast together."""
    if sequence_of(choices) is None:
        raise ShapeConflict("np.choose's choices are not written out", "[a, b, c]")
    shapes = [facts.of(array) for array in choices.args]
    return join(_of_indices(facts, a), *shapes)


def key_of(facts: Facts, keys: Expr) -> Shape:
    """lexsort: the shape of one key of several, or of the rows of an array."""
    listed = isinstance(keys, Apply) and keys.op in ("tuple", "list")
    if listed and keys.args:
        return facts.of(keys.args[0])
    dims = facts.of(keys).dims
    return ranked(*dims[1:]) if dims and len(dims) > 1 else facts.fresh()


def spaced(
    facts: Facts, start: Expr, stop: Expr, num: Expr, axis: Expr = Const(0)
) -> Shape:
    """linspace: as many as num says between two numbers, or two entries of arrays."""
    dims = join(facts.of(start), facts.of(stop)).dims
    if dims is None:
        return facts.fresh()
    where = _place(axis, (*dims, ONE))
    return ranked(*dims[:where], facts.dim(num), *dims[where:])


def counted(facts: Facts, z: Expr) -> Shape:
    return ranked(facts.fresh_dim())


def squared_up(facts: Facts, x: Expr) -> Shape:
    """squareform: a vector as a symmetric matrix, and back."""
    rank = facts.rank(x)
    if rank != 1:
        return ranked(facts.fresh_dim()) if rank == 2 else facts.fresh()
    size = facts.fresh_dim()
    return ranked(size, size)


def square_of_rows(facts: Facts, m: Expr, y: Expr, rowvar: Expr) -> Shape:
    """cov: one row and column for each variable; a number for one variable."""
    dims = facts.of(m).dims
    if y != Const(None):
        more = facts.of(y).dims
        if dims is None or more is None:
            return facts.fresh()
        if len(dims) == len(more) == 2:
            place = 0 if static(rowvar) else 1
            size = dims[place] + more[place]
            return ranked(size, size)
        return ranked(2, 2) if len(dims) == len(more) == 1 else facts.fresh()
    if dims is None:
        return facts.fresh()
    if len(dims) < 2:
        return SCALAR
    size = dims[0] if static(rowvar) else dims[-1]
    return SCALAR if size == ONE else ranked(size, size)


WORDS = {
    function.__name__: function
    for function in (
        paired,
        flat,
        accumulated,
        lengthened,
        evaluated,
        differenced,
        taken,
        taken_along,
        convolved,
        filtered,
        chosen,
        choices_of,
        key_of,
        spaced,
        counted,
        square_of_rows,
        squared_up,
    )
}
