"""Words of the rules of functions with as many results as their arguments say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import call, getitem, lift, multiply
from gradgen.ir.walk import is_static, static
from gradgen.rules.lengths import extent, total
from gradgen.rules.refusals import constant_value, refusal
from gradgen.rules.words_sequences import at, between, others
from gradgen.rules.words_shaping import WHOLE, entries, key_at

Rank = Callable[[Expr], int | None]


def each(rank: Rank, g: Expr, i: Expr) -> Expr:
    """each(d[z], i): that of the i-th result, or d[z] where there is one result."""
    return g.args[i.value] if _is(g, "tuple") else g


def results(rank: Rank, z: Expr) -> Expr:
    """results(z): the several results, or the one there is, as a tuple."""
    return z if _is(z, "tuple") else Apply("tuple", (z,))


def all_read(rank: Rank, g: Expr) -> Expr:
    """all_read(d[z]): whether each of several results is read."""
    return Const(Const(0) not in g.args)


def with_zeros(rank: Rank, g: Expr, z: Expr) -> Expr:
    """with_zeros(d[z], z): d[z], with zeros for the results that nothing reads."""
    pairs = zip(g.args, z.args, strict=True)
    filled = (call("numpy.zeros_like", r) if d == Const(0) else d for d, r in pairs)
    return Apply("tuple", tuple(filled))


def spread(rank: Rank, expr: Expr) -> Expr:
    """spread(np.f(x, t[xs])): np.f(x, *t[xs])."""
    args: list[Expr] = []
    for arg in expr.args:
        args += arg.args if _is(arg, "tuple") else (arg,)
    return replace(expr, args=tuple(args))


def split_axis(axis: Expr, rank: int | None) -> int:
    """The axis that split, or hsplit and its like by name, cuts."""
    where = constant_value(axis, "axis")
    if where == "hsplit" and rank is None:
        refusal("np.hsplit of an array of unknown rank", "np.split with axis=")
    named = {"vsplit": 0, "dsplit": 2, "hsplit": int(rank != 1)}
    axis_cut: int = named.get(where, where)
    return axis_cut


def in_order(rank: Rank, sections: Expr) -> Expr:
    """in_order(indices_or_sections): whether the parts are the whole, cut up."""
    if not is_static(sections):
        return Const(False)
    places = static(sections)
    if isinstance(places, int):
        return Const(True)
    same_end = all(p >= 0 for p in places) or all(p < 0 for p in places)
    return Const(same_end and list(places) == sorted(places))


def section(rank: Rank, ary: Expr, sections: Expr, axis: Expr, i: Expr) -> Expr:
    """section(ary, indices_or_sections, axis, i): the key of the i-th part."""
    where, places = split_axis(axis, rank(ary)), entries(sections)
    if places is None:
        count = constant_value(sections, "indices_or_sections")
        step = Apply(
            "numpy.floor_divide",
            (extent(ary, where), Const(count)),
            spelling="operator",
        )
        places = [multiply(Const(k), step) if k > 1 else step for k in range(1, count)]
    start = Const(None) if i.value == 0 else places[i.value - 1]
    stop = Const(None) if i.value == len(places) else places[i.value]
    return key_at(Apply("slice", (start, stop, Const(None))), where)


def off_grid(rank: Rank, xi: Expr, i: Expr, indexing: Expr) -> Expr:
    """off_grid(xi, i, indexing): meshgrid's axes along which xi[i] is repeated."""
    n, own = len(xi.args), i.value
    if constant_value(indexing, "indexing") == "xy" and n > 1 and own < 2:
        own = 1 - own
    rest = tuple(k for k in range(n) if k != own)
    return Const(rest[0]) if len(rest) == 1 else Apply("tuple", tuple(map(Const, rest)))


def block_piece(rank: Rank, g: Expr, arrays: Expr, i: Expr, j: Expr) -> Expr:
    """block_piece(d[z], arrays, i, j): the part that came from arrays[i][j].

    For one list of arrays, from arrays[j], and i is None.
    """
    rows = block_rows(arrays)
    depth = 1 if i == Const(None) else 2
    row = 0 if depth == 1 else i.value
    found = [[rank(array) for array in line] for line in rows]
    ranks = [[n for n in line if n is not None] for line in found]
    if ranks != found:
        lists = [Apply("tuple", tuple(line)) for line in rows]
        nested = Apply("tuple", tuple(lists))
        return call("helper._block_part", g, nested, Const(row), j)
    ndim = max(depth, *(n for line in ranks for n in line))
    own = ranks[row][j.value]
    key: list[Expr] = [WHOLE if ndim - k <= own else Const(0) for k in range(ndim)]
    lengths = [_length(x, n, -1) for x, n in zip(rows[row], ranks[row], strict=True)]
    key[-1] = _interval(lengths, j.value, own >= 1)
    if depth == 2:
        firsts = zip(rows, ranks, strict=True)
        heights = [_length(line[0], ns[0], -2) for line, ns in firsts]
        key[-2] = _interval(heights, row, own >= 2)
    while key and key[-1] == WHOLE:
        key.pop()
    if not key:
        return g
    return getitem(g, key[0] if len(key) == 1 else Apply("tuple", tuple(key)))


def block_rows(arrays: Expr) -> list[list[Expr]]:
    """The arrays of np.block, by rows. Raises GradgenError for other nestings."""
    if not _is(arrays, "list") or not arrays.args:
        refusal("np.block of what is no list", "np.block([[a, b], [c, d]])")
    nested = [_is(item, "list") for item in arrays.args]
    if not any(nested):
        return [list(arrays.args)]
    rows = [list(item.args) for item in arrays.args if _is(item, "list")]
    if not all(nested) or any(_is(item, "list") for row in rows for item in row):
        refusal("np.block of lists nested like this", "np.block([[a, b], [c, d]])")
    return rows


def _length(array: Expr, rank: int, axis: int) -> Expr:
    return extent(array, axis) if rank >= -axis else Const(1)


def _interval(lengths: list[Expr], i: int, is_axis: bool) -> Expr:
    """The places of the i-th of several in a row: a slice, or one place."""
    start = total(lengths[:i])
    if not is_axis:
        return start
    if len(lengths) == 1:
        return WHOLE
    begin = Const(None) if start == Const(0) else start
    stop = Const(None) if i == len(lengths) - 1 else total(lengths[: i + 1])
    return Apply("slice", (begin, stop, Const(None)))


def axis_of_slope(rank: Rank, f: Expr, axis: Expr, i: Expr) -> Expr:
    """axis_of_slope(f, axis, i): the axis that np.gradient's i-th result is along."""
    axes = constant_value(axis, "axis")
    if axes is None:
        return i
    return Const(axes[i.value] if isinstance(axes, (tuple, list)) else axes)


def at_slope(rank: Rank, f: Expr, axis: Expr, i: Expr, place: Expr) -> Expr:
    """at_slope(f, axis, i, k): the key of entry k along that axis."""
    return at(rank, f, axis_of_slope(rank, f, axis, i), place)


def in_slope(rank: Rank, f: Expr, axis: Expr, i: Expr, start: Expr, stop: Expr) -> Expr:
    """in_slope(f, axis, i, start, stop): the key of a slice along that axis."""
    return between(rank, f, axis_of_slope(rank, f, axis, i), start, stop)


def beside_slope(rank: Rank, f: Expr, axis: Expr, i: Expr) -> Expr:
    """beside_slope(f, axis, i): the other axes."""
    return others(rank, f, axis_of_slope(rank, f, axis, i))


def spacing_of(rank: Rank, spacing: Expr, i: Expr) -> Expr:
    """spacing_of(varargs, i): np.gradient's spacing along its i-th axis."""
    given = spacing.args
    if not given:
        return Const(1)
    return given[0] if len(given) == 1 else given[i.value]


def ahead_of(rank: Rank, x: Expr, other: Expr) -> Expr:
    """ahead_of(x1, x2): x1 with as many axes of length 1 behind it as x2 has."""
    if isinstance(x, Const) or rank(x) == 0:
        return x
    n = _rank(rank, other)
    if n is None:
        return call("helper._ahead_of", x, other)
    return getitem(x, (..., *(None,) * n)) if n else x


def sum_outside(rank: Rank, value: Expr, x1: Expr, x2: Expr, first: Expr) -> Expr:
    """sum_outside(value, x1, x2, first): value summed over the other's axes."""
    left, right = _rank(rank, x1), _rank(rank, x2)
    if left is None or right is None:
        word = "behind" if first.value else "ahead"
        return call(f"helper._summed_{word}", value, x1, x2)
    axes = range(left, left + right) if first.value else range(left)
    if not axes:
        return value
    if len(axes) == left + right:
        return call("numpy.sum", value)
    return call("numpy.sum", value, axis=lift(axes[0] if len(axes) == 1 else (*axes,)))


def _rank(rank: Rank, x: Expr) -> int | None:
    return 0 if isinstance(x, Const) else rank(x)


def _is(expr: Expr, *ops: str) -> bool:
    return isinstance(expr, Apply) and expr.op in ops


PARTS: dict[str, Callable[..., Expr]] = {
    "each": each,
    "results": results,
    "all_read": all_read,
    "with_zeros": with_zeros,
    "spread": spread,
    "in_order": in_order,
    "section": section,
    "off_grid": off_grid,
    "block_piece": block_piece,
    "axis_of_slope": axis_of_slope,
    "at_slope": at_slope,
    "in_slope": in_slope,
    "beside_slope": beside_slope,
    "spacing_of": spacing_of,
    "ahead_of": ahead_of,
    "sum_outside": sum_outside,
}
