"""What is added to a part of a part of an array is added there at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref
from gradgen.ir.nodes import Stmt, Supply, Var
from gradgen.ir.operators import getitem
from gradgen.ir.walk import lets, reads, substitute, uses
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

WHOLE = Apply("slice", (Const(None),) * 3)
NONE = Const(None)


def placed(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose gradient has no zeros around what is added to an array.

        before:  d_gap = np.zeros_like(gap)
                 d_gap[:-1] = 2 * d_out * gap[:-1]
                 d_x = np.zeros_like(x)
                 d_x[1:] = d_gap
                 d_x[:-1] -= d_gap
        after:   d_gap = 2 * d_out * gap[:-1]
                 d_x = np.zeros_like(x)
                 d_x[1:-1] = d_gap
                 d_x[:-2] -= d_gap

    Only where all that reads the zeros is additions to parts, and both parts are slices
    that count from the front to the end by numbers.
    """
    if not any(let.note.derived and _is_zeros(let) for let in lets(function.body)):
        return function
    body = _block(function.body, uses(function), facts, supply)
    return function if body == function.body else replace(function, body=body)


def _block(
    source: Iterable[Stmt], counted: Counter[Var], facts: Facts, supply: Supply
) -> tuple[Stmt, ...]:
    body = tuple(source)
    made = {let.var: let for let in lets(body)}
    for var in [stmt.var for stmt in body if isinstance(stmt, Let)]:
        store = made.get(var)  # as it is by now: what was placed may be a part itself
        if store is None:
            continue
        zeros = _zeros_of(store, made, counted)
        if zeros is None:
            continue
        assert isinstance(store.value, Apply)
        _, key, value = store.value.args
        adds = [stmt for stmt in body if store.var in _read(stmt)]
        new = [_added(stmt, store, key, made, facts) for stmt in adds]
        known = len(new) == counted[store.var] and None not in new
        if not known or not _fits(value, store, key, facts):
            continue
        part = supply.var(store.var.name, Origin.NAMED)
        facts.shapes[part] = facts.of(value)
        facts.kinds[part] = facts.kind(value)
        named = Let(part, value, store.note)
        swaps = {id(old): one for old, one in zip(adds, new)}
        done: list[Stmt] = []
        for stmt in body:
            if stmt is zeros:
                continue
            if stmt is store:
                done.append(named)
            elif id(stmt) in swaps:
                let = swaps[id(stmt)]
                assert let is not None
                done.append(
                    replace(let, value=substitute(let.value, {store.var: Ref(part)}))
                )
            else:
                done.append(stmt)
        body = tuple(done)
        made = {let.var: let for let in lets(body)}
    return body


def _fits(value: Expr, store: Let, key: Expr, facts: Facts) -> bool:
    """Whether what is stored has the shape of its place: nothing is stretched."""
    assert isinstance(store.value, Apply)
    place = getitem(store.value.args[0], key)
    return bool(facts.rank(value)) and equal(facts.of(value), facts.of(place))


def _zeros_of(store: Let, made: dict[Var, Let], counted: Counter[Var]) -> Let | None:
    """The zeros that a statement stores a part into, which nothing else reads."""
    value = store.value
    stores = isinstance(value, Apply) and value.op in ("setitem", "additem")
    if not stores or not store.note.derived or len(value.args) != 3:
        return None
    base, key, _ = value.args
    if not isinstance(base, Ref) or _bounds(key) is None or counted[base.var] != 1:
        return None
    zeros = made.get(base.var)
    return zeros if zeros is not None and _is_zeros(zeros) else None


def _is_zeros(let: Let) -> bool:
    return isinstance(let.value, Apply) and let.value.op == "numpy.zeros_like"


def _read(stmt: Stmt) -> tuple[Var, ...]:
    return reads(stmt.value) if isinstance(stmt, Let) else ()


def _added(
    stmt: Stmt, store: Let, key: Expr, made: dict[Var, Let], facts: Facts
) -> Let | None:
    """The addition of an array of zeros with a part as that of the part."""
    value = stmt.value if isinstance(stmt, Let) else None
    if not isinstance(value, Apply) or len(value.args) != 3:
        return None
    base, outer, added = value.args
    before = made.get(base.var) if isinstance(base, Ref) else None
    empty = before is not None and _is_zeros(before)
    if value.op != "additem" and not (empty and value.op == "setitem"):
        return None
    plain = added.args[0] if _is_negative(added) else added
    if plain != Ref(store.var):
        return None
    if not equal(facts.of(plain), facts.of(getitem(base, outer))):
        return None
    both = _within(outer, key)
    if both is None:
        return None
    assert isinstance(stmt, Let)
    return replace(stmt, value=replace(value, args=(base, both, added)))


def _is_negative(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op == "numpy.negative"


def _bounds(key: Expr) -> list[tuple[int, int]] | None:
    """How many entries slices leave out at the front and at the end, of each axis."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    found = []
    for item in items:
        if not isinstance(item, Apply) or item.op != "slice" or item.args[2] != NONE:
            return None
        start, stop = (getattr(one, "value", 0.5) for one in item.args[:2])
        if start is not None and (type(start) is not int or start < 0):
            return None
        if stop is not None and (type(stop) is not int or stop >= 0):
            return None
        found.append((start or 0, -(stop or 0)))
    return found


def _within(outer: Expr, inner: Expr) -> Expr | None:
    """The key of a part of a part: x[1:][:-1] is x[1:-1]."""
    one, other = _bounds(outer), _bounds(inner)
    if one is None or other is None:
        return None
    axes = max(len(one), len(other))
    pairs = zip(*(bounds + [(0, 0)] * (axes - len(bounds)) for bounds in (one, other)))
    items = [_slice(a + c, b + d) for (a, b), (c, d) in pairs]
    return items[0] if axes == 1 else Apply("tuple", tuple(items))


def _slice(start: int, left: int) -> Expr:
    if not start and not left:
        return WHOLE
    first, last = Const(start or None), Const(-left or None)
    return Apply("slice", (first, last, NONE))
