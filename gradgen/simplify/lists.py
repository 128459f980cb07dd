"""The lists that a loop keeps values in: made before it, appended to in each round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol

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
    Supply,
    Var,
)
from gradgen.ir.operators import getitem
from gradgen.ir.walk import defined
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.simplify.rounds import plural, plus_one, position
from gradgen.simplify.wording import name_of

KEPT = Note(Role.FORWARD)


class Saving(Protocol):
    """The pass that keeps values: its facts, fresh variables, and copies."""

    facts: Facts
    supply: Supply

    def copied(self, value: Expr, var: Var, block: Sequence[Stmt] = ()) -> Expr:
        """The value, copied where its memory is changed later."""


class Lists:
    """The lists that one loop keeps values in.

    `saving` is the pass that asks: it gives facts, names and copies.
    """

    def __init__(
        self, saving: Saving, source: Loop, back: Loop, body: Iterable[Stmt]
    ) -> None:
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
        place = position(self.source.over, Ref(self.back.index))
        refs = [Ref(one) for one in kept]
        if slot is not None and slot.next in refs and slot.inner in kept:
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
        new = [supply.var(name, Origin.SAVED) for _ in range(4)]
        # two masks add up to a mask, wherever they have been kept
        kind = facts.kinds.get(var, Kind.OTHER)
        kind = kind if kind in (Kind.BOOLEAN, *INTEGRAL) else Kind.OTHER
        for one in new:
            facts.shapes[one], facts.kinds[one] = facts.fresh(), kind
        if var in facts.held:
            facts.held |= {*new}
        start, inner, out, end = new
        return start, inner, out, end

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
