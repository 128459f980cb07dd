"""Whether two keys of one array surely have no place in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import ARITHMETIC
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.indexing import key_items
from gradgen.shapes.spans import side

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

_START = Dim.of(0)
_REST = Const(...)
_WHOLE = Apply("slice", (Const(None),) * 3)
# Which parts of a key are numbers, and these. Keys of the same kinds that name other
# places have none in common.
Written = tuple[tuple[bool, ...], tuple[int, ...]]


def written(key: Expr) -> Written | None:
    """The place that a key names by numbers from 0 on, beside whole axes and `...`."""
    kinds: list[bool] = []
    numbers: list[int] = []
    for item in key_items(key):
        whole = item in (_REST, _WHOLE)
        kinds.append(not whole)
        if whole:
            continue
        value = item.value if isinstance(item, Const) else None
        if type(value) is not int or value < 0:
            return None
        numbers.append(value)
    return (tuple(kinds), tuple(numbers)) if numbers else None


@dataclass(frozen=True)
class _Places:
    """Places along an axis: from `start` up to `stop`, or to the end, in steps."""

    start: Dim
    stop: Dim | None
    step: int = 1


def apart(facts: Facts, a: Expr, b: Expr) -> bool:
    """Whether x[a] and x[b] surely share no place.

    True of 0 and 1, of :k and k:, of -1 and :-1, of ::2 and 1::2, and of h:2*h and
    3*h: where h is the size of an axis; along any axis that both keys name, counted
    from the last one behind `...`.
    """
    mine, its = key_items(a), key_items(b)
    if _REST in mine and _REST in its:
        head, tail = mine.index(_REST), mine.index(_REST) + 1
        if its.index(_REST) == head:
            ends = zip(mine[tail:][::-1], its[tail:][::-1])
            return _differ(facts, zip(mine[:head], its[:head])) or _differ(facts, ends)
    return _differ(facts, zip(mine, its))


def _differ(facts: Facts, items: Iterable[tuple[Expr, Expr]]) -> bool:
    """Whether two places along one of some axes share none."""
    for one, other in items:
        mine, its = _places(facts, one), _places(facts, other)
        if mine is None or its is None:
            return False  # it may stand for any number of axes
        if _ends_before(mine, its) or _ends_before(its, mine) or _between(mine, its):
            return True
    return False


def _places(facts: Facts, item: Expr) -> _Places | None:
    if isinstance(item, Apply) and item.op == "slice":
        start, stop, step = item.args
        if step not in (Const(None), Const(1)):
            steps = isinstance(step, Const) and type(step.value) is int
            if not steps or step.value < 1:
                return None
        return _Places(
            _START if start == Const(None) else _bound(facts, start),
            None if stop == Const(None) else _bound(facts, stop),
            step.value or 1,
        )
    if isinstance(item, Const) and type(item.value) is not int:
        return None
    if not (isinstance(item, Const) or facts.is_index(item)):
        return None
    place = facts.dim(item)
    after = place + ONE
    # The place after the last one is the end; -1 + 1 would be the first.
    return _Places(place, None if after == _START else after)


def _bound(facts: Facts, place: Expr) -> Dim:
    """Where a slice starts or ends; a size of its own where it may be None."""
    return facts.fresh_dim() if may_be_none(facts, place) else facts.dim(place)


def may_be_none(facts: Facts, place: Expr) -> bool:
    """Whether the bound of a slice may be None: x[:h] and x[h:] are then all of x both.

    What is computed is a number; an argument or an item of one may be anything.
    """
    if isinstance(place, Const):
        return place.value is None
    if isinstance(place, Ref):
        made = facts.definitions.get(place.var)
        if made is not None:
            return may_be_none(facts, made)
        # of two ways one may give None, which has no kind
        told = place.var.origin is Origin.PARAM
        told |= facts.size_of(place.var) in facts.spans  # the index of a loop
        told = told and place.var not in facts.bare
        return not (told and facts.is_index(place))
    if facts.is_index(place):
        return False
    return place.op not in ARITHMETIC | {"len", "size", "int", "numpy.size"}


def _ends_before(a: _Places, b: _Places) -> bool:
    """Whether all of `a` lies before all of `b`."""
    if a.stop is None:
        return False
    if a.stop == b.start:
        return True
    return side(a.stop) == side(b.start) != 0 and side(b.start - a.stop) > 0


def _between(a: _Places, b: _Places) -> bool:
    """Whether the steps of one never meet those of the other: ::2 and 1::2."""
    if a.step != b.step or side(a.start) < 1 or side(b.start) < 1:
        return False
    apart_by = (a.start - b.start).number
    return apart_by is not None and apart_by % a.step != 0
