"""Functional stores -> changes in place, with a copy where one is needed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gradgen.ir.boxes import boxed
from gradgen.ir.liveness import Liveness
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Expr,
    Function,
    Let,
    Loop,
    Note,
    Origin,
    Ref,
    Result,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import LISTS, STORES
from gradgen.ir.sharing import Sharing, changes, shared_with
from gradgen.shapes.growing import may_grow, widens
from gradgen.printer.copies import SEEDS, copy_of, of_seed, with_axes
from gradgen.printer.memory import NOWHERE, Memory, Places
from gradgen.printer.round_stores import RoundStores
from gradgen.printer.unboxed import fills, made_array, takes_no_store
from gradgen.shapes.infer import Facts
from gradgen.shapes.spec import RANK_0


def storage(
    function: Function,
    facts: Facts,
    supply: Supply,
    callback: bool = True,
    number_arrays: bool = False,
) -> Function:
    """The function with each store ready to be printed as a change in place.

        before:  x[0] = np.sin(rhs)
                 z = 2 * x[1:]
                 x[1:] = z * z
        after:   x_new = x.copy()
                 x_new[0] = np.sin(rhs)
                 z = 2 * x_new[1:]
                 x_new[1:] = z * z

    Memory may be changed when this half of the function made it and nothing that
    may stand for the same memory is read afterwards. Otherwise it is copied
    first: an argument once, before the loop that changes it. A callback's inner
    function reads the forward half's memory when it is called. With `number_arrays`
    what NumPy has as a number, a sum or an entry, is an array without axes, whose
    memory is looked after in the same way.
    """
    if all(isinstance(s, Let) and not changes(s) for s in function.body):
        return function
    return _Storage(function, facts, supply, callback, number_arrays).done()


def _anew(let: Let) -> Let:
    """x += y as x = x + y."""
    plain = "numpy.add" if let.value.op == "accumulate" else let.value.op
    return replace(let, value=replace(let.value, op=plain, spelling="operator"))


def _half(role: Role) -> tuple[Role, ...]:
    """The roles of the statements in the same half of the function."""
    return (role,) if role is Role.GRAD else (Role.FORWARD, Role.TANGENT)


class _Storage:
    def __init__(
        self,
        function: Function,
        facts: Facts,
        supply: Supply,
        callback: bool,
        number_arrays: bool,
    ) -> None:
        self.function, self.facts, self.supply = function, facts, supply
        self.number_arrays = number_arrays
        self.sharing = Sharing(function.body)
        self.live = Liveness(function, whole=False, kept=callback)
        self.shapes_too = Liveness(function, kept=callback)
        self.order: dict[Var | None, int] = {
            param.var: i for i, param in enumerate(function.params)
        }
        # arguments that are arrays of rank 0
        self.arrays = {p.var for p in function.params if p.fact == RANK_0}
        self.seeds = {
            p.var
            for p in function.params
            if p.var.origin in SEEDS and not facts.is_list(Ref(p.var))
        }
        self.boxed = boxed(function.body, self.arrays)
        self.fills = fills(function.body, self.sharing, facts)
        self.with_axes = with_axes(function.body, facts, self.sharing)
        self.memory = Memory(self._has_no_memory, self._is_basic, facts.rank)
        # where a view's assignment stands in the new text
        self.copies: dict[Var, Var] = {}
        self.views: dict[Var, tuple[list[Any], int]] = {}
        # what each variable of the new text is assigned, on whatever way
        self.made: dict[Var, tuple[Expr, ...]] = {}
        # what the rounds of a loop change, by the loop's place
        self.rounds: dict[int, RoundStores] = {}

    def _rank(self, var: Var) -> int | None:
        shape = self.facts.shapes.get(var)
        return None if shape is None else shape.rank

    def _is_list(self, var: Var) -> bool:
        """Whether a variable is a list, or the adjoint of one."""
        if self.facts.is_list(Ref(var)):
            return True
        value = self.facts.definitions.get(var)
        if isinstance(value, Apply) and value.op == "getitem":
            if self.facts.depth(value.args[0]) > 1:
                return True
        return var.of is not None and self._is_list(var.of)

    def _is_number(self, var: Var) -> bool:
        return self._rank(var) == 0 and var not in self.boxed

    def _has_no_memory(self, var: Var) -> bool:
        """Whether a variable is a number that nothing changes."""
        return not self.number_arrays and self._is_number(var)

    def _is_basic(self, key: Expr) -> bool:
        """Whether a key surely or perhaps makes a view."""
        if isinstance(key, Apply) and key.op == "chain":
            return all(map(self._is_basic, key.args))
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
        for item in items:
            if isinstance(item, Apply) and item.op == "list":
                return False
            if isinstance(item, Ref) and (self._rank(item.var) or 0) > 0:
                return False
        return True

    def done(self) -> Function:
        """The whole function."""
        function = self.function
        for param in function.params:
            self.memory.given(param.var)
        body = tuple(self._block(function.body))
        taken: list[Places] = []
        results = tuple(self._owned_result(r, taken) for r in function.results)
        return replace(function, body=body, results=results)

    def _block(self, body: Iterable[Stmt]) -> list[Stmt]:
        done: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, Let):
                self._let(stmt, done)
            elif isinstance(stmt, Branch):
                then, orelse = self._block(stmt.then), self._block(stmt.orelse)
                for merge in stmt.merges:
                    self.memory.joined(merge.var, [merge.then, merge.orelse])
                    self.made[merge.var] = (merge.then, merge.orelse)
                done.append(replace(stmt, then=tuple(then), orelse=tuple(orelse)))
            elif isinstance(stmt, Loop):
                self._loop(stmt, done)
            else:
                done.append(stmt)
        return done

    def _let(self, let: Let, done: list[Stmt]) -> None:
        let = self._legal(let, done)
        self.memory.assigned(let)
        value = let.value
        self.made[let.var] = (value,)
        if isinstance(value, Apply) and value.op == "getitem":
            self.views[let.var] = (done, len(done))
        done.append(let)

    def _legal(self, let: Let, done: list[Stmt]) -> Let:
        """The assignment, its base copied first where it may not be changed."""
        if not changes(let) or not isinstance(let.value.args[0], Ref):
            return let
        base = let.value.args[0].var
        if let.value.op not in STORES:
            if self._has_no_memory(let.var):
                # a number that is handed over may be an array of rank 0
                given = {param.var for param in self.function.params}
                anew = let.note.derived and self._stems_from(base, given)
                return _anew(let) if anew else let
            if self.number_arrays and self._makes_another(base, let.var):
                return _anew(let)
        place = self.live.at[id(let)]
        in_the_way = self._in_the_way(base, place, let.note.role)
        if in_the_way and self._copied_views(in_the_way, let):
            in_the_way = set()
        grows = not self.number_arrays and may_grow(let.value, self.facts)
        filled = self._is_filled(let)
        named = (grows or filled) and self.shapes_too.read_after(base, place)
        boxes = None if self.number_arrays else self.boxed
        number = takes_no_store(base, let, self.facts, boxes)
        if in_the_way is not None and not (in_the_way or named):
            if not number or made_array(base, done):
                self.boxed |= {let.var} if number else set()
                return let
        stored = filled or let.value.op in STORES
        wider = grows or widens(let.value, self.facts)
        if not (stored or wider or let.value.op in LISTS):
            return _anew(let)
        copied = self._copy(base, let.var, let.note, done, not grows, stored)
        value = replace(let.value, args=(Ref(copied), *let.value.args[1:]))
        return replace(let, value=value)

    def _makes_another(self, base: Var, var: Var) -> bool:
        """Whether x += y may be a number's: with other axes or another dtype than x's."""
        facts, ranks = self.facts, (self._rank(base), self._rank(var))
        if ranks[0] != ranks[1]:
            return 0 in ranks
        if ranks[0] is None:
            root = self.sharing.root(base)
            return any(
                shape.rank == 0 and self.sharing.root(one) == root
                for one, shape in facts.shapes.items()
            )
        kinds = [(facts.kind(Ref(v)), v in facts.complexes) for v in (base, var)]
        return ranks[0] == 0 and kinds[0] != kinds[1]

    def _is_filled(self, let: Let) -> bool:
        """Whether x += y has to stay an array of rank 0, which is stored into."""
        other = let.value.op in (*STORES, *LISTS) or self._is_number(let.var)
        return not other and self.sharing.root(let.var) in self.fills

    def _in_the_way(self, base: Var, place: int, role: Role) -> set[Var] | None:
        """What is read after a place of what base stands for; None: not ours."""
        places = self.memory.own.get(base, NOWHERE)
        if not self.memory.is_owned(places, _half(role)):
            return None
        return {
            var
            for var in self.memory.sharers(places)
            if self.live.defined.get(var, 0) <= place
            and self.live.read_after(var, place)
            and not (self.live.defined.get(var) == place)
        }

    def _copied_views(self, found: set[Var], let: Let) -> bool:
        """Copies what only views into the base are read for, if that is all."""
        base = let.value.args[0].var
        if not all(var in self.views and var != base for var in found):
            return False
        if self._stems_from(base, found):
            return False  # a view into what it is read for: a copy would be viewed too
        for var in found:
            block, at = self.views[var]
            view = block[at]
            if view.note.role not in _half(let.note.role):
                return False
            value = view.value
            if isinstance(value, Apply) and value.op == "numpy.copy":
                continue
            rank = 1 if self._is_list(var) else self._rank(var)
            block[at] = replace(view, value=self._copy_of(value, rank))
            self.memory.assigned(block[at])
        return True

    def _stems_from(self, base: Var, found: set[Var]) -> bool:
        """Whether a variable may be a view into one of others."""
        seen, left = {base}, [base]
        if base in found:
            return True
        while left:
            ways = self.made.get(left.pop(), ())
            for var in (var for way in ways for var in shared_with(way)):
                if var in found:
                    return True
                if var not in seen:
                    seen.add(var)
                    left.append(var)
        return False

    def _copy_of(self, value: Expr, rank: int | None) -> Apply:
        copied = copy_of(value, rank, self.facts, not self.number_arrays)
        return copied if rank == 0 else self._floating(copied, rank)

    def _floating(self, copied: Apply, rank: int | None) -> Apply:
        """A copy, of floats where it is one of what is handed over as a seed."""
        ways = shared_with(Apply("numpy.asarray", copied.args[:1]))
        if not any(self._stems_from(var, self.seeds) for var in ways):
            return copied
        has_axes = any(self.sharing.root(var) in self.with_axes for var in ways)
        return of_seed(copied, rank, has_axes)

    def _copy(
        self,
        base: Var,
        reason: Var,
        note: Note,
        done: list[Stmt],
        is_array: bool = True,
        stored: bool = False,
    ) -> Var:
        """A copy of a variable, under its name; the same one in every pass.

        What may be a number stays one: r = +r, where np.copy(r) would be an array
        of rank 0, into which r *= x cannot go.
        """
        if reason not in self.copies:
            origin = Origin.USER if base.origin is Origin.PARAM else base.origin
            self.copies[reason] = self.supply.var(
                base.name, origin, base.of, base.order
            )
        new = self.copies[reason]
        self.facts.shapes[new] = self.facts.shapes[base]
        self.facts.kinds[new] = self.facts.kinds[base]
        if base in self.facts.complexes:
            self.facts.complexes.add(new)
        value = self._copy_of(Ref(base), self._rank(base))
        if self._rank(base) is None and not is_array:
            value = Apply("numpy.positive", (Ref(base),), spelling="operator")
            value = self._floating(value, None)
        if (stored or base in self.arrays) and self._rank(base) == 0:
            value = Apply("numpy.copy", (Ref(base),))  # to be stored into
            value = self._floating(value, 0)
            self.boxed |= {new, reason}
        if self._is_list(base):
            value = Apply("numpy.copy", (Ref(base),), spelling="method:copy")
            self.facts.entries[new] = self.facts.entries.get(base)
        let = Let(new, value, replace(note, lines=()))
        self.memory.assigned(let)
        done.append(let)
        return new

    def _loop(self, loop: Loop, done: list[Stmt]) -> None:
        place = self.live.at[id(loop)]
        loop = self._with_entries(loop, place, done)
        for slot in loop.carried:
            self.made[slot.inner] = self.made[slot.exit] = (slot.entry, slot.next)
        body = self.memory.loop(loop, lambda: self._block(loop.body))
        done.append(replace(loop, body=tuple(body)))

    def _with_entries(self, loop: Loop, place: int, done: list[Stmt]) -> Loop:
        """The loop, with a copy of each entry that its rounds change and may not."""
        if place not in self.rounds:
            self.rounds[place] = RoundStores(loop)
        stores = self.rounds[place]
        carried: list[Carried] = []
        taken: list[frozenset[Any]] = []
        for slot in sorted(loop.carried, key=self._order):
            entry = slot.entry
            if isinstance(entry, Ref) and not self._is_number(entry.var):
                places = self.memory.own.get(entry.var, NOWHERE)
                stored = stores.reach(slot.inner)
                if self._is_list(slot.inner):
                    stored = stores.change_list(slot.inner)
                stored = stored and entry.var not in self.facts.unset
                if stored and self._must_copy(entry.var, place, loop, places, taken):
                    is_array = stores.change_array(slot.inner)
                    copied = self._copy(
                        entry.var, slot.inner, loop.note, done, is_array
                    )
                    entry = Ref(copied)
                    places = self.memory.own[entry.var]
                taken.append(places)
            carried.append(replace(slot, entry=entry))
        return replace(loop, carried=tuple(carried))

    def _order(self, slot: Carried) -> int:
        """Arguments in their order, before the others."""
        entry = slot.entry.var if isinstance(slot.entry, Ref) else None
        return self.order.get(entry, len(self.order))

    def _must_copy(
        self, var: Var, place: int, loop: Loop, places: Places, taken: list[Places]
    ) -> bool:
        found = self._in_the_way(var, place, loop.note.role)
        if found is None:
            return True
        inside = {slot.inner for slot in loop.carried}
        if found - inside:
            return True
        return any(self.memory.may_be(places, other) for other in taken)

    def _owned_result(self, result: Result, taken: list[Places]) -> Result:
        """A gradient in memory of its own: not the caller's, not another's."""
        if not isinstance(result.value, Ref) or self._is_number(result.value.var):
            return result
        var = result.value.var
        places = self.memory.own.get(var, NOWHERE)
        shared = any(self.memory.may_be(places, other) for other in taken)
        if shared or not self.memory.is_owned(places, (Role.TANGENT, Role.GRAD)):
            number = not self.number_arrays
            copied = copy_of(result.value, self._rank(var), self.facts, number)
            return replace(result, value=copied)
        taken.append(places)
        return result
