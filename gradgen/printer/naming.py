"""Var -> identifier, chosen last, from identity and from what is still read."""

from __future__ import annotations

import keyword
from collections import Counter
from collections.abc import Iterable, Set

from gradgen.ir.liveness import Liveness
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Function,
    Let,
    Loop,
    Merge,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import IN_PLACE, LISTS, STORES
from gradgen.ir.sharing import changes
from gradgen.ir.walk import all_defined, reads
from gradgen.printer.other_names import callbacks, joined, of_joined
from gradgen.printer.other_names import other_names, through


def names(
    function: Function, reserved: Iterable[str], callback: bool, compiled: bool = False
) -> dict[Var, str]:
    """An identifier for each variable.

    A name is used again when its last value is read no more: yh = yh + 1e-8. In
    callback style the inner function reads the outer one's names when it runs, so
    that those stay what they are to the end. Numba calls the second value of d_x d_x.2,
    and d_x_2 within an expression of arrays: in a `compiled` text that is d_x2.
    """
    return _Naming(function, set(reserved), callback, compiled).chosen()


class _Naming:
    def __init__(
        self, function: Function, reserved: set[str], callback: bool, compiled: bool
    ) -> None:
        self.function, self.callback, self.compiled = function, callback, compiled
        self.taken = reserved | set(keyword.kwlist)
        self.params = [param.var for param in function.params]
        self.users = {var.name for var in self.params if var.origin is Origin.PARAM}
        self.users |= {
            var.name for var in all_defined(function.body) if var.origin is Origin.USER
        }
        self.live = Liveness(function, kept=callback)
        self.outer = self.live.read_late if callback else frozenset()
        self.holder: dict[str, Var] = {}
        # what an arm has named, and the same arm of a later branch still reads
        self.leaving: dict[str, set[Var]] = {}
        self.names: dict[Var, str] = {}
        self.joined = joined(function.body)
        self.wished = _returned(function) | callbacks(function.body, self.joined)
        # what is returned for an argument has no other name
        self.results = {
            var for result in function.results for var in reads(result.value)
        }
        # what the results of callbacks come through
        self.through: dict[Var, str] = {}
        # Where the search for a number starts: every name before is in use.
        self.numbers: dict[str, int] = {}

    def chosen(self) -> dict[Var, str]:
        """The names of all variables."""
        seeds = set(self.function.seeds)
        bundled = [p for p in self.function.params if p.bundle]
        leaves = {p.var for p in bundled if p.path}
        for param in bundled:
            if not param.path:
                self._give(param.var, param.bundle)
        for var in self.params:
            if var not in seeds and var not in leaves and var not in self.names:
                self._give(var, var.name)
        self.taken |= {name for name, _ in self.function.bundles}
        for var in self.params:
            if var in leaves:
                self._give(var, self._free(var.name, -1, self.taken))
        for var in self.params:
            if var in seeds and var not in leaves:
                self._give(var, self._free(var.name, -1, self.taken, self.users))
        self._block(self.function.body)
        return self.names

    def _block(self, body: Iterable[Stmt]) -> None:
        for stmt in body:
            inner = stmt.note.role is Role.GRAD
            if isinstance(stmt, Let):
                self._let(stmt, self.live.at[id(stmt)], inner)
            elif isinstance(stmt, Branch):
                self._branch(stmt, inner)
            elif isinstance(stmt, Loop):
                self._loop(stmt, inner)

    def _let(self, let: Let, place: int, inner: bool) -> None:
        value = let.value
        self.through |= through(let, self.names)
        if isinstance(value, Apply) and value.op in IN_PLACE or changes(let):
            base = getattr(value.args[0], "var", None)
            if base is not None and self._goes_on(let, base, place):
                # What is still read of the old value is its shape, or nothing.
                self.live.places[let.var] += self.live.places[base]
                self.live.places[let.var].sort()
                self._give(let.var, self.names[base])
                return
        self._choose(let.var, place, inner, let)

    def _goes_on(self, let: Let, base: Var, place: int) -> bool:
        """Whether a change in place keeps the name: always for arrays."""
        if let.value.op in (*STORES, *LISTS):
            return True
        return not self.live.read_after(base, place) and base in self.names

    def _loop(self, loop: Loop, inner: bool) -> None:
        start = self.live.defined[loop.index]
        taken = self.taken
        for slot in loop.carried:
            # What leaves the loop has this name too, though no round may read it.
            self._start(slot, start, inner)
            self.taken = self.taken | {self.names[slot.inner]}
        for var in (loop.index, loop.count):
            self._choose(var, start, inner)
        self.taken = taken
        self._block(loop.body)
        for slot in loop.carried:
            self._give(slot.exit, self.names[slot.inner])

    def _start(self, slot: Carried, place: int, inner: bool) -> None:
        """A carried variable goes on under its entry's name, where it may."""
        entry = slot.entry.var if isinstance(slot.entry, Ref) else None
        if entry is not None and entry.name == slot.inner.name:
            name = self.names[entry]
            given = entry.origin is not Origin.PARAM or slot.inner.name == name
            if given and self.holder.get(name) == entry and self._is_over(name, place):
                self._give(slot.inner, name)
                return
        self._choose(slot.inner, place, inner)

    def _branch(self, branch: Branch, inner: bool) -> None:
        before = dict(self.holder)
        held: list[tuple[str, Var]] = []
        for arm in (branch.then, branch.orelse):
            self.holder = dict(before)
            self._block(arm)
            held += self.holder.items()
        self.holder = before
        place = self.live.ends[id(branch)]
        for name, var in held:
            if self.live.read_after(var, place) and before.get(name) != var:
                self.leaving.setdefault(name, set()).add(var)
        for merge in branch.merges:
            self._join(merge, place, inner)

    def _join(self, merge: Merge, place: int, inner: bool) -> None:
        """A value that leaves a branch keeps the name it has in an arm, if it may."""
        if merge.var.origin is not Origin.USER:
            for way in (merge.then, merge.orelse):
                if isinstance(way, Ref) and way.var.name == merge.var.name:
                    name = self.names[way.var]
                    if self._is_over(name, place):
                        self._give(merge.var, name)
                        return
        self._choose(merge.var, place, inner)

    def _choose(
        self, var: Var, place: int, inner: bool, let: Let | None = None
    ) -> None:
        blocked: list[Set[str]] = [self.taken]
        if var.origin is not Origin.USER:
            blocked.append(self.users)
        if self.callback and inner:
            # A name assigned in the inner function is local to it.
            blocked.append({self.names[v] for v in self.outer if v in self.names})
        # _ says that nothing reads it
        wish = "i" if var.name == "_" and self.live.places[var] else var.name
        of = var.of
        derived = var.origin in (Origin.ADJOINT, Origin.TANGENT)
        if derived and of is not None and of.name in self.users:
            wish = f"{var.name[0]}_{of.name}"  # d_x, or v_x
        wish = self.wished.get(var, wish)
        same = self.names.get(of, "") if of is not None else ""
        if var.origin is Origin.TEMP and same and not _is_in(same, blocked):
            # what the primal's half has kept has its name there
            wish = same if self._is_over(same, place) else wish
        others: Iterable[str] = ()
        if var in self.joined:
            others = of_joined(wish)
        elif let is not None and var not in self.results:
            others = other_names(let, wish, self.through)
            if derived and same and not same[-1].isdigit():
                others = (f"{var.name[0]}_{same}", *others)  # d_target for target
        self._give(var, self._free(wish, place, *blocked, others=others))

    def _free(
        self, wish: str, place: int, *blocked: Set[str], others: Iterable[str] = ()
    ) -> str:
        """The wished name, another word, or one with a number that nobody wishes for."""
        if not _is_in(wish, blocked) and self._is_over(wish, place):
            return wish
        for name in others:
            free = not _is_in(name, blocked) and name not in self.users
            if free and self._is_over(name, place):
                return name
        n = self.numbers.get(wish, 2)
        while True:
            name = f"{wish}_{n}"
            if self.compiled:
                name = f"{wish}_v{n}" if wish[-1].isdigit() else f"{wish}{n}"
            free = not _is_in(name, blocked) and name not in self.users
            if free and self._is_over(name, place):
                self.numbers[wish] = n
                return name
            n += 1

    def _is_over(self, name: str, place: int) -> bool:
        """Whether the value that holds a name is read no more after a place."""
        holders = {self.holder[name]} if name in self.holder else set()
        holders |= self.leaving.get(name, set())
        if not holders:
            return True
        return place >= 0 and not any(self.live.read_after(v, place) for v in holders)

    def _give(self, var: Var, name: str) -> None:
        self.names[var] = name
        self.holder[name] = var


def _returned(function: Function) -> dict[Var, str]:
    """The names of gradients that are returned for an argument: d_x, not d_shifted.

    What is the adjoint of x + b is the gradient of b as well, and is called as what
    it is returned for, unless something else has that name.
    """
    named = Counter(
        var.of.name
        for var in all_defined(function.body)
        if var.origin is Origin.ADJOINT and var.of is not None
    )
    lets = {stmt.var for stmt in function.body if isinstance(stmt, Let)}
    found: dict[Var, str] = {}
    for result in function.results:
        var = result.value.var if isinstance(result.value, Ref) else None
        if var is None or var not in lets or var.origin is not Origin.ADJOINT:
            continue
        own = result.of.origin is Origin.PARAM and not named[result.of.name]
        if own and not result.name and var not in found and var.order == 1:
            found[var] = f"d_{result.of.name}"
    return found


def _is_in(name: str, groups: Iterable[Set[str]]) -> bool:
    """Whether one of the sets has a name; each may have thousands."""
    return any(name in group for group in groups)
