"""Words of the rules of reductions and sequences, decided while emitting: masks that
may be None, keys along an axis, the first mask that is true."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import call, getitem, lift
from gradgen.ir.walk import static
from gradgen.rules.lengths import extent, total
from gradgen.rules.refusals import constant_value, refusal, sort_of_dtype
from gradgen.rules.words_shaping import known_rank

Rank = Callable[[Expr], int | None]


def either(rank: Rank, x: Expr, default: Expr) -> Expr:
    """either(x, default): x, or the default where x is None."""
    return default if x == Const(None) else x


def truncated(rank: Rank, x: Expr) -> Expr:
    """truncated(x): np.trunc(x), which a whole number that is written out is itself."""
    number = x.value if isinstance(x, Const) else None
    if type(number) is int or isinstance(number, float) and number.is_integer():
        return x
    return Apply("numpy.trunc", (x,))


def integers(rank: Rank, x: Expr) -> Expr:
    """integers(x): np.asarray(x, dtype=int); a number that is written out is itself."""
    if isinstance(x, Const):
        return x
    return call("numpy.asarray", x, dtype=Const("int", "int"))


def integral(rank: Rank, dtype: Expr) -> Expr:
    """integral(dtype): whether a dtype argument is one of integers or booleans."""
    return Const(dtype != Const(None) and sort_of_dtype(dtype) in "biu")


def sequence_of(x: Expr) -> tuple[Expr, ...] | None:
    """The entries of a list or tuple that is written out, or None."""
    if isinstance(x, Const) and isinstance(x.value, tuple):
        x = lift(x.value)
    return x.args if isinstance(x, Apply) and x.op in ("tuple", "list") else None


def as_array(rank: Rank, x: Expr) -> Expr:
    """as_array(x): np.array(x) of a list or tuple that is written out, else x."""
    entries = sequence_of(x)
    return x if entries is None else call("numpy.array", Apply("list", entries))


def selected(rank: Rank, mask: Expr, value: Expr) -> Expr:
    """selected(mask, value): 0 where the mask is false; a mask of None is no mask."""
    if mask == Const(None):
        return value
    return call("numpy.where", mask, value, Const(0))


def both(rank: Rank, condition: Expr, mask: Expr) -> Expr:
    """both(condition, mask): where both are true; a mask of None is no mask."""
    if mask == Const(None):
        return condition
    return Apply("numpy.bitwise_and", (condition, mask), spelling="operator")


def others(rank: Rank, x: Expr, axis: Expr) -> Expr:
    """others(x, axis): all the axes of x but that one, or those."""
    mine, total = constant_value(axis, "axis"), rank(x)
    if total is None:
        refusal("an axis of an array whose rank is not known", "a shape fact")
    mine = mine if isinstance(mine, (tuple, list)) else (mine,)
    mine = [one % total for one in mine]
    rest = tuple(i for i in range(total) if i not in mine)
    return lift(rest[0] if len(rest) == 1 else rest)


def rising(rank: Rank, x: Expr, axis: Expr) -> Expr:
    """rising(x, axis): whether these axes of x are in order; one is."""
    axes = constant_value(axis, "axis")
    axes = axes if isinstance(axes, (tuple, list)) else (axes,)
    total = known_rank(rank, x, "a question about the axes")
    places = [one % total for one in axes]
    return Const(places == sorted(set(places)))


def at(rank: Rank, x: Expr, axis: Expr, index: Expr) -> Expr:
    """at(x, axis, i): the key of entry i along axis: x[:, i], or x[..., i] for -1."""
    where, whole = constant_value(axis, "axis") or 0, lift(slice(None))
    n, listed = rank(x), sequence_of(index)
    if n:
        where %= n
    if listed is not None:
        index = Apply("list", listed)  # a tuple would name axes
    before = (whole,) * where if where >= 0 else (Const(...),)
    after = (whole,) * (-where - 1)
    if not before and not after:
        return index
    return Apply("tuple", (*before, index, *after))


def between(
    rank: Rank, x: Expr, axis: Expr, start: Expr, stop: Expr, step: Expr = Const(None)
) -> Expr:
    """between(x, axis, start, stop): the key of a slice along axis, x[:, start:stop]."""
    return at(rank, x, axis, Apply("slice", (start, stop, step)))


def widths(rank: Rank, x: Expr, axis: Expr, n: Expr) -> Expr:
    """widths(x, axis, n): np.pad's, for n entries at both ends of one axis of x."""
    total = known_rank(rank, x, "np.diff")
    if total == 1:
        return n
    pairs = [Apply("tuple", (Const(0), Const(0)))] * total
    pairs[constant_value(axis, "axis")] = Apply("tuple", (n, n))
    return Apply("tuple", tuple(pairs))


def before(rank: Rank, whole: Expr, prepend: Expr, axis: Expr) -> Expr:
    """before(whole, prepend, axis): np.diff's: what was put before an array."""
    if rank(prepend) == 0:
        return getitem(whole, at(rank, whole, axis, Const(0)))
    return _cut(rank, whole, [], prepend, axis)


def amid(
    rank: Rank, whole: Expr, prepend: Expr, a: Expr, append: Expr, axis: Expr, n: Expr
) -> Expr:
    """amid(whole, prepend, a, append, axis, n): np.diff's: the array between those.

    Where an array may have no entries, or fewer than n, the whole is longer than
    its three parts, and zeros.
    """
    ends = [end for end in (prepend, append) if end != Const(None)]
    if n == Const(1) and all(rank(end) == 0 for end in ends):
        start = Const(None) if prepend == Const(None) else Const(1)
        stop = Const(None) if append == Const(None) else Const(-1)
        return getitem(whole, between(rank, a, axis, start, stop))
    return _cut(rank, whole, [prepend], a, axis)


def behind(
    rank: Rank, whole: Expr, prepend: Expr, a: Expr, append: Expr, axis: Expr
) -> Expr:
    """behind(whole, prepend, a, append, axis): np.diff's: what was put behind it."""
    if rank(append) == 0:
        return getitem(whole, at(rank, whole, axis, Const(-1)))
    return _cut(rank, whole, [prepend, a], append, axis)


def _cut(rank: Rank, whole: Expr, ahead: list[Expr], x: Expr, axis: Expr) -> Expr:
    ahead = [one for one in ahead if one != Const(None)]
    if None in map(rank, (*ahead, x)):
        arrays = Apply("tuple", (*ahead, x))
        return call("helper._part_along", whole, arrays, Const(len(ahead)), axis)
    start = total([_length(rank, one, axis) for one in ahead])
    stop = total([start, _length(rank, x, axis)])
    start = Const(None) if start == Const(0) else start
    return getitem(whole, between(rank, x, axis, start, stop))


def _length(rank: Rank, x: Expr, axis: Expr) -> Expr:
    """The length of x along an axis: 1 for a number that numpy stretches."""
    return extent(x, constant_value(axis, "axis")) if rank(x) else Const(1)


def small(rank: Rank, g: Expr) -> Expr:
    """small(d[z]): d[z] perhaps smaller than z, for where numpy stretches it."""
    return g.args[0] if isinstance(g, Apply) and g.op == "real" else g


def first_true(rank: Rank, masks: Expr, i: Expr) -> Expr:
    """first_true(masks, i): where masks[i] is true, and none of those before it."""
    index: int = static(i)
    found = masks.args[index]
    if index:
        before = masks.args[0]
        for mask in masks.args[1:index]:
            before = Apply("numpy.bitwise_or", (before, mask), spelling="operator")
        other = Apply("numpy.invert", (before,), spelling="operator")
        found = Apply("numpy.bitwise_and", (found, other), spelling="operator")
    return found


def any_true(rank: Rank, masks: Expr) -> Expr:
    """any_true(masks): where one of the masks is true."""
    found, *rest = masks.args
    for mask in rest:
        found = Apply("numpy.bitwise_or", (found, mask), spelling="operator")
    return found


SEQUENCES: dict[str, Callable[..., Expr]] = {
    "either": either,
    "truncated": truncated,
    "integers": integers,
    "integral": integral,
    "as_array": as_array,
    "selected": selected,
    "both": both,
    "others": others,
    "rising": rising,
    "at": at,
    "between": between,
    "widths": widths,
    "before": before,
    "amid": amid,
    "behind": behind,
    "small": small,
    "first_true": first_true,
    "any_true": any_true,
}
