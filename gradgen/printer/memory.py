"""Which memory each variable stands for, told apart by where it was made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any

from gradgen.errors import InternalError
from gradgen.ir.callee import stays
from gradgen.ir.nodes import (
    Apply,
    Carried,
    Const,
    Expr,
    Let,
    Loop,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import STORES
from gradgen.ir.sharing import is_read_only, viewed

# A place is ("given", var) for an argument's memory, ("made", var) for what an
# operation made, ("slot", var) for what a loop carries under its inner variable.
Place = tuple[str, Var]
Places = frozenset[Place]
NOWHERE: Places = frozenset()
ROUNDS = 50


class Memory:
    """The places of variables; those that a slot of a loop may really be."""

    def __init__(
        self,
        is_number: Callable[[Var], bool],
        basic: Callable[[Expr], bool],
        rank: Callable[[Expr], int | None],
    ) -> None:
        self.is_number, self.basic, self.rank = is_number, basic, rank
        self.own: dict[Var, Places] = {}
        # of a list: the places of what it holds
        self.content: dict[Var, Places] = {}
        self.behind: dict[Place, Places] = {}
        # the slots that a place may be behind
        self.ahead: dict[Place, set[Place]] = defaultdict(set)
        self.roles: dict[Place, Role] = {}
        # the loops, by their counts, that the statement at hand is in; those that a
        # place was made in; of a slot, its loop
        self.around: tuple[Var, ...] = ()
        self.made_in: dict[Place, tuple[Var, ...]] = {}
        self.loop_of: dict[Place, Var] = {}
        self.users: dict[Place, set[Var]] = defaultdict(set)
        # of a loop, by its count: what its last round has told of its variables
        self.slots: dict[Var, dict[Var, Place]] = {}
        self.held: dict[Var, dict[Var, Places]] = {}

    def given(self, var: Var) -> None:
        """An argument: its memory is the caller's."""
        self._set(var, frozenset([("given", var)]), NOWHERE)

    def assigned(self, let: Let) -> None:
        """The places of an assignment's value, changed in place where it can be."""
        if self.is_number(let.var):
            self._set(let.var, NOWHERE, NOWHERE)
            return
        own, content = self.of(let.value)
        if not own:  # a view of a number is an array of its own
            place = ("made", let.var)
            self.roles[place] = let.note.role
            self.made_in[place] = self.around
            own = frozenset([place])
        if stays(let.value) and let.note.role is Role.FORWARD:
            # A callback may read it whenever it runs.
            own = own | frozenset([("given", let.var)])
        if let.note.derived and is_read_only(let.value, self.rank):
            own = own | frozenset([("given", let.var)])
        self._set(let.var, own, content)

    def of(self, value: Expr) -> tuple[Places | None, Places]:
        """The places of a value (None: memory of its own), and of its content."""
        if isinstance(value, Const):
            return NOWHERE, NOWHERE
        if isinstance(value, Ref):
            var = value.var
            return self.own.get(var, NOWHERE), self.content.get(var, NOWHERE)
        assert isinstance(value, Apply)
        first = value.args[0] if value.args else Const(None)
        if value.op == "put":
            own, held = self.of(first)
            inner, more = self.of(value.args[2])
            return own, held | more | (inner or NOWHERE)
        if value.op in (*STORES, "accumulate") or value.spelling == "augmented":
            return self.of(first)
        if value.op == "append":
            own, held = self.of(first)
            inner, more = self.of(value.args[1])
            return own, held | more | (inner or NOWHERE)
        if value.op in ("popped", "shortened"):
            return self.of(first)
        if value.op == "numpy.copy":  # the copy of a list holds what the list does
            return None, self.of(first)[1]
        if value.op in ("zeros_of", "entries", "split_like", "added_lists"):
            held = NOWHERE
            if value.op in ("entries", "split_like"):
                held = self.of(first)[0] or NOWHERE
            elif value.op == "added_lists":
                for arg in value.args:
                    held |= self.of(arg)[1]
            return None, held or frozenset([("made", Var(-1, "", Origin.LOCAL))])
        if value.op in ("sliced", "joined"):
            return None, NOWHERE.union(*(self.of(arg)[1] for arg in value.args))
        if value.op in ("tuple", "list", "repeated"):
            held = NOWHERE
            for arg in value.args:
                inner, more = self.of(arg)
                held |= more | (inner or NOWHERE)
            return None, held
        if value.op in ("getitem", "item"):
            own, content = self.of(first)
            if content:
                return content, NOWHERE
            return (own if self.basic(value.args[1]) else None), NOWHERE
        bases = viewed(value)
        if not bases:
            return None, NOWHERE
        if len(bases) == 1:
            return self.of(bases[0])[0], NOWHERE
        every = [self.of(base)[0] or NOWHERE for base in bases]
        return NOWHERE.union(*every), NOWHERE

    def joined(self, var: Var, ways: list[Expr]) -> None:
        """A variable that has one of several values."""
        own, content = NOWHERE, NOWHERE
        for way in ways:
            places, held = self.of(way)
            own, content = own | (places or NOWHERE), content | held
        self._set(var, own, content)

    def _set(self, var: Var, own: Places, content: Places) -> None:
        if self.own.get(var) == own and self.content.get(var) == content:
            return
        for place in self.own.get(var, NOWHERE) | self.content.get(var, NOWHERE):
            self.users[place].discard(var)
        self.own[var], self.content[var] = own, content
        for place in own | content:
            self.users[place].add(var)

    def loop(self, loop: Loop, run: Callable[[], list[Stmt]]) -> list[Stmt]:
        """The body of a loop, which `run` goes through, when its places are settled.

        Each carried variable has a place of its own, as long as no round leaves two
        of them in the same memory; those that may meet share one. What is a number in
        every round, and after the loop, has none. A loop in a loop starts from the
        places that it had in the round before.
        """
        slots = self.slots.setdefault(
            loop.count,
            {
                slot.inner: ("slot", slot.inner)
                for slot in loop.carried
                if not (self.is_number(slot.inner) and self.is_number(slot.exit))
            },
        )
        for place in slots.values():
            self.made_in[place], self.loop_of[place] = self.around, loop.count
        self.around = (*self.around, loop.count)
        before = self.held.get(loop.count, {})
        held = self.held[loop.count] = {
            slot.inner: self._content(slot.entry) | before.get(slot.inner, NOWHERE)
            for slot in loop.carried
        }
        for _ in range(ROUNDS):
            for slot in loop.carried:
                self._set(
                    slot.inner, self._at(slot.inner, slot, slots), held[slot.inner]
                )
            body = run()
            if not self._met(loop, slots) and not self._held(loop, slots, held):
                break
        else:
            raise InternalError("the memory of a loop does not settle")
        self.around = self.around[:-1]
        for slot in loop.carried:
            self._set(slot.exit, self._at(slot.exit, slot, slots), held[slot.inner])
        return body

    def _is_now(self, place: Place, one: Place) -> bool:
        """Whether a place may be one that is behind it, at the statement at hand.

        What a slot has from earlier rounds is not what the same statement makes in
        this one, and two slots of a loop are never in the same memory: those that
        may meet share one place.

            after = 2 * u - before  # neither u nor before, though both were made here
            u, before = after, u
        """
        loop = self.loop_of[place]
        if one[0] == "slot" and self.loop_of[one] == loop:
            return False
        return loop not in self.around or loop not in self.made_in.get(one, ())

    def _now_behind(self, place: Place) -> Places:
        """What a place may really be, at the statement at hand."""
        if place[0] != "slot":
            return NOWHERE
        behind = self.behind.get(place, NOWHERE)
        return frozenset([one for one in behind if self._is_now(place, one)])

    def _at(self, var: Var, slot: Carried, slots: dict[Var, Place]) -> Places:
        """The place of a carried variable, in a round or after the loop."""
        if slot.inner not in slots or self.is_number(var):
            return NOWHERE
        self.behind.setdefault(slots[slot.inner], NOWHERE)
        return frozenset([slots[slot.inner]])

    def _content(self, entry: Expr) -> Places:
        return self.of(entry)[1]

    def _met(self, loop: Loop, slots: dict[Var, Place]) -> bool:
        """Joins slots that may stand for the same memory; tells what is behind."""
        changed = False
        ways: dict[Place, list[Places]] = defaultdict(list)
        for slot in loop.carried:
            if slot.inner not in slots:
                continue
            ways[slots[slot.inner]].append(self.of(slot.entry)[0] or NOWHERE)
            ways[slots[slot.inner]].append(self.of(slot.next)[0] or NOWHERE)
        for place, sets in ways.items():
            behind = self.behind.get(place, NOWHERE)
            for places in sets:
                for one in places:
                    behind |= {one} | self.behind.get(one, NOWHERE)
            behind -= {place}
            if behind != self.behind.get(place, NOWHERE):
                for one in behind - self.behind.get(place, NOWHERE):
                    self.ahead[one].add(place)
                self.behind[place], changed = behind, True
        pair = self._pair(ways)
        if pair is None:
            return changed
        for inner, place in slots.items():
            if place == pair[1]:
                slots[inner] = pair[0]
        return True

    def _pair(self, ways: dict[Place, list[Places]]) -> tuple[Place, Place] | None:
        """The first two slots whose entries, or whose next values, may be the same."""
        if len(ways) < 2:
            return None
        # by a place: the numbers of the slots that are there, and of those near it
        there: list[dict[Place, set[int]]] = [defaultdict(set), defaultdict(set)]
        near: list[dict[Place, set[int]]] = [defaultdict(set), defaultdict(set)]
        for i, sets in enumerate(ways.values()):
            for side in (0, 1):
                for place in NOWHERE.union(*sets[side::2]):
                    there[side][place].add(i)
                    near[side][place].add(i)
                    for one in self._now_behind(place):
                        near[side][one].add(i)
        pairs = {
            (min(i, j), max(i, j))
            for side in (0, 1)
            for place, owners in there[side].items()
            for i in owners
            for j in near[side][place]
            if i != j
        }
        if not pairs:
            return None
        met = list(ways)
        i, j = min(pairs)
        return met[i], met[j]

    def _held(self, loop: Loop, slots: dict[Any, Any], held: dict[Var, Places]) -> bool:
        """What lists hold from earlier rounds, as this round sees it."""
        changed = False
        after: dict[Place, set[Place]] = defaultdict(set)
        for other in loop.carried:
            if other.inner in slots:
                for place in self.of(other.next)[0] or NOWHERE:
                    after[place].add(slots[other.inner])
        for slot in loop.carried:
            new = held[slot.inner]
            for place in self.of(slot.next)[1]:
                new |= after.get(place) or {("given", place[1])}
                if loop.count not in self.made_in.get(place, ()):
                    new |= {place}  # what every round finds, and those behind the loop
            if new != held[slot.inner]:
                held[slot.inner], changed = new, True
        return changed

    def may_be(self, a: Places, b: Places) -> bool:
        """Whether two variables may stand for the same memory."""
        for one in a:
            for other in b:
                if one == other:
                    return True
                if other in self.behind.get(one, ()) and self._is_now(one, other):
                    return True
                if one in self.behind.get(other, ()) and self._is_now(other, one):
                    return True
        return False

    def sharers(self, places: Places) -> set[Var]:
        """The variables that may stand for memory at one of the places, or hold it."""
        near = places.union(*map(self._now_behind, places))
        slots = {
            at
            for one in places
            for at in self.ahead.get(one, ())
            if self._is_now(at, one)
        }
        return {var for place in near | slots for var in self.users.get(place, ())}

    def is_owned(self, places: Places, roles: Collection[Role]) -> bool:
        """Whether memory was made by statements of these roles alone."""
        return all(self._made(place, roles, set()) for place in places)

    def _made(self, place: Place, roles: Collection[Role], seen: set[Place]) -> bool:
        if place in seen:
            return True
        seen.add(place)
        if place[0] == "slot":
            behind = self.behind.get(place, NOWHERE)
            return all(self._made(one, roles, seen) for one in behind)
        return place[0] == "made" and self.roles.get(place) in roles
