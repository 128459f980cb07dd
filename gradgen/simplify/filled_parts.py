"""Stores that fill an array part by part along an axis: np.concatenate of the parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref
from gradgen.ir.operators import ARITHMETIC, add, call, getitem
from gradgen.shapes.apart import may_be_none
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR

# more parts than a person writes out
MOST = 8
WHOLE = Apply("slice", (Const(None),) * 3)


@dataclass(frozen=True)
class Segment:
    """What stands in an array along `axis` from `start` to `stop`; None is its end.

    `is_entry` is one of a vector, `is_added` what is added to what stood there.
    """

    axis: int
    start: Expr
    stop: Expr
    value: Expr
    is_entry: bool = False
    is_added: bool = False


def dtype_of(zeros: Let, facts: Facts) -> Expr:
    """The dtype of zeros: that which they are told, or that of what they are like."""
    like = _viewed(zeros.value.args[0], facts)
    own = Apply("dtype", (like, *zeros.value.args[1:]), spelling="attribute:dtype")
    return dict(zeros.value.kwargs).get("dtype", own)


def _viewed(array: Expr, facts: Facts) -> Expr:
    """The array that one is a part of, which has its dtype; of a list nothing is known."""
    while True:
        made = facts.definitions.get(array.var) if isinstance(array, Ref) else array
        if not isinstance(made, Apply) or made.op != "getitem" or facts.is_list(array):
            return array
        base = made.args[0]
        if not isinstance(base, Ref) or not facts.rank(base) or facts.is_list(base):
            return array
        array = base


def concatenated(chain: Sequence[Let], facts: Facts) -> Expr | None:
    """The array of the parts that a chain of stores puts into zeros.

    before:  d_x = np.zeros_like(x)
             d_x[:, h:] = d_right
             d_x[:, :h] += d_left
    after:   d_x = np.concatenate([d_left, d_right], axis=1)

    x[:h] and x[h:] are the whole of x for every number h. Of more parts, and where the places
    are numbers, the lengths have to add up to the whole. Entries beside each other are a list: [d_a, d_b]. None where a part may
    be missing, overlap another, or have another shape than its place; what may be of
    float64 is cast.
    """
    zeros = chain[0].value.args[0]
    if not 1 < len(chain) - 1 <= MOST or facts.kind(zeros) is not Kind.LIKE:
        return None
    found = [_segment(let, zeros, facts) for let in chain[1:]]
    parts = [one for one in found if one is not None]
    if len(parts) != len(found) or len({one.axis for one in parts}) > 1:
        return None
    ordered = _ordered(parts, zeros, facts)
    if ordered is None:
        return None
    pieces: list[list[Segment]] = []
    for one in ordered:
        if one.is_entry and pieces and pieces[-1][0].is_entry:
            pieces[-1].append(one)
        else:
            pieces.append([one])
    if len(pieces) < 2:
        return None
    values = [
        Apply("list", tuple(one.value for one in piece))
        if piece[0].is_entry
        else piece[0].value
        for piece in pieces
    ]
    axis = ordered[0].axis
    kwargs = (("axis", Const(axis)),) if axis else ()
    joined = call("numpy.concatenate", Apply("list", tuple(values)))
    whole = Apply(joined.op, joined.args, kwargs)
    if all(facts.kind(one.value) is Kind.LIKE for one in ordered):
        return whole
    dtype = dtype_of(chain[0], facts)
    return Apply("astype", (whole, dtype), spelling="method:astype")


def _segment(let: Let, zeros: Expr, facts: Facts) -> Segment | None:
    """The part of a store, where it is one along one axis and fits its place."""
    assert isinstance(let.value, Apply)
    _, key, value = let.value.args
    is_added = let.value.op == "additem"
    if facts.kind(value) is Kind.OTHER:
        return None
    if facts.is_complex(value) != facts.is_complex(zeros):
        return None
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    last = items[-1]
    axis = len(items) - 1
    if items[:-1] == (Const(...),):
        axis = -1
    elif any(item != WHOLE for item in items[:-1]):
        return None
    if isinstance(last, Const) and type(last.value) is int:
        alone = len(items) == 1 and facts.rank(zeros) == 1
        if not alone or facts.of(value) != SCALAR:
            return None
        end = None if last.value == -1 else last.value + 1
        return Segment(0, last, Const(end), value, True, is_added)
    if (
        facts.kind(value) not in (Kind.LIKE, Kind.WIDE)
        or not isinstance(last, Apply)
        or last.op != "slice"
        or last.args[2] != Const(None)
    ):
        return None
    place = getitem(zeros, key)
    names = [Ref(var) for var, made in facts.definitions.items() if made == place]
    if facts.rank(value) == 0 or not any(facts.same(value, e) for e in (place, *names)):
        return None
    bounds = [arg for arg in last.args[:2] if arg != Const(None)]
    if any(may_be_none(facts, bound) for bound in bounds):
        return None
    start, stop = (_written_out(arg, facts) for arg in last.args[:2])
    start = Const(None) if start == Const(0) else start
    return Segment(axis, start, stop, value, False, is_added)


def _ordered(parts: list[Segment], zeros: Expr, facts: Facts) -> list[Segment] | None:
    """The parts in their order, if each begins where the one before it ends."""
    if len(parts) == 2 and not any(one.is_entry for one in parts):
        left, right = parts if parts[0].start == Const(None) else reversed(parts)
        ends = left.start == Const(None) and right.stop == Const(None)
        met = left.stop == right.start and not isinstance(left.stop, Const)
        if ends and met:
            return [left, right]
    linked = _linked(parts, zeros, facts)
    if linked is not None:
        return linked
    dims = facts.of(zeros).dims
    length = dims[parts[0].axis].number if dims else None
    spans: dict[int, tuple[int, Segment]] = {}
    for one in parts:
        start = 0 if one.start == Const(None) else _number(one.start)
        stop = length if one.stop == Const(None) else _number(one.stop)
        if start is None or stop is None or not 0 <= start < stop:
            return None
        if start in spans:
            end, before = spans[start]
            if end != stop or not one.is_added:
                return None
            one = replace(one, value=add(before.value, one.value))
        spans[start] = stop, one
    at, found = 0, []
    while at in spans:
        at, one = spans.pop(at)
        found.append(one)
    return found if not spans and at == length else None


def _linked(parts: list[Segment], zeros: Expr, facts: Facts) -> list[Segment] | None:
    """Parts of known lengths, [:h], [h:2 * h], [2 * h:], that add up to the whole.

    Of a number, [:2], an array may have less, but beside an entry: [:-1] and [-1]. Of
    one entry [0] and [-1] are the same.
    """
    places = (_number(place) for one in parts for place in (one.start, one.stop))
    if len({place < 0 for place in places if place is not None}) > 1:
        return None
    starts = {Const(None) if one.start == Const(0) else one.start: one for one in parts}
    at: Expr = Const(None)
    found: list[Segment] = []
    while at in starts:
        found.append(starts.pop(at))
        at = found[-1].stop
        beside = found[-1].is_entry or at in starts and starts[at].is_entry
        if at == Const(None) or isinstance(at, Const) and not beside:
            break
    whole = facts.of(zeros).dims
    if len(found) != len(parts) or at != Const(None) or whole is None:
        return None
    total = Dim.of(0)
    for one in found:
        dims = (ONE,) if one.is_entry else facts.of(one.value).dims
        if dims is None or len(dims) != len(whole):
            return None
        total += dims[one.axis]
    return found if total == whole[found[0].axis] else None


def _written_out(place: Expr, facts: Facts) -> Expr:
    """A place with the user's subexpressions in it: 2 * n."""
    if not isinstance(place, Ref) or place.var.origin is not Origin.TEMP:
        return place
    made = facts.definitions.get(place.var)
    return made if isinstance(made, Apply) and made.op in ARITHMETIC else place


def _number(place: Expr) -> int | None:
    is_int = isinstance(place, Const) and type(place.value) is int
    return place.value if is_int else None
