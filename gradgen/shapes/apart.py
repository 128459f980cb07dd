"""Whether two keys of one array surely have no place in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.indexing import key_items
from gradgen.shapes.spans import side

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

_START = Dim.of(0)


@dataclass(frozen=True)
class _Places:
    """Places along an axis: from `start` up to `stop`, or to the end, in steps."""

    start: Dim
    stop: Dim | None
    step: int = 1


def apart(facts: Facts, a: Expr, b: Expr) -> bool:
    """Whether x[a] and x[b] surely share no place.

    True of 0 and 1, of :k and k:, of -1 and :-1, of ::2 and 1::2, and of h:2*h and
    3*h: where h is the size of an axis; along any axis that both keys name.
    """
    for one, other in zip(key_items(a), key_items(b)):
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
            _START if start == Const(None) else facts.dim(start),
            None if stop == Const(None) else facts.dim(stop),
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
