"""Adjoints of entries that were stored: taken, and set to zero where that is needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.walk import (
    defined_inside,
    reads,
    reads_of,
    statements,
    subexpressions,
    substitute_everywhere,
    with_blocks,
)
from gradgen.shapes.infer import Facts
from gradgen.simplify.instances import Instance, Stores
from gradgen.simplify.records import by_indices


def cleared(function: Function, facts: Facts) -> Function:
    """The function that clears only adjoints that are read again.

        before:  for t in reversed(range(1, len(x))):
                     g = d_s[t]
                     d_s[t] = 0
                     d_s[t - 1] += w * g
                     d_x[t] = g
        after:   for t in reversed(range(1, len(x))):
                     d_s[t - 1] += w * d_s[t]
                     d_x[t] = d_s[t]

    The adjoint of an entry that a round stores is taken, and is zero before the store.
    Where nothing reads the entry afterwards, it may keep its value.
    """
    needless: dict[Var, Expr] = {}
    for at, stmt in enumerate(function.body):
        if not isinstance(stmt, Loop) or stmt.note.role is not Role.GRAD:
            continue
        later = function.body[at + 1 :]
        for slot in stmt.carried:
            if not facts.rank(Ref(slot.exit)):
                continue
            keys = _read_later(slot.exit, later, function)
            if keys is not None:
                needless |= Entries(stmt, facts).needless(slot, stmt, keys)
    return substitute_everywhere(without(function, needless), needless)


def _read_later(
    var: Var, later: tuple[Stmt, ...], function: Function
) -> list[Expr] | None:
    """The keys of the entries that are read of it after a loop; None for other reads."""
    whole = [*function.values, *(result.value for result in function.results)]
    if any(var in reads(value) for value in whole):
        return None
    keys: list[Expr] = []
    for stmt in later:
        count = sum(other == var for other in _all_reads(stmt))
        if not count:
            continue
        if not isinstance(stmt, Let):
            return None
        found = [
            node.args[1]
            for node in subexpressions(stmt.value)
            if isinstance(node, Apply)
            and node.op == "getitem"
            and node.args[0] == Ref(var)
        ]
        if len(found) != count:
            return None
        keys += found
    return keys


def without(function: Function, gone: Mapping[Var, Expr]) -> Function:
    """The function without the assignments of some variables."""

    def kept(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        return tuple(
            with_blocks(stmt, kept)
            for stmt in body
            if not (isinstance(stmt, Let) and stmt.var in gone)
        )

    return replace(function, body=kept(function.body)) if gone else function


class Entries:
    """What a loop of the gradient does with the entries of one adjoint."""

    def __init__(self, loop: Loop, facts: Facts) -> None:
        self.facts = facts
        self.inside = set(defined_inside(loop))
        self.indices = {s.index for s in statements([loop]) if isinstance(s, Loop)}
        self.lets: dict[Var, Let] = {}
        self.states: set[Var] = set()
        self.stores: list[tuple[Let, Instance]] = []
        self.reads: list[tuple[Expr, Instance]] = []
        self.count = 0
        self.loops: list[Loop] = []
        self.arms: list[tuple[Branch, int, int]] = []
        self.known = True

    def needless(
        self, slot: Carried, loop: Loop, keys: Iterable[Expr]
    ) -> dict[Var, Expr]:
        """The stores of zeros that nothing sees, and the states before them.

        `keys` are those of the entries that are read after the loop.
        """
        self.follow(slot, loop)
        after = Instance((), (), self.count + 1, 0)
        self.reads += [(key, after) for key in keys]
        found: dict[Var, Expr] = {}
        clears = [(let, at) for let, at in self.stores if _is_clear(let)]
        if not (clears and self.known):
            return found
        proofs = Stores(self.facts, self.lets, self.inside - self.indices)
        others = [
            (by_indices(k, of.loops, self.inside, self.lets), of)
            for k, of in self.reads
        ]
        for let, at in clears:
            before, key = let.value.args[:2]
            mine = by_indices(key, at.loops, self.inside, self.lets)
            if mine is not None and all(
                other is not None and proofs.leave(mine, at, other, of)
                for other, of in others
            ):
                found[let.var] = before
        return {var: _first(before, found) for var, before in found.items()}

    def follow(self, slot: Carried, loop: Loop) -> None:
        """Notes the stores into what a slot of the loop carries, and what is read."""
        self._loop(loop, slot)

    def _here(self) -> Instance:
        return Instance(
            tuple(self.loops), tuple(self.arms), self.count, len(self.loops)
        )

    def _loop(self, loop: Loop, slot: Carried | None) -> None:
        self.loops.append(loop)
        if slot is not None:
            self.states |= {slot.inner, slot.exit}
        for expr in (loop.over, loop.test, loop.until):
            self._seen(expr or Const(None))
        self._block(loop.body)
        for other in loop.carried:  # into another variable, or from another one
            given = {
                *reads(other.next),
                *(reads(other.entry) if self.loops[1:] else ()),
            }
            if bool(given & self.states) != (other is slot):
                self.known = False
        self.loops.pop()

    def _block(self, body: Sequence[Stmt]) -> None:
        for stmt in body:
            self.count += 1
            if isinstance(stmt, Let):
                self._let(stmt)
            elif isinstance(stmt, Branch):
                self._seen(stmt.test)
                for which, arm in enumerate((stmt.then, stmt.orelse)):
                    self.arms.append((stmt, which, len(self.loops)))
                    self._block(arm)
                    self.arms.pop()
                for merge in stmt.merges:
                    if {*reads(merge.then), *reads(merge.orelse)} & self.states:
                        self.states.add(merge.var)
            elif isinstance(stmt, Loop):
                slots = [s for s in stmt.carried if set(reads(s.entry)) & self.states]
                if len(slots) > 1 or any(not isinstance(s.entry, Ref) for s in slots):
                    self.known = False
                self._loop(stmt, slots[0] if slots else None)
            elif set(reads_of(stmt)) & self.states:
                self.known = False

    def _let(self, let: Let) -> None:
        self.lets[let.var] = let
        value = let.value
        changes = isinstance(value, Apply) and value.op in ("setitem", "additem")
        first = value.args[0] if isinstance(value, Apply) and value.args else None
        if changes and isinstance(first, Ref) and first.var in self.states:
            assert isinstance(value, Apply)
            self.states.add(let.var)
            for part in value.args[1:]:
                self._seen(part)
            self.stores.append((let, self._here()))
            return
        self._seen(value)

    def _seen(self, expr: Expr) -> None:
        """Notes what an expression reads of the adjoint: entries, or all of it."""
        inside = 0
        for node in subexpressions(expr):
            if isinstance(node, Apply) and node.op == "getitem":
                base = node.args[0]
                if isinstance(base, Ref) and base.var in self.states:
                    self.reads.append((node.args[1], self._here()))
                    inside += 1
        if sum(var in self.states for var in reads(expr)) > inside:
            self.known = False


def _is_clear(let: Let) -> bool:
    """Whether a store sets to zero."""
    return let.value.op == "setitem" and let.value.args[2] in (Const(0), Const(0.0))


def _first(before: Expr, found: dict[Var, Expr]) -> Expr:
    """The state before several stores that go."""
    while isinstance(before, Ref) and before.var in found:
        before = found[before.var]
    return before


def _all_reads(stmt: Stmt) -> Iterable[Var]:
    for one in statements([stmt]):
        yield from reads_of(one)
