"""The lengths of slices: x[1:], x[k : k + 1], x[:-i]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.walk import is_static, reads, static
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.spans import is_no_less

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts


def sliced(facts: Facts, dim: Dim, item: Apply) -> Dim:
    """The length of a slice.

    x[1:] has n - 1 entries, and x[k : k + 1] one. How many x[:3] has depends on
    n; all that is known is that the same slice has the same length.
    """
    key = _numbers(facts, item)
    if key is None:
        return _between(facts, dim, item) or facts.fresh_dim()
    if dim.number is not None:
        return Dim.of(len(range(*key.indices(dim.number))))
    if key.step == -1 and key.start is None and key.stop is None:
        return dim
    start, stop = key.start or 0, key.stop
    if key.step in (None, 1):
        if start >= 0 and (stop is None or stop < 0):
            return dim + Dim.of((stop or 0) - start)
        if stop is not None and stop - start == 1 and (start >= 0) == (stop > 0):
            return ONE
        if start == -1 and stop is None:
            return ONE
        known = _inside(facts, dim, start, stop)
        if known is not None:
            return known
    if key.step is not None and 0 <= start < key.step and stop is None:
        part = dim.divided_by(Dim.of(key.step))  # x[1::2] of 2*k entries
        if part is not None:
            return part
    return Dim.of(f"?{dim}[{key.start}:{key.stop}:{key.step}]")


def _inside(facts: Facts, dim: Dim, start: int, stop: int | None) -> Dim | None:
    """The length of a slice between places that the axis surely has."""
    first, last = Dim.of(start), dim if stop is None else Dim.of(stop)
    first = first if start >= 0 else dim + first
    last = last if stop is None or stop >= 0 else dim + last
    ends = (first, dim - last, last - first)
    return last - first if all(is_no_less(facts, end) for end in ends) else None


def _numbers(facts: Facts, item: Apply) -> slice | None:
    """A slice of numbers that are written, or computed of such: x[: -2 + 1]."""
    if is_static(item):
        known: slice = static(item)
        return known
    ends: list[int | None] = []
    for end in item.args:
        number = None if end == Const(None) else facts.dim(end).number
        if number is None and end != Const(None):
            return None
        ends.append(number)
    return slice(*ends)


def _between(facts: Facts, dim: Dim, item: Apply) -> Dim | None:
    """The length of x[a : b], where both are surely places of the axis, or its end.

    Where they may lie beyond it, all that is known is that the same slice of the same
    axis has the same length.
    """
    start, stop, step = item.args
    if step != Const(None):
        return None
    lag = lag_of(facts, item)
    if lag is not None:
        return Dim.of(f"?{dim}[{facts.size_of(lag)}:]")
    first = Dim.of(0) if start == Const(None) else _from_start(facts, dim, start)
    last = dim if stop == Const(None) else _from_start(facts, dim, stop)
    inside = is_no_less(facts, first) and _is_a_length(facts, dim - last)
    inside = inside and _is_a_length(facts, last - first)
    unknown = {name for name in first.names | last.names if name.startswith("?")}
    varies = bool(unknown) and any(facts.homes.get(var) for var in reads(item))
    counted = {name for name in (last - first).names if name.startswith("?")}
    # an index is one length in a round; what stands in no arm and no round is one
    if inside and (not varies or counted <= facts.spans.keys()):
        return last - first
    if varies:
        return None  # what an arm or a round has computed
    return Dim.of(f"?{dim}[{first}:{last}]")


def lag_of(facts: Facts, item: Apply) -> Var | None:
    """The k of x[k:] and of x[:-k], which have as many entries, where it is no length.

    However large k is, and of whatever sign: of x[-2:] and x[:2] both are 2. Of k = 0
    they have not, and the text raises (facts/claimed.py); of an index in rounds it is
    known that it is no 0.
    """
    start, stop, step = item.args
    if step != Const(None) or (start == Const(None)) == (stop == Const(None)):
        return None
    end = start
    if is_behind(item):
        made = facts.definitions.get(stop.var) if isinstance(stop, Ref) else stop
        if not isinstance(made, Apply) or made.op != "numpy.negative":
            return None
        end = made.args[0]
    if not isinstance(end, Ref):
        return None
    size = facts.dim(end)
    if size.symbol != facts.size_of(end.var):
        return None
    varies = bool(facts.homes.get(end.var, ()))
    return None if varies and not is_no_less(facts, size - ONE) else end.var


def is_behind(item: Apply) -> bool:
    """Whether a slice is x[:k]."""
    return item.args[0] == Const(None)


def _from_start(facts: Facts, dim: Dim, end: Expr) -> Dim:
    """An end of a slice, counted from the first entry: n - k of x[:-k]."""
    found = facts.dim(end)
    return dim + found if is_no_less(facts, Dim.of(0) - found - ONE) else found


def _is_a_length(facts: Facts, size: Dim) -> bool:
    """Whether a size is 0 or more: surely, or since some array has an axis of it."""
    axes = (shape.dims or () for shape in facts.shapes.values())
    return is_no_less(facts, size) or any(size in dims for dims in axes)
