"""The lists that a loop only appends to, and that the way back reads by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Carried,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.walk import all_defined, own_expressions, reads, subexpressions
from gradgen.ir.walk import statements

# the keys of a read, the outermost list's first
Place = tuple[Expr, ...]


@dataclass(frozen=True)
class Level:
    """A list of one loop: what goes round, its first line, and what appends to it."""

    loop: Loop
    slot: Carried
    start: Let
    append: Let


@dataclass(frozen=True)
class Kept:
    """A value that each round keeps in a list; in a nest, in a list of lists.

    `levels` are the lists from the innermost loop's outwards. The loop `back` reads
    the value at `place`, and nothing else reads the lists.
    """

    item: Expr
    levels: tuple[Level, ...]
    place: Place
    back: Loop

    @property
    def loop(self) -> Loop:
        """The innermost loop."""
        return self.levels[0].loop

    @property
    def whole(self) -> Var:
        """The list that the way back reads."""
        return self.levels[-1].slot.exit


def kept_lists(function: Function) -> list[Kept]:
    """The values that loops keep, each read at one place of each round."""
    every = tuple(statements(function.body))
    counted = Counter(
        node.var
        for stmt in every
        for expr in own_expressions(stmt)
        for node in subexpressions(expr)
        if isinstance(node, Ref)
    )
    for expr in (*function.values, *(result.value for result in function.results)):
        counted.update(reads(expr))
    levels = {level.slot.exit: level for level in _levels(every, counted)}
    outer = {
        level.append.value.args[1].var: level
        for level in levels.values()
        if isinstance(level.append.value.args[1], Ref)
    }
    back = [_Back(loop) for loop in every if _is_way_back(loop)]
    found = []
    for first in levels.values():
        item = first.append.value.args[1]
        if isinstance(item, Ref) and item.var in levels:
            continue  # a list of lists: the inner one tells of it
        chain = [first]
        while chain[-1].slot.exit in outer and counted[chain[-1].slot.exit] == 1:
            chain.append(outer[chain[-1].slot.exit])
        kept = _read(item, tuple(chain), back, counted)
        if kept is not None:
            found.append(kept)
    return found


def _levels(every: tuple[Stmt, ...], counted: Counter[Var]) -> Iterator[Level]:
    """The lists that start empty and that each round of a loop appends to, once."""
    starts = {
        stmt.var: stmt
        for stmt in every
        if isinstance(stmt, Let) and stmt.value == Apply("list", ())
    }
    for loop in every:
        if not isinstance(loop, Loop) or loop.note.role is Role.GRAD:
            continue
        ends = {
            stmt.var: stmt
            for stmt in loop.body
            if isinstance(stmt, Let) and isinstance(stmt.value, Apply)
            if stmt.value.op == "append"
        }
        for slot in loop.carried:
            if slot.inner.origin is not Origin.SAVED:
                continue
            if not isinstance(slot.entry, Ref) or not isinstance(slot.next, Ref):
                continue
            start, append = starts.get(slot.entry.var), ends.get(slot.next.var)
            if start is None or append is None:
                continue
            once = (start.var, append.var, slot.inner)
            alone = append.value.args[0] == Ref(slot.inner)
            if alone and all(counted[var] == 1 for var in once):
                yield Level(loop, slot, start, append)


def _is_way_back(stmt: Stmt) -> TypeGuard[Loop]:
    return isinstance(stmt, Loop) and stmt.note.role is Role.GRAD


class _Back:
    """A loop of the way back, with the places at which it reads each list."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.places: dict[tuple[Var, int], list[Place]] = {}
        for expr in _expressions(loop.body):
            for node in subexpressions(expr):
                if (read := entry(node)) is not None:
                    whole, place = read
                    self.places.setdefault((whole, len(place)), []).append(place)


def _read(
    item: Expr,
    levels: tuple[Level, ...],
    back: list[_Back],
    counted: Counter[Var],
) -> Kept | None:
    """What is kept, if one loop reads it, and each time at the same place."""
    whole, depth = levels[-1].slot.exit, len(levels)
    for one in back:
        if one.loop.mark != levels[0].loop.mark:
            continue
        places = one.places.get((whole, depth), [])
        if not places or len(places) != counted[whole] or len(set(places)) > 1:
            continue
        own = set(all_defined(one.loop.body))
        if own.isdisjoint(var for key in places[0] for var in reads(key)):
            return Kept(item, levels, places[0], one.loop)
    return None


def _expressions(body: Iterable[Stmt]) -> Iterator[Expr]:
    for stmt in statements(body):
        yield from own_expressions(stmt)


def entry(expr: Expr) -> tuple[Var, Place] | None:
    """The list that an expression reads an entry of, and its keys: whole[i][j]."""
    keys: list[Expr] = []
    while isinstance(expr, Apply) and expr.op == "getitem":
        keys.append(expr.args[1])
        expr = expr.args[0]
    return (expr.var, tuple(reversed(keys))) if isinstance(expr, Ref) else None
