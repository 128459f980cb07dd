"""The state after a branch: what the arms left, where they differ a merge."""

from __future__ import annotations

from itertools import repeat
from typing import Any

from gradgen.frontend.control.lengths_by_arms import another, written_in_arms
from gradgen.frontend.heap.lists import new_list
from gradgen.frontend.control.unjoined import unjoined
from gradgen.frontend.control.valued import alike
from gradgen.frontend.lowering.callables import Choice, map_held
from gradgen.frontend.lowering.frames import REFUSED, Arm
from gradgen.frontend.lowering.jumps import FALSE, RESULT, TRUE, WISHES, tells_of_value
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import (
    Home,
    Key,
    Poison,
    State,
    field_names,
    is_object,
    is_structure,
    leaf_names,
    leaves,
    map_leaves,
    same_structure,
    with_fields,
    with_flags,
)
from gradgen.ir.absent import as_written
from gradgen.ir.nodes import Apply, Const, Expr, Merge, Origin, Ref, Var
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import equal, ranked


class Join:
    """The state after a branch, from the states at the ends of its arms."""

    def __init__(
        self, lowering: Lowering, test: Expr, then: Arm, orelse: Arm, mark: int
    ) -> None:
        self.lowering, self.memory, self.test = lowering, lowering.memory, test
        self.arms, self.mark = (then, orelse), mark
        self.is_try = isinstance(test, Apply) and test.op == "try"
        self.merges: list[Merge] = []
        self.condition: Ref | None = None
        self.made: dict[tuple[Any, ...], Ref] = {}
        # new variables, with the variable that each is in either arm
        self.pairs: list[tuple[Var, tuple[Any, ...]]] = []
        # new lists, with their items
        self.lists: dict[Var, Expr] = {}

    def state(self) -> State:
        """The state after the branch; fills `merges`."""
        then, orelse = (arm.state for arm in self.arms)
        if then.dead and orelse.dead:
            return then
        out = State(left=then.left & orelse.left, stored=then.stored & orelse.stored)
        if then.dead or orelse.dead:
            alive = orelse if then.dead else then
            out.left, out.stored = alive.left, alive.stored
        self._versions(out, then, orelse)
        for key in dict.fromkeys([*then.names, *orelse.names]):
            found = self._name(key, then, orelse)
            if found is not None:
                out.names[key] = found
        out.versions |= self.lists
        self._overlaps()
        self._twins()
        return out

    def _dead(self, side: int, key: Key | None = None) -> bool:
        """Whether what an arm leaves under a name is never read."""
        state = self.arms[side].state
        if state.dead:
            return True
        is_left = key is not None and key[1][0] != "%" and key[0] in state.left
        return key is not None and is_left and not self.lowering.outlives(*key)

    # buffers

    def _versions(self, out: State, then: State, orelse: State) -> None:
        for buffer in dict.fromkeys([*then.versions, *orelse.versions]):
            if buffer.id >= self.mark:
                continue
            a, b = then.version(buffer), orelse.version(buffer)
            if then.dead and isinstance(a, Poison):
                a = Const(None)
            if orelse.dead and isinstance(b, Poison):
                b = Const(None)
            if a == b:
                out.versions[buffer] = a
            elif isinstance(a, Poison) and not then.dead:
                out.versions[buffer] = a
            elif isinstance(b, Poison) and not orelse.dead:
                out.versions[buffer] = b
            else:
                out.versions[buffer] = self._version(buffer, a, b)

    def _version(self, buffer: Var, a: Expr, b: Expr) -> Expr:
        if isinstance(a, Apply) or isinstance(b, Apply):
            return self._list(buffer, a, b)
        versions = [v for i, v in enumerate((a, b)) if not self._dead(i)]
        name = self.lowering.known_name(versions[0].var)
        ref = self._merge(name, Origin.USER, a, b)
        self.memory.homes[ref.var] = Home(self.memory.home(buffer).buffer)
        return ref

    def _list(self, buffer: Var, a: Expr, b: Expr) -> Expr:
        if self._dead(0) or self._dead(1):
            alive = b if self._dead(0) else a
            if isinstance(alive, Ref):
                ways = (Const(None), alive) if alive is b else (alive, Const(None))
                return self._merged_list(buffer, *ways)
            return self._one_sided("item", alive, 0 if self._dead(1) else 1)
        a, b = (map_leaves(as_written, one) for one in (a, b))
        if is_object(a) and is_object(b) and a.cls is b.cls:
            names = tuple(dict.fromkeys((*field_names(a), *field_names(b))))
            names = with_flags(a, b, names)
            a, b = with_fields(a, names), with_fields(b, names)
        if same_structure(a, b):
            name = self.lowering.known_name(buffer)
            return self._by_leaves(name, a, b, None)
        sides = zip(self.arms, (a, b), strict=True)
        refs = [
            self.lowering.resume(arm, lambda: self._dynamic(buffer, version))
            for arm, version in sides
        ]
        return self._merged_list(buffer, *refs)

    def _merged_list(self, buffer: Var, a: Expr, b: Expr) -> Ref:
        ref = self._merge(self.lowering.known_name(buffer), Origin.USER, a, b)
        self.memory.homes[ref.var] = Home(buffer)
        self.memory.lists.add(buffer)
        facts = self.lowering.facts
        found = [facts.entries_of(way) for way in (a, b) if way != Const(None)]
        known = [one for one in found if one is not None]
        same = known and len({one.rank for one in known}) == 1
        if same and known[0].rank is not None:
            dims = (facts.fresh_dim() for _ in range(known[0].rank))
            facts.entries[ref.var] = ranked(*dims)
        else:
            facts.entries[ref.var] = facts.fresh() if known else None
        return ref

    def _dynamic(self, buffer: Var, version: Expr) -> Ref:
        return self.lowering.as_dynamic(buffer, version)

    # names

    def _name(self, key: Key, then: State, orelse: State) -> Expr | None:
        a, b = then.names.get(key), orelse.names.get(key)
        name = WISHES.get(key[1]) or key[1].strip("% ").partition(".")[0]
        frame = self.lowering.frame
        if key == (frame.number, RESULT):
            name = frame.target
        for side, value in ((0, b), (1, a)):
            if self._dead(side, key) and not self._alike(side, a, b):
                return None if value is None else self._one_sided(name, value, 1 - side)
        if REFUSED in (a, b):
            return REFUSED
        if a == b:
            return a
        if key[1] not in WISHES and key[1] != RESULT:
            a, b = (one and map_leaves(as_written, one) for one in (a, b))
        if key[1] == RESULT:
            for one, other in ((a, b), (b, a)):
                if is_structure(one) and other in (None, Const(None)):
                    # the parts of a result: there is none on the other way
                    none = map_leaves(lambda _: Const(None), one)
                    if one is a:
                        return self._by_leaves(name, one, none, key)
                    return self._by_leaves(name, none, one, key)
        if a is None or b is None:
            if key[1] in WISHES:
                absent = Const(None) if key[1] == RESULT else FALSE
                return self._leaf(name, a or absent, b or absent, key)
            known = b if a is None else a
            assert known is not None  # two that are none are the same
            none = map_leaves(lambda _: Const(None), known)
            ways = (none, known) if a is None else (known, none)
            return self._by_leaves(name, *ways, key)
        if isinstance(a, Poison) or isinstance(b, Poison):
            return a if isinstance(a, Poison) else b
        a, b = alike(self.lowering, b, a, then), alike(self.lowering, a, b, orelse)
        if not same_structure(a, b):
            return Poison(
                "GG222",
                f"{name} is not the same kind of thing after both arms of the branch",
                "one name for each",
            )
        return self._by_leaves(name, a, b, key)

    def _by_leaves(self, name: str, a: Expr, b: Expr, key: Key | None) -> Expr:
        """The leaves of two values of one nesting, joined one by one."""
        is_result = key is not None and key[1] == RESULT
        names = repeat(name) if is_result else leaf_names(a, name)
        return map_leaves(lambda x, y: self._leaf(next(names), x, y, key), a, b)

    def _alike(self, side: int, a: Expr | None, b: Expr | None) -> bool:
        """Whether the arm that returns has a like value, which then stands for it."""
        if self._dead(side) or a is None or b is None or not same_structure(a, b):
            return False
        for handle in (*leaves(a), *leaves(b)):
            if not isinstance(handle, Ref) or handle.var in self.memory.lists:
                return False
            if isinstance(self.arms[side].state.versions.get(handle.var), Apply):
                return False
        return True

    def _one_sided(self, name: str, value: Expr, side: int) -> Expr:
        """What is left of a value when the other arm is never read behind."""

        def leaf(handle: Expr) -> Expr:
            handle = map_held(handle, lambda v: map_leaves(leaf, v))
            if not isinstance(handle, Ref) or isinstance(handle, Poison):
                return handle
            if handle.var.id < self.mark:
                return handle
            none = Const(None)
            one, other = (none, handle) if side else (handle, none)
            return self._leaf(name, one, other, None)

        return map_leaves(leaf, value)

    def _leaf(self, name: str, a: Expr, b: Expr, key: Key | None) -> Expr:
        if a == b:
            return a
        if isinstance(a, Poison) or isinstance(b, Poison):
            return a if isinstance(a, Poison) else b
        if all(callable(getattr(value, "value", None)) for value in (a, b)):
            ways = (self._one_sided(name, one, i) for i, one in enumerate((a, b)))
            return Const(Choice(self._condition(), *ways))
        if (poison := unjoined(name, a, b)) is not None:
            return poison
        if key is not None and tells_of_value(key[1]) and {a, b} == {TRUE, FALSE}:
            return self._flag(name, a == TRUE)
        lists = [self._known_list(side, v) for side, v in enumerate((a, b))]
        if any(lists):
            return self._new_list(name, a, b, lists)
        is_flag = key is None or key[1][0] == "%"
        origin = Origin.TEMP if is_flag and key is not None else Origin.USER
        if key is not None and key[1] == RESULT:
            origin = Origin.USER
            names = {
                self.lowering.known_name(v.var) for v in (a, b) if isinstance(v, Ref)
            }
            name = names.pop() if len(names) == 1 else name
        values: list[Expr] = []
        for arm, value in zip(self.arms, (a, b), strict=True):
            values.append(
                self.lowering.resume(arm, lambda: self._value(value)) or REFUSED
            )
        for value in values:
            if isinstance(value, Poison):
                return value
        if REFUSED in values:
            return REFUSED
        first, second = values
        ref = self._merge(name, origin, first, second, (a, b))
        self.pairs.append((ref.var, (a, b)))
        return ref

    def _condition(self) -> Expr:
        """The branch's condition as a value of its own, once."""
        if self.condition is None and self.is_try:
            self.condition = self._merge("went", Origin.TEMP, TRUE, FALSE)
        elif self.condition is None:
            self.condition = self.lowering.emit(self.test, "test")
            self.memory.numbers.add(self.condition.var)
        return self.condition

    def _flag(self, name: str, is_then: bool) -> Expr:
        """Whether a name has a value that one arm gives it: the condition itself."""
        if self.is_try:
            ways = Const(is_then), Const(not is_then)
            told = self._merge(name, Origin.TEMP, *ways)
            self.memory.numbers.add(told.var)
            return told
        negated = Apply("not", (self.test,), (), "operator")
        made = self.lowering.emit(self.test if is_then else negated, name)
        self.memory.numbers.add(made.var)
        return made

    def _value(self, handle: Expr) -> Expr:
        """What a handle is at the end of an arm; a poison stays one."""
        if isinstance(handle, Ref):
            base = self.lowering.state.version(self.memory.home(handle.var).buffer)
            if isinstance(base, Poison) and handle.var not in self.memory.numbers:
                return base
        return self.lowering.current(handle)

    def _known_list(self, side: int, value: Expr) -> Expr | None:
        if not isinstance(value, Ref):
            return None
        version = self.arms[side].state.versions.get(value.var)
        return version if isinstance(version, Apply) else None

    def _new_list(self, name: str, a: Expr, b: Expr, lists: list[Expr | None]) -> Expr:
        one, other = lists
        if one is not None and other is not None and same_structure(one, other):
            then, orelse = (map_leaves(as_written, each) for each in (one, other))
            merged = self._by_leaves(name, then, orelse, None)
            assert isinstance(merged, Apply)  # of the structure of both
            made = new_list(self.lowering, merged, name)
            self.lists[made.var] = merged
            self.pairs.append((made.var, (a, b)))
            return made
        ways = written_in_arms(self.lowering, self.arms, (a, b), lists, self._value)
        if not ways:
            return another(self.lowering, name, (a, b), lists)
        made = new_list(self.lowering, Apply("list", ()), name)
        self.lists[made.var] = self._merged_list(made.var, *ways)
        self.pairs.append((made.var, (a, b)))
        return made

    # new variables

    def _merge(
        self, name: str, origin: Origin, a: Expr, b: Expr, handles: tuple[Any, ...] = ()
    ) -> Ref:
        key = a, b, handles
        if key in self.made:
            return self.made[key]
        var = self.lowering.supply.var(name, origin)
        self.merges.append(Merge(var, a, b))
        self.made[key] = Ref(var)
        self._learn(var, a, b, handles)
        return Ref(var)

    def _learn(self, var: Var, a: Expr, b: Expr, handles: tuple[Any, ...]) -> None:
        """What is known of one of two values, which these objects hold."""
        facts, memory = self.lowering.facts, self.memory
        ways = zip(handles or (a, b), (a, b), strict=True)
        known = [(h, v) for h, v in ways if not memory.is_bottom(v)]
        if not known:
            memory.bottoms.add(var)
        if any(map(memory.is_optional, (a, b))):
            memory.optional.add(var)
            facts.unset.add(var)
        objects, values = zip(*(known or [(a, a)]))
        shapes = [facts.of(v) for v in values]
        rank = shapes[0].rank
        if all(equal(shapes[0], shape) for shape in shapes):
            shape = shapes[0]
        elif rank is not None and all(shape.rank == rank for shape in shapes):
            shape = ranked(*(facts.fresh_dim() for _ in range(rank)))
        else:
            shape = facts.fresh()
        kind = max((facts.kind(v) for v in values), default=Kind.LIKE)
        self.lowering.assume(var, shape, kind)
        # y += 1 leaves a number in an array of rank 0, which y stays
        if all(map(self.lowering.is_number, objects)):
            memory.numbers.add(var)

    def _overlaps(self) -> None:
        """What the new objects may share with the old ones, and with each other."""
        memory = self.memory
        for i, (var, handles) in enumerate(self.pairs):
            for handle in handles:
                if isinstance(handle, Ref) and var not in memory.numbers:
                    reach = memory.reach(handle.var)
                    lasting = self.lowering.shared_arrays  # read in an arm, and older
                    old = {b for b in reach if b.id < self.mark or b in lasting}
                    memory.join(var, old)
            for other, others in self.pairs[:i]:
                if any(
                    isinstance(x, Ref)
                    and isinstance(y, Ref)
                    and memory.reach(x.var)
                    and memory.reach(y.var)
                    and memory.may_share(x.var, y.var)
                    for x, y in zip(handles, others, strict=True)
                ):
                    memory.overlap(memory.buffer(var), memory.buffer(other))

    def _twins(self) -> None:
        """Which of the new lists may be one of the old ones, or each other."""
        links = self.memory.links
        found: list[tuple[Var, list[set[Var]]]] = []
        for var, handles in self.pairs:
            ways = [self._lists(side, handle) for side, handle in enumerate(handles)]
            for one in set().union(*ways):
                links.twin(var, one)
            for other, others in found:
                if any(x & y for x, y in zip(ways, others, strict=True)):
                    links.twin(var, other)
            found.append((var, ways))

    def _lists(self, side: int, handle: Expr) -> set[Var]:
        """The lists that a handle may be at the end of an arm; none for an array."""
        memory = self.memory
        if not isinstance(handle, Ref):
            return set()
        buffer = memory.buffer(handle.var)
        is_list = buffer in memory.lists or buffer in memory.links.twins
        if is_list or self._known_list(side, handle) is not None:
            return memory.links.same(buffer)
        return set()
