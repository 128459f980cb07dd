"""The words of the rule files that are decided while emitting."""

from __future__ import annotations

from collections.abc import Callable

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import call, getitem, lift
from gradgen.ir.walk import static
from gradgen.rules.lengths import cut, total
from gradgen.rules.refusals import constant_value as _constant
from gradgen.rules.refusals import refusal as _refuse
from gradgen.rules.words_fft import FFT
from gradgen.rules.words_linalg import LINALG
from gradgen.rules.words_parts import PARTS
from gradgen.rules.words_products import PRODUCTS
from gradgen.rules.words_sequences import SEQUENCES
from gradgen.rules.words_dtypes import DTYPES
from gradgen.rules.words_shaping import SHAPING

Rank = Callable[[Expr], int | None]


def rank_word(rank: Rank, x: Expr) -> int | None:
    """rank(x): the number of dimensions of x, or None when it is not known."""
    return rank(x)


def rank_as_number(rank: Rank, x: Expr) -> Expr:
    """rank(x) as a part of an expression."""
    return Const(rank(x))


def is_number(rank: Rank, x: Expr) -> Expr:
    """is_number(x): whether x is a literal number."""
    number = isinstance(x, Const) and isinstance(x.value, (int, float, complex))
    return Const(number and not isinstance(x.value, bool))


def unused(rank: Rank, g: Expr) -> Expr:
    """unused(d[z[i]]): whether nothing reads that result."""
    return Const(g == Const(0))


def varies(rank: Rank, tangent: Expr) -> Expr:
    """varies(t[x]): whether the tangent is more than zeros, written out."""
    if isinstance(tangent, Apply) and tangent.op in ("tuple", "list"):
        return Const(any(varies(rank, item).value for item in tangent.args))
    zeros = isinstance(tangent, Apply) and tangent.op == "numpy.zeros_like"
    return Const(not zeros and tangent != Const(0))


def is_sequence(rank: Rank, x: Expr) -> Expr:
    """is_sequence(x): whether x is a list or tuple that is written out."""
    return Const(isinstance(x, Apply) and x.op in ("tuple", "list"))


def is_flat(rank: Rank, x: Expr) -> Expr:
    """is_flat(x): whether x is a list or tuple that is written out, of no lists."""
    items = x.args if is_sequence(rank, x).value else ()
    return Const(items != () and not any(is_sequence(rank, i).value for i in items))


def count_of(rank: Rank, xs: Expr) -> Expr:
    """count_of(xs): how many entries a list or tuple has that is written out, or 0."""
    return Const(len(xs.args) if is_sequence(rank, xs).value else 0)


def is_slice(rank: Rank, x: Expr) -> Expr:
    """is_slice(x): whether x is a slice that is written out."""
    return Const(isinstance(x, Apply) and x.op == "slice")


def only_expands(rank: Rank, key: Expr) -> Expr:
    """only_expands(key): whether the key is made of None, : and ... alone."""
    whole = Apply("slice", (Const(None),) * 3)
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return Const(all(item in (Const(None), Const(...), whole) for item in items))


def cleared(rank: Rank, g: Expr, key: Expr) -> Expr:
    """cleared(d[z], key): d[z] with zeros where a store went."""
    return Apply("setitem", (g, key, Const(0)))


def popped(rank: Rank, g: Expr) -> Expr:
    """popped(d[z]): the adjoints of a list without the last."""
    return Apply("popped", (g,))


def longer(rank: Rank, g: Expr, last: Expr) -> Expr:
    """longer(d[z], last): the adjoints of a list, and one of zeros behind them."""
    return Apply("append", (g, _zero(rank, last)))


def emptied(rank: Rank, g: Expr, i: Expr, item: Expr, old: Expr) -> Expr:
    """emptied(d[z], i, item, old): d[z] with zeros like old, where item went."""
    return Apply("put", (g, i, Apply("zeros_before", (item, old))))


def _zero(rank: Rank, like: Expr) -> Expr:
    return Const(0.0) if rank(like) == 0 else call("numpy.zeros_like", like)


def entries(rank: Rank, g: Expr) -> Expr:
    """entries(d[z]): an array as the list of its entries along the first axis."""
    return Apply("entries", (g,))


def split_like(rank: Rank, g: Expr, xs: Expr, axis: Expr) -> Expr:
    """split_like(d[z], xs, axis): an array as the list of its parts of xs's lengths."""
    return Apply("split_like", (g, xs, axis))


def array_of(rank: Rank, g: Expr) -> Expr:
    """array_of(d[z]): a list of adjoints of one shape as one array."""
    return Apply("stacked", (g,), spelling="name:numpy.array")


def joined_along(rank: Rank, g: Expr, axis: Expr) -> Expr:
    """joined_along(d[z], axis): a list of adjoints, one behind the other."""
    return Apply("concatenated", (g, axis), spelling="name:numpy.concatenate")


def unexpand(rank: Rank, g: Expr, key: Expr) -> Expr:
    """unexpand(d[z], key): the entry 0 of each axis that None added.

    Behind an ellipsis places count from the end: nothing may be left out there.
    """
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    new = [Const(0) if item == Const(None) else item for item in items]
    while new and new[-1] != Const(0):
        if Const(...) in new and Const(0) in new:
            break
        new.pop()
    if not new:
        return g
    return getitem(g, new[0] if len(new) == 1 else Apply("tuple", tuple(new)))


def refuse(rank: Rank, g: Expr, what: Expr, instead: Expr) -> Expr:
    """refuse(d[z], what, instead): raises GradgenError."""
    _refuse(what.value, instead.value)


def never(rank: Rank, g: Expr, what: Expr, instead: Expr) -> Expr:
    """never(d[z], what, instead): raises, also in forward mode: it is not linear."""
    _refuse(what.value, instead.value)


def dtype(rank: Rank, x: Expr) -> Expr:
    """dtype(x): x.dtype, or what numpy makes of x where x may be a number."""
    if not rank(x):
        return call("numpy.result_type", x)
    return Apply("dtype", (x,), spelling="attribute:dtype")


def unbroadcast(rank: Rank, c: Expr, x: Expr, *rest: Expr) -> Expr:
    """unbroadcast(c, x): c in full, summed to the shape of x."""
    if rest:
        return Apply("unbroadcast", (c, x, *rest))
    return Apply("unbroadcast", (c, Const(None), x))


def inverse(rank: Rank, axes: Expr) -> Expr:
    """inverse(axes): the permutation that undoes axes; None stays None."""
    order = _constant(axes, "axes")
    if order is None:
        return Const(None)
    if isinstance(order, int):  # of a vector
        order = (order,)
    if not all(isinstance(axis, int) for axis in order):
        _refuse(f"axes={order!r}", "axes=(1, 0)")
    order = [axis % len(order) for axis in order]
    if sorted(order) != list(range(len(order))):
        _refuse(f"axes={_constant(axes, 'axes')!r}", "each axis once")
    return lift(tuple(order.index(i) for i in range(len(order))))


def layer(rank: Rank, g: Expr, i: Expr, axis: Expr) -> Expr:
    """layer(d[z], i, axis): the i-th entry of d[z] along axis."""
    where = _constant(axis, "axis")
    index = static(i)
    if where == 0:
        return getitem(g, index)
    if where > 0:
        return getitem(g, (slice(None),) * where + (index,))
    if where == -1:
        return getitem(g, (..., index))
    return getitem(g, (..., index) + (slice(None),) * (-where - 1))


def part(rank: Rank, g: Expr, arrays: Expr, i: Expr, axis: Expr) -> Expr:
    """part(d[z], arrays, i, axis): the slice of d[z] that came from arrays[i]."""
    where = _constant(axis, "axis")
    index = static(i)
    ends = [cut(array, where) for array in arrays.args]
    start = total(ends[:index]) if index else Const(None)
    last = index == len(ends) - 1
    stop = Const(None) if last else total(ends[: index + 1])
    piece = Apply("slice", (start, stop, Const(None)))
    if not where:
        return getitem(g, piece)
    if where > 0:
        key = (Apply("slice", (Const(None),) * 3),) * where + (piece,)
        return getitem(g, Apply("tuple", key))
    tail = (Apply("slice", (Const(None),) * 3),) * (-where - 1)
    return getitem(g, Apply("tuple", (Const(...), piece, *tail)))


WORDS: dict[str, Callable[..., Expr]] = {
    "rank": rank_as_number,
    "is_number": is_number,
    "unused": unused,
    "varies": varies,
    "is_sequence": is_sequence,
    "cleared": cleared,
    "emptied": emptied,
    "entries": entries,
    "split_like": split_like,
    "array_of": array_of,
    "joined_along": joined_along,
    "longer": longer,
    "count_of": count_of,
    "is_flat": is_flat,
    "is_slice": is_slice,
    "only_expands": only_expands,
    "popped": popped,
    "unexpand": unexpand,
    "refuse": refuse,
    "never": never,
    "dtype": dtype,
    "unbroadcast": unbroadcast,
    "inverse": inverse,
    "layer": layer,
    "part": part,
    **DTYPES,
    **SHAPING,
    **PRODUCTS,
    **LINALG,
    **PARTS,
    **SEQUENCES,
    **FFT,
}
