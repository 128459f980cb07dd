"""Words of the rules that move, repeat, cut and join entries, decided while emitting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import dropwhile
from typing import Any

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, call, getitem, lift, negative
from gradgen.ir.walk import is_static, static
from gradgen.rules.lengths import cut, extent, rank_of, total
from gradgen.rules.refusals import constant_value, refusal

Rank = Callable[[Expr], int | None]

WHOLE = Apply("slice", (Const(None),) * 3)


def entries(expr: Expr) -> list[Expr] | None:
    """The entries of a tuple or list that is written out, or None."""
    if isinstance(expr, Const) and isinstance(expr.value, (tuple, list)):
        expr = lift(expr.value)
    if isinstance(expr, Apply) and expr.op in ("tuple", "list"):
        return list(expr.args)
    return None


def opposite(rank: Rank, shift: Expr) -> Expr:
    """opposite(shift): -shift, of each entry of a tuple."""
    parts = entries(shift)
    if parts is not None:
        return Apply("tuple", tuple(opposite(rank, part) for part in parts))
    if isinstance(shift, Const) and isinstance(shift.value, int):
        return Const(-shift.value)
    return negative(shift)


def landing(rank: Rank, a: Expr, axis: Expr, start: Expr) -> Expr:
    """landing(a, axis, start): the axis of np.rollaxis's result that was axis."""
    return Const(landed(rank(a), *_rolled(axis, start)))


def _rolled(axis: Expr, start: Expr) -> tuple[int, int]:
    return constant_value(axis, "axis"), constant_value(start, "start")


def landed(rank: int | None, axis: int, start: int) -> int:
    """Where np.rollaxis puts an axis. Raises GradgenError where that hangs on rank."""
    if rank is None:
        if (axis < 0) != (start < 0) and start != 0:
            refusal("np.rollaxis with this start of unknown rank", "np.moveaxis")
        return start - 1 if axis < start and start != 0 else start
    axis, start = axis % rank, start + rank if start < 0 else start
    return start - 1 if axis < start else start


def folded(g: Expr, sizes: list[Expr], axes: list[int], whole: bool) -> Expr:
    """g as blocks of these sizes, summed over the axes; whole: g has them already."""
    if not axes:
        return call("numpy.reshape", g, Apply("tuple", tuple(sizes)))
    if not whole:
        g = call("numpy.reshape", g, Apply("tuple", tuple(sizes)))
    if len(axes) == len(sizes):
        return call("numpy.sum", g)
    return call("numpy.sum", g, axis=axes[0] if len(axes) == 1 else tuple(axes))


def untiled(rank: Rank, g: Expr, x: Expr, reps: Expr) -> Expr:
    """untiled(d[z], A, reps): d[z] summed over the copies of A."""
    reps = _counted(reps)
    n, parts = rank(x), entries(reps)
    if n is None:
        return call("helper._untiled", g, x, reps)
    if parts is None:
        if not isinstance(reps, Const) and rank(reps) != 0:
            refusal("np.tile with reps= of unknown length", "reps written out, (2, 1)")
        parts = [reps]
    parts = [Const(1)] * (n - len(parts)) + parts
    ahead = len(parts) - n
    sizes: list[Expr] = []
    axes: list[int] = []
    for j, rep in enumerate(parts):
        if rep != Const(1):
            axes.append(len(sizes))
            sizes.append(rep)
        if j >= ahead:
            sizes.append(cut(x, j - ahead))
    # Where only axes in front were put in, d[z] has these sizes as it is.
    whole = [rep != Const(1) for rep in parts] == [True] * ahead + [False] * n
    return folded(g, sizes, axes, whole)


def unrepeated(rank: Rank, g: Expr, a: Expr, repeats: Expr, axis: Expr) -> Expr:
    """unrepeated(d[z], a, repeats, axis): d[z] summed over the copies of each entry."""
    repeats = _counted(repeats)
    n, where = rank(a), constant_value(axis, "axis")
    if n is None:
        if where is not None:
            return call("helper._unrepeated", g, a, repeats, axis)
        sizes = Apply("tuple", (call("numpy.size", a), repeats))
        rows = call("numpy.reshape", g, sizes)  # -1 has no meaning for 0 repeats
        return call("numpy.reshape", call("numpy.sum", rows, axis=1), _shape_of(a))
    lengths = [cut(a, i) for i in range(n)]
    place = n if where is None else where % n + 1
    lengths.insert(place, repeats)
    return folded(g, lengths, [place], n == 0)


def _counted(count: Expr) -> Expr:
    """True is 1 to np.repeat and np.tile, but no size to np.reshape."""
    if isinstance(count, Const) and type(count.value) is bool:
        return Const(int(count.value))
    if isinstance(count, Apply) and count.op in ("tuple", "list"):
        return replace(count, args=tuple(map(_counted, count.args)))
    return count


def _shape_of(x: Expr) -> Expr:
    return Apply("numpy.shape", (x,))


def at_axis(rank: Rank, places: Expr, axis: Expr) -> Expr:
    """at_axis(places, axis): the key of those places along one axis."""
    return key_at(places, constant_value(axis, "axis"))


def key_at(item: Expr, axis: int) -> Expr:
    """The key that selects by item along one axis, counted from either end."""
    if axis >= 0:
        items = (WHOLE,) * axis + (item,)
    else:
        items = (Const(...), item) + (WHOLE,) * (-axis - 1)
        if axis == -1 and item == WHOLE:
            return WHOLE
    return items[0] if len(items) == 1 else Apply("tuple", items)


def margins(pad_width: Expr, rank: int) -> list[tuple[Expr, Expr]]:
    """What np.pad adds before and after each axis."""
    rows = entries(pad_width)
    if rows is None:
        return [(pad_width, pad_width)] * rank
    inner = [pair for row in rows if (pair := entries(row)) is not None]
    if len(inner) < len(rows):
        inner = [rows]
    if any(len(pair) > 2 for pair in inner) or len(inner) not in (1, rank):
        refusal("np.pad with this pad_width", "a pair for each axis")
    pairs = [(pair[0], pair[-1]) for pair in inner]
    return pairs * rank if len(pairs) == 1 else pairs


def inside(rank: Rank, g: Expr, array: Expr, pad_width: Expr) -> Expr:
    """inside(d[z], array, pad_width): the part of d[z] that is no margin."""
    n = rank(array)
    if n is None:
        return call("helper._unpadded", g, array, pad_width)
    pairs = margins(pad_width, n)
    key = [_between(array, i, *pair) for i, pair in enumerate(pairs)]
    while key and key[-1] == WHOLE:
        key.pop()
    if not key:
        return g
    return getitem(g, key[0] if len(key) == 1 else Apply("tuple", tuple(key)))


def known_rank(rank: Rank, x: Expr, name: str) -> int:
    """The rank of x. Raises GradgenError, naming the function, when it is not known."""
    n = rank(x)
    if n is None:
        refusal(f"{name} of an array of unknown rank", "a shape fact")
    return n


def _between(array: Expr, axis: int, before: Expr, after: Expr) -> Expr:
    start = Const(None) if before == Const(0) else before
    if isinstance(after, Const):
        stop = lift(-after.value or None)
    else:
        stop = total([before, cut(array, axis)])
    return Apply("slice", (start, stop, Const(None)))


def sources(rank: Rank, array: Expr, pad_width: Expr, mode: Expr) -> Expr:
    """sources(array, pad_width, mode): the key of the entry that each one copies."""
    pairs = margins(pad_width, known_rank(rank, array, "np.pad"))
    padded = [i for i, pair in enumerate(pairs) if pair != (Const(0), Const(0))]
    if not padded:
        return Const(...)
    first, last = padded[0], padded[-1]
    key: list[Expr] = [WHOLE] * first
    for i in range(first, last + 1):
        places = call("numpy.arange", cut(array, i))
        if i in padded:
            same = pairs[i][0] == pairs[i][1]
            width = pairs[i][0] if same else Apply("tuple", pairs[i])
            places = call("numpy.pad", places, width, mode=mode)
        if i < last:
            places = getitem(places, (slice(None),) + (None,) * (last - i))
        key.append(places)
    return key[0] if len(key) == 1 else Apply("tuple", tuple(key))


# For each stacking function: how an array of that rank is looked at (None is an
# axis of length 1 put in), and the axis that is joined.
LAYOUTS: dict[str, dict[int, tuple[list[int | None], int]]] = {
    "hstack": {0: ([None], 0), 1: ([0], 0)},
    "vstack": {0: ([None, None], 0), 1: ([None, 0], 0)},
    "dstack": {
        0: ([None, None, None], 2),
        1: ([None, 0, None], 2),
        2: ([0, 1, None], 2),
    },
    "column_stack": {0: ([None, None], 1), 1: ([0, None], 1)},
}
JOINED = {"hstack": 1, "vstack": 0, "dstack": 2, "column_stack": 1}


def layout(name: str, rank: int) -> tuple[list[int | None], int]:
    """How np.<name> looks at an array of that rank, and the axis that it joins."""
    return LAYOUTS[name].get(rank, (list(range(rank)), JOINED[name]))


def piece(rank: Rank, g: Expr, name: Expr, arrays: Expr, i: Expr) -> Expr:
    """piece(d[z], "hstack", tup, i): the part of d[z] that came from the i-th."""
    views = []
    for array in arrays.args:
        n = rank_of(rank, array)
        if n is None:
            listed = Apply("tuple", arrays.args)
            return call(f"helper._{name.value}_part", g, listed, i)
        views.append(layout(name.value, n))
    lengths = [
        Const(1) if (own := axes[axis]) is None else cut(array, own)
        for array, (axes, axis) in zip(arrays.args, views, strict=True)
    ]
    start = total(lengths[: i.value])
    axes, axis = views[i.value]
    key: list[Expr] = [Const(0) if place is None else WHOLE for place in axes]
    if axes[axis] is None:
        key[axis] = start
    else:
        last = i.value == len(views) - 1
        stop = Const(None) if last else total(lengths[: i.value + 1])
        begin = Const(None) if start == Const(0) else start
        key[axis] = Apply("slice", (begin, stop, Const(None)))
    while key and key[-1] == WHOLE:
        key.pop()
    if not key:
        return g
    return getitem(g, key[0] if len(key) == 1 else Apply("tuple", tuple(key)))


def inserted_at(rank: Rank, a: Expr, index: Expr, axis: Expr) -> Expr:
    """inserted_at(arr, obj, axis): the place that np.delete removed, from the front."""
    place = constant_value(index, "obj")
    if place >= 0:
        return index
    where = constant_value(axis, "axis")
    length = Apply("count", (a, Const(None))) if where is None else extent(a, where)
    return Apply("numpy.subtract", (length, Const(-place)), spelling="operator")


def left_by(rank: Rank, a: Expr, index: Expr, axis: Expr) -> Expr:
    """left_by(arr, obj, axis): the places that np.delete(arr, obj, axis) keeps."""
    places = call("numpy.arange", cut(a, constant_value(axis, "axis") or 0))
    return call("numpy.delete", places, index)


def shifted(rank: Rank, index: Expr) -> Expr:
    """shifted(obj): where np.insert puts new entries, in the longer array."""
    places = constant_value(index, "obj")
    if any(type(n) is not int or n < 0 for n in places) or list(places) != sorted(
        set(places)
    ):
        refusal("np.insert at these places", "indices that are not negative, in order")
    return lift([n + i for i, n in enumerate(places)])


def on_diagonal(
    rank: Rank, z: Expr, a: Expr, offset: Expr, axis1: Expr, axis2: Expr
) -> Expr:
    """on_diagonal(z, a, offset, axis1, axis2): the key of the diagonal's entries."""
    key, _ = _diagonal(rank, z, a, offset, axis1, axis2)
    return key


def along_diagonal(
    rank: Rank, g: Expr, a: Expr, offset: Expr, axis1: Expr, axis2: Expr
) -> Expr:
    """along_diagonal(d[z], ...): d[z] with its last axis where on_diagonal has it."""
    _, place = _diagonal(rank, g, a, offset, axis1, axis2)
    return g if place == -1 else call("numpy.moveaxis", g, Const(-1), Const(place))


def _diagonal(
    rank: Rank, z: Expr, a: Expr, offset: Expr, axis1: Expr, axis2: Expr
) -> tuple[Expr, int]:
    """The key, and the axis at which numpy puts the entries that it selects."""
    n = rank(a)
    axes = [constant_value(axis1, "axis1"), constant_value(axis2, "axis2")]
    places = _places(call("numpy.arange", extent(z, -1)), offset)
    if n is None:
        if sorted(axes) not in ([0, 1], [-2, -1]):
            refusal("np.diagonal with these axes of unknown rank", "a shape fact")
        from_end = axes[0] < 0
        items = list(places if axes[0] < axes[1] else reversed(places))
        key = [Const(...), *items] if from_end else items
        return Apply("tuple", tuple(key)), -1 if from_end else 0
    first, second = (axis % n for axis in axes)
    key = [WHOLE] * (max(first, second) + 1)
    key[first], key[second] = places
    # Keys that stand apart put what they select first.
    place = min(first, second) if abs(first - second) == 1 else 0
    return Apply("tuple", tuple(key)), -1 if place == n - 2 else place


def _places(steps: Expr, offset: Expr) -> tuple[Expr, Expr]:
    """The rows and the columns of a diagonal, from its steps.

    steps, steps + 2                                   the diagonal 2
    steps + np.maximum(-k, 0), steps + np.maximum(k, 0)    one that is computed
    """
    if is_static(offset):
        k = constant_value(offset, "offset")
        shifted = add(steps, Const(abs(k))) if k else steps
        return (steps, shifted) if k >= 0 else (shifted, steps)
    below = call("numpy.maximum", negative(offset), Const(0))
    return add(steps, below), add(steps, call("numpy.maximum", offset, Const(0)))


def spread_on(
    rank: Rank, g: Expr, a: Expr, offset: Expr, axis1: Expr, axis2: Expr
) -> Expr:
    """spread_on(d[z], a, offset, axis1, axis2): np.trace's adjoint."""
    n = rank(a)
    if n is None:
        along = call("numpy.expand_dims", g, Const(-1))
        return call("helper._on_diagonal", along, a, offset, axis1, axis2)
    first, second = (constant_value(axis, "axis") % n for axis in (axis1, axis2))
    rows, columns = sorted((first, second))
    above = offset if first < second else negative(offset)
    if is_static(above):
        above = Const(static(above))
    options = {"k": above} if above != Const(0) else {}
    kind = Apply("dtype", (a,), spelling="attribute:dtype")
    eye = call("numpy.eye", extent(a, rows), extent(a, columns), **options, dtype=kind)
    if n == 2:
        return Apply("numpy.multiply", (g, eye), spelling="operator")
    both = (first, second)
    apart = _without_leading(None if i in both else slice(None) for i in range(n))
    if None in apart:
        g = getitem(g, _short(apart))
    around = _without_leading(slice(None) if i in both else None for i in range(n))
    if None in around:
        eye = getitem(eye, around)
    return Apply("numpy.multiply", (g, eye), spelling="operator")


def _without_leading(items: Iterable[Any]) -> tuple[Any, ...]:
    """The key without the axes in front that numpy puts there by itself."""
    return tuple(dropwhile(lambda item: item is None, items))


def _short(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key with its leading : in one ellipsis, where nothing else is kept."""
    kept = key.index(None)
    return key if slice(None) in key[kept:] else (..., *key[kept:])


SHAPING: dict[str, Callable[..., Expr]] = {
    function.__name__: function
    for function in (
        opposite,
        landing,
        untiled,
        unrepeated,
        at_axis,
        inside,
        sources,
        piece,
        inserted_at,
        left_by,
        shifted,
        on_diagonal,
        along_diagonal,
        spread_on,
    )
}
