"""Shape words of the rules that move, repeat, cut and join entries."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import is_static, static
from gradgen.rules.words_shaping import entries, landed, layout, margins
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.shape import Shape, ShapeConflict, equal, join, ranked
from gradgen.shapes.spans import is_no_less
from gradgen.shapes.words_given import given
from gradgen.shapes.words_lists import rows, with_axes

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ShapeConflict(f"there is no axis {axis}")
    return axis % rank


def _axes(axes: Expr, rank: int) -> list[int]:
    value = static(axes)
    several = value if isinstance(value, (tuple, list)) else (value,)
    return [_axis(axis, rank) for axis in several]


def moved(facts: Facts, a: Expr, source: Expr, destination: Expr) -> Shape:
    """moveaxis: the axes `source` stand at `destination`, the others in order."""
    dims = facts.of(a).dims
    if dims is None:
        return facts.fresh()
    if not is_static(source) or not is_static(destination):
        return ranked(*(facts.fresh_dim() for _ in dims))
    sources, places = (_axes(axes, len(dims)) for axes in (source, destination))
    if len(sources) != len(places):
        raise ShapeConflict(f"{len(sources)} axes cannot move to {len(places)} places")
    rest = iter(dim for i, dim in enumerate(dims) if i not in sources)
    at = dict(zip(places, sources, strict=True))
    return ranked(*(dims[at[i]] if i in at else next(rest) for i in range(len(dims))))


def rolled(facts: Facts, a: Expr, axis: Expr, start: Expr) -> Shape:
    """rollaxis: one axis stands before the axis `start`."""
    dims = facts.of(a).dims
    if dims is None:
        return facts.fresh()
    source = _axis(static(axis), len(dims))
    rest = [dim for i, dim in enumerate(dims) if i != source]
    rest.insert(landed(len(dims), source, static(start)), dims[source])
    return ranked(*rest)


def turned(facts: Facts, m: Expr, k: Expr, axes: Expr) -> Shape:
    """rot90: an odd number of turns swaps the two axes."""
    dims = facts.of(m).dims
    if static(k) % 2 == 0:
        return facts.of(m)
    if dims is None:
        return facts.fresh()
    first, second = _axes(axes, len(dims))
    lengths = list(dims)
    lengths[first], lengths[second] = lengths[second], lengths[first]
    return ranked(*lengths)


def one_at_least(facts: Facts, x: Expr, n: int) -> Shape:
    """The shape of one array with axes of length 1 until there are n."""
    dims = facts.of(x).dims
    if dims is None:
        return facts.fresh()
    if len(dims) == 2 and n == 3:
        return ranked(*dims, 1)
    if len(dims) == 1 and n == 3:
        return ranked(1, *dims, 1)
    return ranked(*(ONE,) * (n - len(dims)), *dims)


def tiled(facts: Facts, x: Expr, reps: Expr) -> Shape:
    """tile: each axis as often as reps says, axes of length 1 in front."""
    dims, parts = facts.of(x).dims, entries(reps)
    if parts is None:
        if not isinstance(reps, Const) and facts.rank(reps) != 0:
            return facts.fresh()
        parts = [reps]
    if dims is None:
        return facts.fresh()
    rank = max(len(dims), len(parts))
    dims = (ONE,) * (rank - len(dims)) + dims
    times = [ONE] * (rank - len(parts)) + [facts.dim(part) for part in parts]
    return ranked(*(dim * rep for dim, rep in zip(dims, times, strict=True)))


def windowed(facts: Facts, x: Expr, window: Expr, axis: Expr) -> Shape:
    """sliding_window_view: places where each window starts, then the windows."""
    dims, where = facts.of(x).dims, static(axis)
    lengths = given(facts, window).dims
    if dims is None or lengths is None:
        return facts.fresh()
    axes = range(len(dims)) if where is None else _axes(axis, len(dims))
    starts = list(dims)
    if len(axes) != len(lengths):
        told = f"windows of {len(lengths)} lengths go along {len(axes)} axes"
        raise ShapeConflict(told)
    for place, length in zip(axes, lengths):
        starts[place] = starts[place] - length + Dim.of(1)
    return ranked(*starts, *lengths)


def repeated(facts: Facts, a: Expr, repeats: Expr, axis: Expr) -> Shape:
    """repeat: an axis that many times as long; flat where there is no axis."""
    dims, where = facts.of(a).dims, static(axis)
    if dims is None:
        return ranked(facts.fresh_dim()) if where is None else facts.fresh()
    one_number = isinstance(repeats, Const) or facts.rank(repeats) == 0
    times = facts.dim(repeats) if one_number else None
    if where is None:
        size = reduce(Dim.__mul__, dims, ONE)
        return ranked(size * times if times else facts.fresh_dim())
    lengths = list(dims)
    place = _axis(where, len(dims))
    lengths[place] = lengths[place] * times if times else facts.fresh_dim()
    return ranked(*lengths)


def padded(facts: Facts, array: Expr, pad_width: Expr) -> Shape:
    """pad: each axis longer by its margins."""
    dims = facts.of(array).dims
    if dims is None:
        return facts.fresh()
    pairs = margins(pad_width, len(dims))
    sizes = [facts.dim(before) + facts.dim(after) for before, after in pairs]
    return ranked(*map(add, dims, sizes))


def made_of(facts: Facts, x: Expr) -> Shape:
    """np.array: the shape of x, or of a list of equal shapes with an axis in front.

    The items may be lists again: np.array([[a, b], [c, d]]). Of a list that a loop has
    filled its entries are known.
    """
    if not isinstance(x, Apply) or x.op not in ("tuple", "list"):
        return rows(facts, x) if facts.is_list(x) else facts.of(x)
    if not x.args:
        return facts.fresh()
    every = [made_of(facts, item) for item in x.args]
    base = join(*every)
    if base.dims is None:
        alike = all(equal(base, row) for row in every)
        return with_axes(facts, base if alike else None)
    return ranked(Dim.of(len(x.args)), *base.dims)


def made_with_an_axis(facts: Facts, x: Expr) -> Shape:
    """np.ascontiguousarray: the shape of x, which has an axis of one entry at least."""
    base = made_of(facts, x)
    return ranked(1) if base.dims == () else base


def laid(facts: Facts, name: Expr, arrays: Expr) -> Shape:
    """hstack and its like: lengths along one axis add up, after axes are put in."""
    if not isinstance(arrays, Apply) or arrays.op not in ("tuple", "list"):
        raise ShapeConflict(
            "the arrays to join are not written out one by one", "[a, b, c]"
        )
    views = []
    for array in arrays.args:
        dims = made_of(facts, array).dims
        if dims is None:
            return facts.fresh()
        axes, axis = layout(name.value, len(dims))
        views.append([ONE if i is None else dims[i] for i in axes])
    if len({len(view) for view in views}) != 1:
        raise ShapeConflict(f"np.{name.value} of arrays of different ranks")
    lengths = list(views[0])
    for view in views[1:]:
        lengths[axis] = lengths[axis] + view[axis]
    lengths[axis] = facts.rejoined(lengths[axis])
    return ranked(*lengths)


def appended(facts: Facts, arr: Expr, values: Expr, axis: Expr) -> Shape:
    """append: lengths along axis add up, or sizes where there is none."""
    first, second = facts.of(arr).dims, facts.of(values).dims
    where = static(axis)
    if where is None:
        if first is None or second is None:
            return ranked(facts.fresh_dim())
        sizes = [reduce(Dim.__mul__, dims, ONE) for dims in (first, second)]
        return ranked(sizes[0] + sizes[1])
    if first is None or second is None:
        return facts.fresh()
    if len(first) != len(second):
        raise ShapeConflict("np.append along an axis takes arrays of equal rank")
    lengths = list(first)
    place = _axis(where, len(first))
    lengths[place] = lengths[place] + second[place]
    return ranked(*lengths)


def one_more(facts: Facts, arr: Expr, axis: Expr, more: Expr, obj: Expr) -> Shape:
    """delete: an axis shorter by 1, or by the places of a list; `more` is -1."""
    dims, where = facts.of(arr).dims, static(axis)
    if isinstance(obj, Apply) and obj.op in ("tuple", "list"):
        more = Const(more.value * len(set(static(obj))))
    elif not isinstance(obj, Const):
        # a mask, or any number of places: of an array without an axis a vector is left
        return ranked(facts.fresh_dim()) if where is None else facts.fresh()
    if dims is None:
        return ranked(facts.fresh_dim()) if where is None else facts.fresh()
    if where is None:
        return ranked(reduce(Dim.__mul__, dims, ONE) + Dim.of(more.value))
    lengths = list(dims)
    place = _axis(where, len(dims))
    lengths[place] = lengths[place] + Dim.of(more.value)
    return ranked(*lengths)


def with_inserted(
    facts: Facts, arr: Expr, axis: Expr, obj: Expr, values: Expr
) -> Shape:
    """insert: an axis longer by the places of a list, or by the entries at one place.

    A number takes values[0], values[1], ... as layers; a list of one place takes them
    along the axis, as NumPy does.
    """
    dims, where, put = facts.of(arr).dims, static(axis), facts.of(values).dims
    listed = isinstance(obj, Apply) and obj.op in ("tuple", "list")
    if not (listed or isinstance(obj, Const)):
        return facts.fresh()
    if dims is None:
        return ranked(facts.fresh_dim()) if where is None else facts.fresh()
    if where is None:
        dims, where = (reduce(Dim.__mul__, dims, ONE),), 0
    rank, place = len(dims), _axis(where, len(dims))
    if listed and len(obj.args) != 1:
        more: Dim | None = Dim.of(len(obj.args))
    elif put is None or len(put) > rank:
        more = None
    else:
        padded = (ONE,) * (rank - len(put)) + put
        more = padded[place if listed else 0]
    lengths = list(dims)
    lengths[place] = facts.fresh_dim() if more is None else lengths[place] + more
    return ranked(*lengths)


def diagonal_of(facts: Facts, a: Expr, offset: Expr, axis1: Expr, axis2: Expr) -> Shape:
    """diagonal: two axes become one, which comes last."""
    dims = facts.of(a).dims
    if dims is None:
        return facts.fresh()
    first, second = _axis(static(axis1), len(dims)), _axis(static(axis2), len(dims))
    rest = (dim for i, dim in enumerate(dims) if i not in (first, second))
    return ranked(*rest, _diagonal_length(facts, dims[first], dims[second], offset))


def _diagonal_length(facts: Facts, rows: Dim, columns: Dim, offset: Expr) -> Dim:
    if not is_static(offset):
        return facts.fresh_dim()
    k = static(offset)
    if rows.number is not None and columns.number is not None:
        down, across = rows.number + min(k, 0), columns.number - max(k, 0)
        return Dim.of(max(0, min(down, across)))
    if rows == columns:
        return rows - Dim.of(abs(k))
    if k == 0:  # nobody takes the diagonal of what is not square
        facts.twins.append((rows, columns))
    return facts.fresh_dim()


def traced(facts: Facts, a: Expr, axis1: Expr, axis2: Expr) -> Shape:
    """trace: without the two axes."""
    dims = facts.of(a).dims
    if dims is None:
        return facts.fresh()
    first, second = _axis(static(axis1), len(dims)), _axis(static(axis2), len(dims))
    return ranked(*(dim for i, dim in enumerate(dims) if i not in (first, second)))


def flat_diagonal(facts: Facts, v: Expr, k: Expr) -> Shape:
    """diagflat: a matrix with all entries on a diagonal."""
    dims = facts.of(v).dims
    if dims is None or not is_static(k):
        size = facts.fresh_dim()
    else:
        size = reduce(Dim.__mul__, dims, ONE) + Dim.of(abs(static(k)))
    return ranked(size, size)


def vector_or_matrix(facts: Facts, v: Expr, k: Expr) -> Shape:
    """diag: a matrix for a vector, the diagonal of a matrix."""
    dims = facts.of(v).dims
    if dims is not None and len(dims) == 2:
        return diagonal_of(facts, v, k, Const(0), Const(1))
    return flat_diagonal(facts, v, k) if dims is not None else facts.fresh()


def triangle(facts: Facts, m: Expr) -> Shape:
    """tril and triu: the same, but a vector counts as each row of a matrix."""
    dims = facts.of(m).dims
    if dims is None:
        return facts.fresh()
    return ranked(*dims, *dims) if len(dims) == 1 else facts.of(m)


def blocked(facts: Facts, a: Expr, b: Expr) -> Shape:
    """kron: lengths multiply."""
    first, second = facts.of(a).dims, facts.of(b).dims
    if first is None or second is None:
        return facts.fresh()
    rank = max(len(first), len(second))
    first, second = ((ONE,) * (rank - len(dims)) + dims for dims in (first, second))
    return ranked(*(x * y for x, y in zip(first, second, strict=True)))


def ranged(facts: Facts, start: Expr, stop: Expr, step: Expr) -> Shape:
    """arange: as many as the one argument says, or two do; else some number."""
    if stop == Const(None) and step == Const(None):
        return ranked(facts.dim(start))
    each = Const(1) if step == Const(None) else step
    bounds = [facts.dim(one).number for one in (start, stop, each)]
    whole = [one for one in bounds if one is not None]
    if len(whole) == 3 and whole[2]:
        return ranked(len(range(*whole)))
    size = facts.dim(stop) - facts.dim(start)
    ends = facts.dim(start).names | facts.dim(stop).names
    whole_ends = {name for name in ends if name[0] == "?"} <= facts.spans.keys()
    if each == Const(1) and whole_ends and is_no_less(facts, size):
        return ranked(size)
    if start == Const(0) and (bounds[2] or 0) > 0:
        part = facts.dim(stop).divided_by(facts.dim(each))
        if part is not None:  # np.arange(0, n, 2) of a multiple of 2
            return ranked(part)
    return ranked(facts.fresh_dim())


def square_of(facts: Facts, n: Expr, m: Expr) -> Shape:
    """eye: n rows, and as many columns where there is no m."""
    rows = facts.dim(n)
    return ranked(rows, rows if m == Const(None) else facts.dim(m))


SHAPING = {
    function.__name__: function
    for function in (
        moved,
        rolled,
        turned,
        tiled,
        windowed,
        repeated,
        padded,
        laid,
        appended,
        one_more,
        with_inserted,
        diagonal_of,
        traced,
        vector_or_matrix,
        flat_diagonal,
        triangle,
        blocked,
        ranged,
        square_of,
    )
}
