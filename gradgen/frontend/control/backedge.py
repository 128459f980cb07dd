"""What may share memory from one round of a loop to the next."""

from __future__ import annotations

from typing import Any

from gradgen.frontend.control.exits import Exits
from gradgen.frontend.heap.lists import hold, is_list_object
from gradgen.frontend.lowering.guess import Slot
from gradgen.frontend.lowering.memory import leaves
from gradgen.ir.nodes import Apply, Expr, Ref, Var
from gradgen.shapes.shape import Shape, ranked


class BackEdge(Exits):
    """The way back of a loop: what a round has put together stays together.

    A list that a round puts an array into holds it from the start of the next one,
    where the array may be changed before it is put in again.
    """

    mark: int
    known: set[tuple[Var, Var]]

    def meet(self) -> None:
        """Notes at the start of a round what the rounds before may have shared."""
        memory, links = self.memory, self.memory.links
        for place, others in self.guess.outside.items():
            slot = self._slot(place)
            inner = None if slot is None else slot.inner
            if inner is not None and inner not in memory.numbers:
                memory.join(inner, others)
        for place, others in self.guess.same.items():
            slot = self._slot(place)
            if slot is not None and slot.inner is not None:
                for other in others:
                    links.twin(slot.inner, other)
        for pairs, note in (
            (self.guess.pairs, memory.overlap),
            (self.guess.twins, links.twin),
            (self.guess.holds, links.hold),
        ):
            for one, other in pairs:
                a, b = self._slot(one), self._slot(other)
                if a is not None and b is not None and a.inner and b.inner:
                    note(a.inner, b.inner)
        for place, item in self.guess.held:
            slot = self._slot(place)
            if slot is not None and slot.inner is not None:
                links.hold(slot.inner, item)
        for one, other in self.guess.overlaps | self.guess.entered:
            memory.overlap(one, other)
        self.known = self._old_overlaps()

    def _old_overlaps(self) -> set[tuple[Var, Var]]:
        """The pairs of buffers from before the loop that may share memory."""
        return {
            (one, other)
            for one, others in self.memory.overlaps.items()
            for other in others
            if one.id < other.id < self.mark
        }

    def _old(self, var: Var) -> set[Var]:
        """The buffers that an object may lie in, of those that there are outside.

        What is of the module, or kept by a cache, is there before it is first read.
        """
        reach, lasting = self.memory.reach(var), self.lowering.shared_arrays
        return {b for b in reach if b.id < self.mark or b in lasting}

    def enter_shared(self, place: tuple[Any, ...], entry: Ref) -> None:
        """What a value may share memory with before the first round."""
        memory, guess = self.memory, self.guess
        known = self.before.versions.get(entry.var)
        for leaf in leaves(known) if isinstance(known, Apply) else ():
            if isinstance(leaf, Ref):
                hold(self.lowering, entry.var, leaf)
        reach = self._old(entry.var)
        guess.outside.setdefault(place, set()).update(reach)
        for other in self.slots:
            if isinstance(other.entry, Ref) and other.place[1] != "version":
                if reach and memory.may_share(entry.var, other.entry.var):
                    if memory.reach(other.entry.var):
                        guess.pairs.add((other.place, place))
        if self._is_list(entry):
            guess.same.setdefault(place, set()).update(self._old_lists(entry.var))

    def _is_list(self, handle: Expr) -> bool:
        """Whether a handle is a list that an append would change for all."""
        if not isinstance(handle, Ref):
            return False
        return (
            is_list_object(self.lowering, handle)
            or handle.var in self.memory.links.twins
        )

    def _old_lists(self, var: Var) -> set[Var]:
        same = self.memory.links.same(self.memory.buffer(var))
        return {one for one in same if one.id < self.mark}

    def share(self) -> None:
        """Which values may share memory from the next round on."""
        memory, guess = self.memory, self.guess
        guess.overlaps |= self._old_overlaps() - self.known
        objects = [
            s for s in self.slots if s.inner is not None and s.place[1] != "version"
        ]
        for i, slot in enumerate(objects):
            if not isinstance(slot.end, Ref) or slot.end.var in memory.numbers:
                continue
            reach = self._old(slot.end.var)
            guess.outside.setdefault(slot.place, set()).update(reach)
            for other in objects[:i]:
                if (
                    isinstance(other.end, Ref)
                    and other.end.var not in memory.numbers
                    and memory.may_share(slot.end.var, other.end.var)
                ):
                    guess.pairs.add((other.place, slot.place))
        self._share_lists([slot for slot in objects if self._is_list_at_end(slot)])

    def _is_list_at_end(self, slot: Slot) -> bool:
        return slot.end is not None and self._is_list(slot.end)

    def _share_lists(self, slots: list[Slot]) -> None:
        """Which names may stand for one list from the next round on."""
        ends = {
            slot.place: self.memory.buffer(slot.end.var)
            for slot in slots
            if isinstance(slot.end, Ref)
        }
        links = self.memory.links
        for place, end in ends.items():
            itself = links.same(end)
            for item, holders in links.holders.items():
                if not holders & itself:
                    continue
                if item.id < self.mark:
                    self.guess.held.add((place, item))
                same = links.same(item)
                for other, its_end in ends.items():
                    if other != place and its_end in same:
                        self.guess.holds.add((place, other))
            old = self._old_lists(end)
            if old:
                self.guess.same.setdefault(place, set()).update(old)
            same = self.memory.links.same(end)
            for other, its_end in ends.items():
                if other == place:
                    break
                if its_end in same:
                    self.guess.twins.add((other, place))

    def _compare_entries(
        self, place: tuple[Any, ...], before: Shape | None, following: Expr
    ) -> None:
        """Whether a list's entries have the rank that was taken for known."""
        facts, found = self.facts, self.guess.entries
        after = facts.entries_of(following)
        if after is None or place in found and found[place] is None:
            return
        rank = after.rank if before is None or before.rank == after.rank else None
        if before is None or rank is None:
            dims = [facts.fresh_dim() for _ in range(rank or 0)]
            found[place] = None if rank is None else ranked(*dims)
