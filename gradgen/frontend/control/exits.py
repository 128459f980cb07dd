"""The state after a loop: names and buffers hold what went out of the last round."""

from __future__ import annotations

from typing import Any

from gradgen.frontend.control.valued import as_value
from gradgen.frontend.lowering.frames import Arm, Refusal
from gradgen.frontend.lowering.guess import Guess, Slot
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Key, Memory, Poison, State, is_structure
from gradgen.frontend.lowering.memory import leaves, map_leaves, with_fields
from gradgen.ir.nodes import Apply, Carried, Const, Expr, Ref, Var
from gradgen.shapes.infer import Facts


class Exits:
    """What is left of a round that fits."""

    lowering: Lowering
    memory: Memory
    facts: Facts
    guess: Guess
    before: State
    slots: list[Slot]

    def _broken(self, key: Key | Var) -> Poison:
        name = self.lowering.known_name(key) if isinstance(key, Var) else key[1]
        return self.guess.broken[key] or Poison(
            "GG222",
            f"{name.strip('% ')} is not the same kind of thing in each round of the loop",
            "one name for each",
        )

    def _lose(self, key: Key, entry: Expr | None) -> None:
        """Notes a name whose value before the loop is not known any more.

        That is told where it is read; a round may bind it before that.

        before:  for k in range(2):
                     v = c[:2]
                     c[0] += v[1]
        after:   the same where v is a view of c and c has changed since
        """
        for leaf in () if entry is None else leaves(entry):
            if isinstance(leaf, Ref) and leaf.var not in self.memory.numbers:
                version = self.before.version(self.memory.home(leaf.var).buffer)
                if isinstance(version, Poison):
                    self.guess.broken.setdefault(key, version)

    def _slot(self, place: tuple[Any, ...]) -> Slot | None:
        return next((slot for slot in self.slots if slot.place == place), None)

    # the state after the loop

    def carried(self) -> list[Carried]:
        """The values that go from round to round, for the loop."""
        return [
            Carried(slot.inner, self._entry(slot), slot.next, slot.exit)
            for slot in self.slots
            if slot.inner is not None
            and slot.next is not None
            and slot.exit is not None
        ]

    def _entry(self, slot: Slot) -> Expr:
        if not isinstance(slot.entry, Ref) or slot.place[1] == "version":
            return slot.entry
        state, self.lowering.state = self.lowering.state, self.before
        try:
            known = self.before.versions.get(slot.entry.var)
            if isinstance(known, Apply):
                return self.lowering.as_dynamic(slot.entry.var, known)
            return self.lowering.current(slot.entry)
        except Refusal:
            return Const(None)
        finally:
            self.lowering.state = state

    def after(self, before: State, arm: Arm) -> State:
        """The state after the loop."""
        memory, guess = self.memory, self.guess
        state = before.copy()
        state.renewed = {}
        for slot in self.slots:
            if slot.inner is None:
                continue
            slot.exit = self.lowering.supply.var(slot.inner.name, slot.inner.origin)
            shape, kind = self.facts.shapes[slot.inner], self.facts.kinds[slot.inner]
            unset = memory.is_bottom(slot.entry)
            if unset and slot.next not in (None, Const(None)):
                shape, kind = self.facts.of(slot.next), self.facts.kind(slot.next)
            self.lowering.assume(slot.exit, shape, kind)
            if slot.inner in memory.optional:
                memory.optional.add(slot.exit)
                self.facts.unset.add(slot.exit)
            if slot.inner in self.facts.entries:
                self.facts.entries[slot.exit] = self.facts.entries[slot.inner]
                example = self.facts.example(slot.next or Ref(slot.inner))
                if example is not None:
                    self.facts.examples[slot.exit] = example
            home = memory.homes.get(slot.inner)
            if home is not None:
                memory.homes[slot.exit] = home
            ends_as_number = slot.end is None or self.lowering.is_number(slot.end)
            if slot.inner in memory.numbers or (unset and ends_as_number):
                memory.numbers.add(slot.exit)
            elif slot.place[1] != "version":
                memory.join(slot.exit, guess.outside.get(slot.place, set()))
            if slot.inner in memory.lists:
                memory.lists.add(slot.exit)
                for other in guess.same.get(slot.place, ()):
                    memory.links.twin(slot.exit, other)
        for pairs, note in (
            (guess.pairs, memory.overlap),
            (guess.twins, memory.links.twin),
            (guess.holds, memory.links.hold),
        ):
            for one, two in pairs:
                a, b = self._slot(one), self._slot(two)
                if a is not None and b is not None and a.exit and b.exit:
                    note(a.exit, b.exit)
        for place, item in guess.held:
            kept = self._slot(place)
            if kept is not None and kept.exit is not None:
                memory.links.hold(kept.exit, item)
        self._leave(state)
        return state

    def _leave(self, state: State) -> None:
        """Binds names and buffers to what they hold after the loop."""
        exits = {
            slot.place: Ref(slot.exit) if slot.exit else slot.entry
            for slot in self.slots
        }
        for buffer, poison in self.guess.poisons.items():
            state.versions[buffer] = poison
        for buffer in self.guess.buffers:
            version = state.version(buffer)
            if buffer in self.guess.fields and isinstance(version, Apply):
                version = with_fields(version, self.guess.fields[buffer])
            if buffer in self.guess.broken:
                state.versions[buffer] = self._broken(buffer)
            elif (buffer, "version") in exits:
                state.versions[buffer] = exits[buffer, "version"]
            elif is_structure(version):
                numbers = iter(range(10**6))
                state.versions[buffer] = map_leaves(
                    lambda _: exits[buffer, next(numbers)], version
                )
        for key in self.guess.names:
            if key in self.guess.broken:
                state.names[key] = self._broken(key)
                continue
            entry = state.names.get(key)
            if isinstance(entry, Poison):
                continue
            entry = entry if entry is not None else self.guess.templates.get(key)
            if entry is not None and key in self.guess.valued:
                entry = as_value(self.lowering, entry, state)
            numbers = iter(range(10**6))
            state.names[key] = map_leaves(
                lambda _: exits.get((key, next(numbers)), Const(None)),
                entry if entry is not None else Const(None),
            )
