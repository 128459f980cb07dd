"""One writing of a loop's body: its start, its end, and what the end tells."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, repeat
from typing import Any

from gradgen.frontend.control.unjoined import turned
from gradgen.frontend.control.backedge import BackEdge
from gradgen.frontend.control.valued import alike, are_alike, as_value, stays
from gradgen.frontend.heap.lists import is_a_list
from gradgen.frontend.lowering.frames import REFUSED, Arm, Refusal
from gradgen.frontend.lowering.guess import Guess, Slot
from gradgen.frontend.lowering.jumps import BROKE, FALSE, GONE, RESULT, RETURNED, STOP
from gradgen.frontend.lowering.jumps import WISHES
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Home, Key, Poison, State, field_names
from gradgen.frontend.lowering.memory import is_object, is_structure, leaf_names
from gradgen.frontend.lowering.memory import leaves, map_leaves, same_structure
from gradgen.frontend.lowering.memory import with_fields, with_flags
from gradgen.ir.absent import as_written
from gradgen.frontend.source.names import is_mark
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import equal, ranked


class Round(BackEdge):
    """One writing of a loop's body."""

    def __init__(
        self, lowering: Lowering, guess: Guess, before: State, mark: int
    ) -> None:
        self.lowering, self.memory, self.facts = (
            lowering,
            lowering.memory,
            lowering.facts,
        )
        self.guess, self.before, self.mark = guess, before, mark
        self.slots: list[Slot] = []
        self.by_key: dict[Key, Expr] = {}

    # the state at the start of a round

    def head(self) -> State:
        """The state that each round starts from."""
        state = self.before.copy()
        for buffer, poison in self.guess.poisons.items():
            state.versions[buffer] = poison
        for buffer in self.guess.buffers:
            version = state.version(buffer)
            if buffer in self.guess.broken:
                state.versions[buffer] = self._broken(buffer)
            elif not isinstance(version, Poison):
                state.versions[buffer] = self._head_version(buffer, version)
        for key in self.guess.names:
            entry = state.names.get(key)
            self._lose(key, entry)
            if key in self.guess.broken:
                state.names[key] = self._broken(key)
                continue
            if isinstance(entry, Poison):
                continue
            if entry is None:
                template = self.guess.templates.get(key, Const(None))
                entry = map_leaves(lambda _: Const(None), template)
                if key[1] in WISHES and key[1] != RESULT:
                    entry = FALSE
            elif key[1] not in WISHES and key[1] != RESULT:
                entry = map_leaves(as_written, entry)
            if key in self.guess.valued:
                entry = as_value(self.lowering, entry, self.before)
            bound = self._bound(key, entry, state)
            # a round in which a jump was taken is the last one
            is_jump = key[1] in (BROKE, RETURNED)
            state.names[key] = FALSE if is_jump else bound
            if key[1] == RESULT:
                state.names[key] = map_leaves(lambda _: Const(None), bound)
        self.meet()
        return state

    def _head_version(self, buffer: Var, version: Expr) -> Expr:
        lowering, memory = self.lowering, self.memory
        if isinstance(version, Apply):
            version = replace(
                version, args=tuple(map_leaves(as_written, a) for a in version.args)
            )
            if buffer not in self.guess.dynamic:
                if buffer in self.guess.fields:
                    names = self.guess.fields[buffer]
                    version = with_fields(version, names)
                name = lowering.known_name(buffer)
                numbers = enumerate(leaf_names(version, name))
                return map_leaves(
                    lambda leaf: self._leaf((buffer, *next(numbers)), leaf), version
                )
            # the list before the loop becomes a value of the text's own
            version = self._dynamic_entry(buffer, version)
            memory.lists.add(buffer)
        name = lowering.known_name(version.var) if isinstance(version, Ref) else "x"
        inner = lowering.supply.var(name, Origin.USER)
        memory.homes[inner] = Home(memory.home(buffer).buffer)
        slot = Slot((buffer, "version"), inner, version, Ref(inner))
        self._assume(slot)
        self.slots.append(slot)
        return Ref(inner)

    def _dynamic_entry(self, buffer: Var, version: Expr) -> Ref:
        # written before the loop, once
        state, self.lowering.state = self.lowering.state, self.before
        try:
            made = self.lowering.as_dynamic(buffer, version)
        finally:
            self.lowering.state = state
        self.before.versions[buffer] = made
        held = self.memory.overlaps.get(buffer, ())
        self.guess.entered |= {(buffer, other) for other in held}
        return made

    def _bound(self, key: Key, entry: Expr, state: State) -> Expr:
        name = WISHES.get(key[1], key[1].strip("% ").partition(".")[0])
        names = repeat(name) if key[1] == RESULT else leaf_names(entry, name)
        numbers = enumerate(names)
        return map_leaves(lambda leaf: self._leaf((key, *next(numbers)), leaf), entry)

    def _leaf(self, where: tuple[Any, ...], entry: Expr) -> Expr:
        """The handle at the start of a round of what is `entry` before the first."""
        lowering, memory = self.lowering, self.memory
        place, name = where[:2], where[2]
        value = getattr(entry, "value", None)
        fixed = callable(value) or is_mark(value)
        if fixed or isinstance(entry, Poison) or entry is REFUSED:
            self.slots.append(Slot(place, None, entry, entry))
            return entry
        key = place[0]
        is_flag = isinstance(key, tuple) and key[1][0] == "%" and key[1] != RESULT
        inner = lowering.supply.var(name, Origin.TEMP if is_flag else Origin.USER)
        slot = Slot(place, inner, entry, Ref(inner))
        if isinstance(entry, Ref):
            known = self.before.versions.get(entry.var)
            if stays(lowering, self.guess, self.before, place, entry):
                # the same container in each round, whatever changes in it
                self.slots.append(Slot(place, None, entry, entry))
                return entry
            if isinstance(known, Apply) and known.op == "dict":
                unknown = Poison(
                    "GG222",
                    f"{name} is another dictionary in each round of the loop",
                    f'{name}["key"] = ... for each key',
                )
                self.slots.append(Slot(place, None, unknown, unknown))
                return unknown
            if isinstance(known, Apply) or entry.var in memory.lists:
                # a list that is bound anew in each round: a value of the text's own
                memory.lists.add(inner)
            self.enter_shared(place, entry)
        self._assume(slot)
        self.slots.append(slot)
        return Ref(inner)

    def _assume(self, slot: Slot) -> None:
        """What is taken for known of a value at the start of each round."""
        facts, place, entry = self.facts, slot.place, slot.entry
        inner = slot.inner
        assert inner is not None
        value = entry
        if isinstance(entry, Ref):
            value = self._value(entry, self.before)
        known = isinstance(value, (Ref, Const)) and not self.memory.is_bottom(value)
        shape = facts.fresh()
        if not known and place not in self.guess.learned:
            self.memory.bottoms.add(inner)
        elif not known and self.guess.learned[place] is not None:
            rank, number = self.guess.learned[place]
            shape = ranked(*(facts.fresh_dim() for _ in range(rank)))
            if number:
                self.memory.numbers.add(inner)
        if self.memory.is_optional(entry) or place in self.guess.optional:
            self.memory.optional.add(inner)
            facts.unset.add(inner)
        if known and place not in self.guess.unranked:
            shape = facts.of(value)
            if shape.rank:
                shape = ranked(*(facts.fresh_dim() for _ in range(shape.rank)))
        kind = facts.kind(value) if known else Kind.LIKE
        if place in self.guess.kinds:
            kind = max(kind if known else Kind.OTHER, self.guess.kinds[place])
        self.lowering.assume(inner, shape, kind)
        if known and facts.is_list(value):
            entries = facts.entries_of(value)
            if place in self.guess.entries:
                entries = self.guess.entries[place] or facts.fresh()
            facts.entries[inner] = entries
        if place not in self.guess.arrays and known:
            if self.lowering.is_number(entry):
                self.memory.numbers.add(inner)

    def _value(self, handle: Expr, state: State) -> Expr:
        """What a handle holds, where no view has to be renewed."""
        if isinstance(handle, Ref) and handle.var not in self.memory.numbers:
            home = self.memory.home(handle.var)
            if not home.path:
                return state.version(home.buffer)
        return handle

    # the state at the end of a round

    def finish(self, head: State, arm: Arm) -> None:
        """Compares the end of the round with its start; the guess grows."""
        guess, end = self.guess, arm.state
        if end.dead:
            # no round comes to its end: nothing goes on to the next one
            for slot in self.slots:
                slot.next, slot.end = slot.handle, slot.handle
                if slot.inner is None:
                    slot.next = Const(None)
            return
        skip = {(self.lowering.frame.number, name) for name in (GONE, STOP)}
        for key in list(head.names) + [k for k in end.names if k not in head.names]:
            if key in guess.names or key in skip or key not in end.names:
                continue
            if key[1].startswith("%") and key[1] not in WISHES:
                continue
            if head.names.get(key) != end.names[key]:
                guess.names[key] = None
        for buffer, version in end.versions.items():
            if buffer.id >= self.mark or version == head.version(buffer):
                continue
            if isinstance(version, Poison):
                guess.poisons[buffer] = version
            elif buffer not in guess.buffers:
                guess.buffers[buffer] = None
        self._match(head, arm)

    def _match(self, head: State, arm: Arm) -> None:
        guess, end = self.guess, arm.state
        places: dict[tuple[Any, ...], Expr] = {}
        for key in guess.names:
            before, now = head.names.get(key), end.names.get(key)
            if before is None or now is None or isinstance(before, Poison):
                continue
            if key in guess.valued or is_structure(before):
                now = alike(self.lowering, before, now, end)
            if isinstance(now, Poison) or not same_structure(before, now):
                if key not in self.before.names and key not in guess.templates:
                    guess.templates[key] = now
                else:
                    guess.broken[key] = now if isinstance(now, Poison) else None
                continue
            self._note(places, key, before, now)
        for buffer in guess.buffers:
            before, now = head.version(buffer), end.version(buffer)
            if isinstance(now, Poison) or isinstance(before, Poison):
                continue
            if isinstance(before, Ref):
                places[buffer, "version"] = now
            elif same_structure(before, now):
                self._note(places, buffer, before, now)
            elif is_object(before) and is_object(now):
                known = guess.fields.get(buffer, ())
                every = (*known, *field_names(before), *field_names(now))
                names = tuple(dict.fromkeys(every))
                guess.fields[buffer] = with_flags(before, now, names)
            elif before.op == "dict":
                guess.poisons[buffer] = Poison(
                    "GG244",
                    f"{self.lowering.known_name(buffer)} gets its keys in a loop",
                    "each key with a value before: d = {'a': 0.0}",
                )
            else:
                guess.dynamic.add(buffer)
        for slot in self.slots:
            slot.end = places.get(slot.place)
            if slot.end is None or slot.inner is None:
                if slot.inner is None and slot.end not in (None, slot.entry):
                    if are_alike(slot, self.before, end):
                        guess.valued[slot.place[0]] = None
                    elif is_a_list(self.lowering, slot.entry):
                        guess.rebound.add(slot.place)
                    else:
                        guess.broken[slot.place[0]] = None
                slot.next = slot.handle
                slot.end = slot.end or slot.handle
                continue
            slot.next = self._next(slot, arm)
            self._compare(slot)
        self.share()

    def _note(
        self,
        places: dict[tuple[Any, ...], Expr],
        of: Key | Var,
        before: Expr,
        now: Expr,
    ) -> None:
        """Notes the leaves at the end of a round by their places."""
        numbers = count()

        def note(_: Expr, leaf: Expr) -> Expr:
            places[of, next(numbers)] = leaf
            return leaf

        map_leaves(note, before, now)

    def _next(self, slot: Slot, arm: Arm) -> Expr:
        """The value that goes on to the next round."""
        assert slot.end is not None
        end, key = slot.end, slot.place[0]
        if slot.place[1] == "version":
            if isinstance(end, Apply):
                whole = end
                return self.lowering.resume(
                    arm, lambda: self.lowering.as_dynamic(key, whole)
                )
            return end
        value = getattr(end, "value", None)
        if end is REFUSED:
            return slot.handle  # told where it was refused
        if callable(value) or is_mark(value):
            self.guess.broken[slot.place[0]] = None
            return slot.handle
        of_jump = isinstance(key, tuple) and (key[1] in WISHES or key[1] == RESULT)
        if not of_jump:
            end = as_written(end)
        version = arm.state.held(end)
        is_new = slot.inner in self.memory.lists or self._is_first_bound(key, version)
        if is_new and isinstance(end, Ref):
            if isinstance(version, Apply):
                known, buffer = version, end.var
                return self.lowering.resume(
                    arm, lambda: self.lowering.as_dynamic(buffer, known)
                )
        elif isinstance(version, Apply):
            self.guess.broken[slot.place[0]] = None
            return slot.handle

        def write() -> Expr:
            problems = len(self.lowering.problems)
            try:
                return self.lowering.current(end)
            except Refusal:
                # told when it is read
                told = self.lowering.problems[problems:]
                del self.lowering.problems[problems:]
                cause = told and Poison(told[0].code, told[0].message, told[0].advice)
                self.guess.broken[slot.place[0]] = cause or None
                return slot.handle

        return self.lowering.resume(arm, write)

    def _is_first_bound(self, key: Any, version: Expr | None) -> bool:
        """Whether a name without a value before the loop is a list at a round's end."""
        if not isinstance(version, Apply) or version.op != "list":
            return False
        if not isinstance(key, tuple) or key in self.before.names:
            return False
        values = (leaf.value for leaf in leaves(version) if isinstance(leaf, Const))
        return all(type(value) in (int, float, bool) for value in values)

    def _compare(self, slot: Slot) -> None:
        """Whether what was taken for known holds at the end as well."""
        guess, facts, place = self.guess, self.facts, slot.place
        inner, following = slot.inner, slot.next
        assert inner is not None and following is not None
        if self.memory.is_optional(following):
            guess.optional.add(place)
        if following == Const(None) or following == Ref(inner):
            return
        shape, assumed = facts.of(following), facts.shapes[inner]
        is_entered = not self.memory.is_bottom(slot.entry)
        if not is_entered:
            self._learn(slot, following)
        if is_entered and shape.rank != assumed.rank and not equal(shape, assumed):
            guess.unranked.add(place)
        kind = facts.kind(following)
        if kind != facts.kinds[inner]:
            top = max(kind, facts.kinds[inner]) if is_entered else kind
            guess.kinds[place] = max(top, guess.kinds.get(place, Kind.OTHER))
        if inner in self.memory.numbers and not self.lowering.is_number(slot.end):
            guess.arrays.add(place)
        if inner in facts.entries and facts.is_list(following):
            self._compare_entries(slot.place, facts.entries[inner], following)
        poison = turned(self.lowering, inner, following, slot.end)
        if is_entered and poison is not None:
            guess.broken[place[0]] = poison

    def _learn(self, slot: Slot, following: Expr) -> None:
        """What is known of the values of a name without a value before the loop."""
        learned, place = self.guess.learned, slot.place
        rank, known = self.facts.of(following).rank, None
        if rank is not None and not self.memory.is_bottom(following):
            known = rank, self.lowering.is_number(slot.end)
        if place not in learned or learned[place] != known:
            learned[place] = known if place not in learned else None
