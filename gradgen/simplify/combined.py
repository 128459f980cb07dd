"""What is added at the same places of an array twice is added once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Role, Stmt, Var
from gradgen.ir.operators import add, multiply
from gradgen.ir.walk import uses, with_blocks
from gradgen.shapes.apart import Written, written
from gradgen.shapes.infer import Facts
from gradgen.simplify.terms import shortest

ADDITIONS = ("additem", "add_at")
# from so many on, sums at the same places are not looked at one by one
MANY = 8


def combined(function: Function, facts: Facts) -> Function:
    """The function with one line where the same entries are added to twice.

        before:  d_x[1:] = 2 * d_out * x[1:]
                 d_x[1:] += d_gap
                 d_x[:-1] -= d_gap
        after:   d_x[1:] = 2 * d_out * x[1:] + d_gap
                 d_x[:-1] -= d_gap

    Additions into an array that nothing reads in between may be made in any order, and
    so may stores at places that are written out: d_x[0] and d_x[1].
    """
    body = _block(function.body, uses(function), facts.remembering())
    return function if body == function.body else replace(function, body=body)


def _block(
    source: Iterable[Stmt], counted: Counter[Var], facts: Facts
) -> tuple[Stmt, ...]:
    body = [with_blocks(stmt, lambda b: _block(b, counted, facts)) for stmt in source]
    new: dict[Var, Let | None] = {}
    for chain in _chains(body, counted):
        if len(chain) > 1:
            new |= _once(chain, facts)
    done: list[Stmt] = []
    for stmt in body:
        found = new.get(stmt.var, stmt) if isinstance(stmt, Let) else stmt
        if found is not None:
            done.append(found)
    return tuple(done)


def _chains(body: Iterable[Stmt], counted: Counter[Var]) -> list[list[Let]]:
    """The stores and additions to one array, each of which nothing reads but the next.

    Of stores that follow one another each is at another place than those before.
    """
    chains: list[list[Let]] = []
    ends: dict[Var, tuple[list[Let], set[Written]]] = {}
    for stmt in body:
        if not isinstance(stmt, Let) or not _stores(stmt):
            continue
        base, place = stmt.value.args[0], written(stmt.value.args[1])
        chain: list[Let] = []
        stored: set[Written] = set()
        if isinstance(base, Ref) and counted[base.var] == 1 and base.var in ends:
            before, places = ends[base.var]
            adds = stmt.value.op in ADDITIONS
            if adds or place and len(before) == len(places) and place not in places:
                chain, stored = before, places
        if not chain:
            chains.append(chain)
        chain.append(stmt)
        if place and stmt.value.op == "setitem":
            stored.add(place)
        ends[stmt.var] = chain, stored
    return chains


def _kinds(chain: list[Let]) -> tuple[bool, ...] | None:
    """The kinds of the keys of a chain, where they are written out and all alike."""
    places = [written(link.value.args[1]) for link in chain]
    kinds = {place and place[0] for place in places}
    return kinds.pop() if len(kinds) == 1 else None


def _once(chain: list[Let], facts: Facts) -> dict[Var, Let | None]:
    """The additions of a chain, None for those that have gone into a later one."""
    parts: dict[tuple[str, Expr], list[Let]] = {}
    last: dict[tuple[str, Expr], int] = {}
    keys: list[tuple[str, Expr]] = []
    apart = _kinds(chain) is not None
    for i, link in enumerate(chain):
        key = link.value.op, link.value.args[1]
        stored = "setitem", key[1]
        if (i == 1 or apart) and stored in parts and key[0] == "additem":
            key = stored
        keys.append(key)
        last[key] = i
        parts.setdefault(key, []).append(link)
    totals = {key: _total(links, facts) for key, links in parts.items()}
    new: dict[Var, Let | None] = {}
    base = chain[0].value.args[0]
    for i, link in enumerate(chain):
        if last[keys[i]] != i:
            new[link.var] = None
            continue
        total = totals[keys[i]]
        args = (base, *total.value.args[1:])
        new[link.var] = replace(total, value=replace(total.value, args=args))
        base = Ref(link.var)
    return new


def _total(links: list[Let], facts: Facts) -> Let:
    """The last of some stores at the same places, with what all of them bring there.

    Few are put into their shortest form one after the other, many at once.
    """
    first, *others = links
    value = first.value.args[2]
    for i, link in enumerate(others):
        part = link.value.args[2]
        value = multiply(Const(2), value) if value == part else add(value, part)
        if len(others) < MANY or i == len(others) - 1:
            value = shortest(value, facts)
    seen = [line for link in links[::-1] for line in link.note.lines]
    last = links[-1]
    args = (*last.value.args[:2], value)
    return replace(
        last,
        value=replace(first.value, args=args),
        note=replace(last.note, lines=tuple(dict.fromkeys(seen))),
    )


def _stores(let: Let) -> bool:
    value = let.value
    if let.note.role is not Role.GRAD or not isinstance(value, Apply):
        return False
    return value.op in (*ADDITIONS, "setitem") and len(value.args) == 3
