"""Entries of a row are added to the array that the row is a part of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Stmt, Supply, Var
from gradgen.ir.operators import negative
from gradgen.ir.walk import lets, reads, uses, with_blocks
from gradgen.shapes.apart import apart, written
from gradgen.shapes.indexing import key_items
from gradgen.shapes.infer import Facts

ZEROS = "numpy.zeros_like"


def into_rows(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose gradient makes no row of zeros to add it to an array.

        before:  d_p = np.zeros_like(p)
                 d_p[0] = d_out * p[1]
                 d_p[1] = d_out * p[0]
                 d_points = np.zeros_like(points)
                 d_points[2] = d_p
        after:   d_points = np.zeros_like(points)
                 d_points[2, 0] = d_out * p[1]
                 d_points[2, 1] = d_out * p[0]

    Only where nothing else reads the row, no two of the keys, which are numbers and
    slices, share a place, and nothing that is added was read of the array itself.
    """
    if not any(let.note.derived and _stored(let) for let in lets(function.body)):
        return function
    body = _block(function.body, uses(function), facts, supply)
    if body == function.body:
        return function
    # a row of zeros may be added to a row of zeros
    return into_rows(replace(function, body=body), facts, supply)


def _block(
    source: Iterable[Stmt], counted: Counter[Var], facts: Facts, supply: Supply
) -> tuple[Stmt, ...]:
    body = [with_blocks(s, lambda b: _block(b, counted, facts, supply)) for s in source]
    made = {let.var: let for let in body if isinstance(let, Let)}
    new: dict[Var, list[Let]] = {}
    for let in made.values():
        parts = _parts(let, made, counted, facts)
        if parts is not None:
            zeros, whole, stores = parts
            if not new.keys().isdisjoint({zeros.var, *(one.let.var for one in stores)}):
                continue  # by the next round
            new |= {one.var: [] for one in (zeros, *(store.let for store in stores))}
            new[let.var] = _added(whole, stores, facts, supply)
    done: list[Stmt] = []
    for stmt in body:
        done += new.get(stmt.var, [stmt]) if isinstance(stmt, Let) else [stmt]
    return tuple(done)


@dataclass(frozen=True)
class _Store:
    """A statement that stores a value at a key of an array, or adds it there."""

    let: Let
    op: str
    array: Expr
    key: Expr
    value: Expr


def _stored(let: Let) -> _Store | None:
    value = let.value
    if not isinstance(value, Apply) or value.op not in ("setitem", "additem"):
        return None
    return _Store(let, value.op, *value.args) if len(value.args) == 3 else None


def _parts(
    let: Let, made: dict[Var, Let], counted: Counter[Var], facts: Facts
) -> tuple[Let, _Store, list[_Store]] | None:
    """The zeros that a row begins as, its addition, and the stores of its entries."""
    whole = _stored(let)
    if whole is None or not let.note.derived:
        return None
    if whole.op == "setitem" and not _is_empty(whole, made, facts):
        return None
    row = _plain(whole.value)
    if facts.is_list(whole.array) or not _is_place(whole.key, facts):
        return None
    stores: list[_Store] = []
    while isinstance(row, Ref) and counted[row.var] == 1 and row.var in made:
        zeros = made[row.var]
        store = _stored(zeros)
        if store is None:
            break
        stores.insert(0, store)
        row = store.array
    else:
        return None
    if not stores or getattr(zeros.value, "op", "") != ZEROS:
        return None
    if facts.rank(whole.array) != len(key_items(whole.key)) + (facts.rank(row) or 0):
        return None
    keys = [one.key for one in stores]
    if not all(_is_place(key, facts, or_part=True) for key in keys):
        return None
    if not all(apart(facts, a, b) for i, a in enumerate(keys) for b in keys[:i]):
        return None
    array = _versions(whole.array, made)
    known = any(array & set(reads(one.value)) for one in stores)
    return None if known else (zeros, whole, stores)


def _is_empty(store: _Store, made: dict[Var, Let], facts: Facts) -> bool:
    """Whether a place still holds the zeros that its array was made as."""
    array = store.array
    while isinstance(array, Ref) and array.var in made:
        let = made[array.var]
        before = _stored(let)
        if before is None:
            return getattr(let.value, "op", "") == ZEROS
        if not apart(facts, before.key, store.key):
            return False
        array = before.array
    return False


def _versions(array: Expr, made: dict[Var, Let]) -> set[Var]:
    """The variables of an array, from what it was before it was stored to."""
    found: set[Var] = set()
    while isinstance(array, Ref):
        found.add(array.var)
        before = made.get(array.var)
        store = None if before is None else _stored(before)
        if store is None:
            return found
        array = store.array
    return found


def _added(
    whole: _Store, stores: list[_Store], facts: Facts, supply: Supply
) -> list[Let]:
    """The additions of the entries, in the order of their places."""
    places = [written(store.key) for store in stores]
    if None not in places:
        stores = sorted(stores, key=lambda store: (written(store.key) or ())[1:])
    array, total = whole.array, whole.let.var
    found: list[Let] = []
    for store in stores:
        var = total
        if store is not stores[-1]:
            var = supply.var(total.name, total.origin)
            facts.shapes[var] = facts.of(array)
            facts.kinds[var] = facts.kind(array)
        both = Apply("tuple", (*key_items(whole.key), *key_items(store.key)))
        minus = whole.value != _plain(whole.value)
        amount = negative(store.value) if minus else store.value
        found.append(Let(var, Apply(whole.op, (array, both, amount)), store.let.note))
        array = Ref(var)
    return found


def _plain(value: Expr) -> Expr:
    is_negative = isinstance(value, Apply) and value.op == "numpy.negative"
    return value.args[0] if is_negative else value


def _is_place(key: Expr, facts: Facts, or_part: bool = False) -> bool:
    return all(
        facts.is_index(item) or or_part and getattr(item, "op", "") == "slice"
        for item in key_items(key)
    )
