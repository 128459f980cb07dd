"""Words of the rules of matrices, decided while emitting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, call, getitem, lift, matmul
from gradgen.ir.walk import static
from gradgen.rules.lengths import cut
from gradgen.rules.older import before_2
from gradgen.rules.refusals import constant_value, refusal
from gradgen.rules.words_shaping import known_rank

Rank = Callable[[Expr], int | None]


def transposed(rank: Rank, x: Expr) -> Expr:
    """transposed(x): each matrix of x transposed; x.T where x is surely one matrix.

    Of a stack of matrices it is x.swapaxes(-1, -2), as people write it.
    """
    if rank(x) == 2:
        return Apply("numpy.transpose", (x,), spelling="attribute:T")
    axes = (Const(-1), Const(-2))
    spelling = "" if rank(x) is None else "method:swapaxes"
    return Apply("numpy.swapaxes", (x, *axes), spelling=spelling)


def pair(rank: Rank, axis: Expr) -> Expr:
    """pair(axis): the axes of rows and columns; None means those of a matrix."""
    axes = (0, 1) if axis == Const(None) else static(axis)
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        refusal("a norm over one axis in a tuple", "the axis itself, axis=0")
    return lift(tuple(axes))


def are_last(rank: Rank, axis: Expr, x: Expr) -> Expr:
    """are_last(axis, x): whether a pair of axes is surely the last two, in order."""
    axes, total = static(pair(rank, axis)), rank(x)
    if total is not None:
        axes = tuple(a - total if a >= 0 else a for a in axes)
    return Const(axes == (-2, -1))


def as_row(rank: Rank, x: Expr) -> Expr:
    """as_row(x): each vector of x as the row of a matrix, as far as numpy does not."""
    if rank(x) != 1:
        return getitem(x, (..., None, slice(None)))
    # An adjoint that is still small stretches along the row by itself.
    return x.args[0] if isinstance(x, Apply) and x.op == "real" else x


def as_column(rank: Rank, x: Expr) -> Expr:
    """as_column(x): each vector of x as the column of a matrix."""
    return getitem(x, (slice(None) if rank(x) == 1 else ..., None))


def dyad(rank: Rank, left: Expr, right: Expr, i: Expr) -> Expr:
    """dyad(left, right, i): column i of the left factor times row i of the right."""
    index = static(i)
    one = slice(None, 1) if index == 0 else slice(index, None)  # of no columns none
    if rank(left) == 2:
        return matmul(getitem(left, (slice(None), one)), getitem(right, one))
    return matmul(getitem(left, (..., one)), getitem(right, (..., one, slice(None))))


def outer_sum(rank: Rank, left: Expr, right: Expr, like: Expr) -> Expr:
    """outer_sum(x, y, a): the outer product of two vectors; x @ y.T of two matrices.

    Of unknown ranks it is what flows back to a from x, the adjoint of a @ y.
    """
    if rank(left) is None:
        return call("helper._matmul_left", left, like, right)
    if rank(left) == 1:
        return call("numpy.outer", left, right)
    return matmul(left, transposed(rank, right))


def beyond(rank: Rank, x: Expr, default: Expr) -> Expr:
    """beyond(x, default): x, or nothing where it is the default that scipy takes."""
    return Apply("nothing") if x == default else x


def in_triangle(rank: Rank, x: Expr, lower: Expr, unit: Expr) -> Expr:
    """in_triangle(x, lower, unit): x in the triangle that solve_triangular reads."""
    is_lower = constant_value(lower, "lower")
    part = call("numpy.tril" if is_lower else "numpy.triu", x)
    if static(unit):
        part = replace(part, args=(x, Const(-1 if is_lower else 1)))
    return part


def turned_about(rank: Rank, a: Expr, n: Expr) -> Expr:
    """turned_about(a, n): a with its first n axes behind the others."""
    first, total = static(n), known_rank(rank, a, "turned_about")
    axes = (*range(first, total), *range(first))
    if axes == (1, 0):
        return Apply("numpy.transpose", (a,), spelling="attribute:T")
    return call("numpy.transpose", a, lift(axes))


def block(rank: Rank, g: Expr, arrays: Expr, i: Expr) -> Expr:
    """block(d[z], arrs, i): the part of d[z] that one matrix of block_diag fills."""
    if any(rank(array) != 2 for array in arrays.args):
        refusal("block_diag of arrays not known to be 2-D", "shape facts")
    last = i.value == len(arrays.args) - 1
    keys = []
    for axis in (0, 1):
        ends = [cut(array, axis) for array in arrays.args]
        start = _sum(ends[: i.value])
        stop = Const(None) if last else _sum(ends[: i.value + 1])
        keys.append(Apply("slice", (start, stop, Const(None))))
    return getitem(g, Apply("tuple", tuple(keys)))


def _sum(sizes: Sequence[Expr]) -> Expr:
    total = sizes[0] if sizes else Const(None)
    for size in sizes[1:]:
        total = add(total, size)
    return total


def taken_for_vectors(rank: Rank, a: Expr, b: Expr) -> Expr:
    """taken_for_vectors(a, b): whether b may be vectors to a numpy that the text meets.

    Before 2.0 np.linalg.solve took an array b of one axis less than a for vectors.
    """
    if not before_2():
        return Const(False)
    n = known_rank(rank, b, "np.linalg.solve")
    return Const(n > 1 and rank(a) in (None, n + 1))


def before_numpy_2(rank: Rank) -> Expr:
    """before_numpy_2(): whether the text may meet a numpy that is older than 2.0."""
    return Const(before_2())


def summed_by(rank: Rank, ord: Expr) -> Expr:
    """summed_by(p): the axis that the norm 1 or inf of a matrix sums over."""
    return Const(-2 if abs(static(ord)) == 1 else -1)


def extreme(rank: Rank, sums: Expr, ord: Expr) -> Expr:
    """extreme(sums, p): the greatest of the sums; the least where p is negative."""
    name = "numpy.min" if static(ord) < 0 else "numpy.max"
    return call(name, sums, axis=(-2, -1), keepdims=True)


WORDS = (
    before_numpy_2,
    taken_for_vectors,
    block,
    turned_about,
    summed_by,
    extreme,
    transposed,
    pair,
    are_last,
    as_row,
    as_column,
    dyad,
    outer_sum,
    beyond,
    in_triangle,
)
LINALG: dict[str, Callable[..., Expr]] = {word.__name__: word for word in WORDS}
