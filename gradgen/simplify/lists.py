"""The lists that a loop keeps values in: made before it, appended to in each round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gradgen.ir.nodes import (
    Apply,
    Carried,
    Expr,
    Let,
    Loop,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import getitem
from gradgen.ir.walk import defined
from gradgen.shapes.kinds import Kind
from gradgen.simplify.rounds import plural, plus_one, position
from gradgen.simplify.wording import name_of

KEPT = Note(Role.FORWARD)


class Lists:
    """The lists that one loop keeps values in.

    `saving` is the pass that asks: it gives facts, names and copies.
    """

    def __init__(self, saving, source: Loop, back: Loop, body: Iterable[Stmt]) -> None:
        self.saving, self.source, self.back = saving, source, back
        self.body = tuple(body)
        self.lists: dict[Var, tuple[Any, ...]] = {}
        self.at_end: dict[Var, Carried] = {}

    def entry(self, var: Var, kept: list[Var]) -> Expr:
        """The kept value of a variable in the round that is gone through."""
        slots = {slot.inner: slot for slot in self.source.carried}
        follows = {
            slot.next.var: slot
            for slot in self.source.carried
            if isinstance(slot.next, Ref) and slot.inner in kept
        }
        slot = slots.get(var) or follows.get(var)
        both = slot is not None and slot.next in map(Ref, kept) and slot.inner in kept
        place = position(self.source.over, Ref(self.back.index))
        if both:
            if slot.inner not in self.lists:
                self.lists[slot.inner] = (*self._new(slot.inner), slot)
            if var != slot.inner:
                place = plus_one(place)
            return getitem(Ref(self.lists[slot.inner][2]), place)
        self.lists[var] = (*self._new(var), None)
        return getitem(Ref(self.lists[var][2]), place)

    def _new(self, var: Var) -> tuple[Var, Var, Var, Var]:
        supply, facts = self.saving.supply, self.saving.facts
        name = plural(name_of(var, self.body, facts))
        new = tuple(supply.var(name, Origin.SAVED) for _ in range(4))
        for one in new:
            facts.shapes[one], facts.kinds[one] = facts.fresh(), Kind.OTHER
        return new

    def kept(self, body: tuple[Stmt, ...]) -> tuple[list[Stmt], Loop]:
        """The lists' first lines, and the loop that appends to them."""
        before: list[Stmt] = []
        carried = list(self.source.carried)
        first: list[Stmt] = []
        after: dict[Var, list[Stmt]] = {}
        last: list[Stmt] = []
        inners = {slot.inner for slot in carried}
        for var, (start, inner, out, end, slot) in self.lists.items():
            begin = () if slot is None else (self.saving.copied(slot.entry, var),)
            before.append(Let(start, Apply("list", begin), KEPT))
            kept = Ref(var) if slot is None else slot.next
            value = self.saving.copied(kept, var, body)
            append = Let(end, Apply("append", (Ref(inner), value)), KEPT)
            carried.append(Carried(inner, Ref(start), Ref(end), out))
            if slot is not None:
                last.append(append)
            elif var in inners:
                first.append(append)
            else:
                after.setdefault(var, []).append(append)
        new: list[Stmt] = list(first)
        for stmt in body:
            new.append(stmt)
            for var in defined(stmt):
                new += after.get(var, ())
        loop = replace(self.source, carried=tuple(carried), body=(*new, *last))
        return before, loop
