"""What a loop adds to places of zeros once is stored there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Carried, Expr, Function, Let, Loop, Ref, Stmt, Var
from gradgen.ir.operators import ARRAY_PRODUCTS, SCALING
from gradgen.ir.walk import with_blocks
from gradgen.shapes.infer import Facts
from gradgen.simplify.cleared import Entries
from gradgen.simplify.instances import Instance, Stores
from gradgen.simplify.records import by_indices

# A place and where it is stored to.
Place = tuple[Expr, Instance]


def stored(function: Function, facts: Facts) -> Function:
    """The function that stores the only contribution to an entry of a gradient.

        before:  for t in reversed(range(1, len(x))):
                     d_x[t] += w * d_y[t]
                 d_x[0] += d_y[0]
        after:   for t in reversed(range(1, len(x))):
                     d_x[t] = w * d_y[t]
                 d_x[0] = d_y[0]

    A gradient that a loop adds up starts from zeros. No other round, no other line of
    the round and none before it meets the places. A contribution that is a sum over an
    axis is added, as people write it.
    """
    zeros: set[Var] = set()
    found: dict[Var, Let] = {}
    for at, stmt in enumerate(function.body):
        if isinstance(stmt, Let):
            if getattr(stmt.value, "op", "") == "numpy.zeros_like":
                zeros.add(stmt.var)
        elif isinstance(stmt, Loop) and stmt.note.derived:
            for slot in stmt.carried:
                if isinstance(slot.entry, Ref) and slot.entry.var in zeros:
                    found |= _alone(stmt, slot, function.body[at + 1 :], facts)
    if not found:
        return function
    return replace(function, body=_with(function.body, found))


def _with(body: Iterable[Stmt], found: Mapping[Var, Let]) -> tuple[Stmt, ...]:
    return tuple(
        found.get(stmt.var, stmt)
        if isinstance(stmt, Let)
        else with_blocks(stmt, lambda block: _with(block, found))
        for stmt in body
    )


def _alone(
    loop: Loop, slot: Carried, later: tuple[Stmt, ...], facts: Facts
) -> dict[Var, Let]:
    """The additions, to what a slot carries, at places that nothing else stores to."""
    if not facts.rank(Ref(slot.exit)):
        return {}
    entries = Entries(loop, facts)
    entries.follow(slot, loop)
    if not entries.known or all(let.value.op == "setitem" for let, _ in entries.stores):
        return {}
    proofs = Stores(facts, entries.lets, entries.inside - entries.indices)
    places: list[Place] = []
    for let, at in entries.stores:
        key = by_indices(let.value.args[1], at.loops, entries.inside, entries.lets)
        if key is None:
            return {}
        places.append((key, at))

    def is_alone(key: Expr, at: Instance) -> bool:
        return all(proofs.leave(one, where, key, at) for one, where in places)

    found = {
        let.var: _stored(let)
        for (let, _), place in zip(entries.stores, places, strict=True)
        if _is_addition(let.value) and is_alone(*place)
    }
    now = slot.exit
    for further, stmt in enumerate(later, 1):
        after = Instance((), (), entries.count + further, 0)
        value = stmt.value if isinstance(stmt, Let) else None
        if not isinstance(stmt, Let) or not isinstance(value, Apply):
            continue
        if value.op not in ("setitem", "additem") or value.args[0] != Ref(now):
            continue
        if _is_addition(value) and is_alone(value.args[1], after):
            lines = tuple(x for x in stmt.note.lines if x not in loop.note.lines)
            note = replace(stmt.note, lines=lines or stmt.note.lines)
            found[stmt.var] = replace(_stored(stmt), note=note)
        places.append((value.args[1], after))
        now = stmt.var
    return found


def _is_addition(value: Expr) -> bool:
    """Whether it adds to places what is not summed up there and then.

    d_w[k] += np.sum(d_out * x[k:]) stays a sum that goes on: k counts weights.
    """
    if not isinstance(value, Apply) or value.op != "additem":
        return False
    return not _is_summed(value.args[2])


def _is_summed(value: Expr) -> bool:
    """Whether a value is a sum over an axis, but for factors and a sign."""
    if not isinstance(value, Apply):
        return False
    if value.op in SCALING:
        return any(map(_is_summed, value.args))
    return value.op in ARRAY_PRODUCTS | {"numpy.sum"}


def _stored(let: Let) -> Let:
    """An addition as a store."""
    assert isinstance(let.value, Apply)
    return replace(let, value=replace(let.value, op="setitem"))
