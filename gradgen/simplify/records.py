"""Arrays that a loop fills entry by entry, and that keep what its reverse reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property

from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Const,
    Expr,
    Let,
    Loop,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.sharing import Sharing, changes
from gradgen.ir.walk import children, defined_inside, lets, statements, with_children
from gradgen.ir.operators import ADDITIVE, SCALING
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.simplify.instances import Instance, Stores

# what a key may be computed by from the indices of loops
PLAIN = {*ADDITIVE, *SCALING} - {"numpy.divide"}


@dataclass(frozen=True)
class Store:
    """A store into the array: where it stands, its key, and what it stores."""

    at: Instance
    key: Expr
    value: Expr


def records(body: Sequence[Stmt], sharing: Sharing, facts: Facts) -> dict[Var, Expr]:
    """The variables of loops whose values stand in an array after the loop.

        for t in range(1, n):
            s_in = s[t - 1]             s_in is s[t - 1] after the loop as well,
            s_t = np.tanh(w * s_in)     and s_t is s[t]
            s[t] = s_t

    An entry that is read or stored in a round is the entry of the finished array
    where no later store, in this round or in another one, meets its places. The
    expressions read the indices of the loops, and variables from around them.
    """
    found: dict[Var, Expr] = {}
    for at, stmt in enumerate(body):
        if not isinstance(stmt, Loop):
            continue
        rest = body[at + 1 :]
        for slot in stmt.carried:
            if facts.rank(Ref(slot.exit)) and not _changed(slot.exit, rest, sharing):
                thread = _Thread(stmt, facts)
                if thread.goes_through(slot, stmt):
                    found |= thread.values(slot.exit)
    return found


class _Thread:
    """The states of one array on its way through a loop: each store makes the next."""

    def __init__(self, loop: Loop, facts: Facts) -> None:
        self.facts = facts
        self.inside = set(defined_inside(loop))
        self.indices = {s.index for s in statements([loop]) if isinstance(s, Loop)}
        self.lets: dict[Var, Let] = {}
        self.states: dict[Var, Instance] = {}
        self.stores: list[Store] = []
        self.reads: list[tuple[Var, Apply, Instance]] = []
        self.count = 0
        self.loops: list[Loop] = []
        self.arms: list[tuple[Branch, int, int]] = []

    def goes_through(self, slot: Carried, loop: Loop) -> bool:
        """Follows the array through a loop; False where that cannot be done."""
        self.loops.append(loop)
        self._state(slot.inner)
        last = self._block(loop.body, slot.inner)
        self.loops.pop()
        return last is not None and slot.next == Ref(last)

    def _here(self, since: Instance | None = None) -> Instance:
        loops, arms = tuple(self.loops), tuple(self.arms)
        if since is None:
            return Instance(loops, arms, self.count, len(loops))
        return Instance(loops, arms, since.count, since.since)

    def _state(self, var: Var) -> None:
        self.count += 1
        self.states[var] = self._here()

    def _block(self, body: Iterable[Stmt], state: Var) -> Var | None:
        now: Var | None = state
        for stmt in body:
            if now is None:
                break
            if isinstance(stmt, Let):
                now = self._let(stmt, now)
            elif isinstance(stmt, Loop):
                now = self._loop(stmt, now)
            elif isinstance(stmt, Branch):
                now = self._branch(stmt, now)
        return now

    def _let(self, let: Let, now: Var) -> Var | None:
        self.lets[let.var] = let
        value = let.value
        if not isinstance(value, Apply) or not value.args:
            return now
        first = value.args[0]
        if not isinstance(first, Ref) or first.var not in self.states:
            return now
        if value.op == "getitem":
            self.reads.append((let.var, value, self._here(self.states[first.var])))
        elif value.op == "setitem" and first.var == now:
            self._state(let.var)
            self.stores.append(Store(self._here(), value.args[1], value.args[2]))
            return let.var
        elif changes(let):
            return None
        return now

    def _loop(self, loop: Loop, now: Var) -> Var | None:
        slots = [slot for slot in loop.carried if slot.entry == Ref(now)]
        if not slots:  # the array stays as it is
            self.loops.append(loop)
            last = self._block(loop.body, now)
            self.loops.pop()
            return now if last == now else None
        if len(slots) > 1 or not self.goes_through(slots[0], loop):
            return None
        self._state(slots[0].exit)
        return slots[0].exit

    def _branch(self, branch: Branch, now: Var) -> Var | None:
        ends: list[Var | None] = []
        for which, arm in enumerate((branch.then, branch.orelse)):
            self.arms.append((branch, which, len(self.loops)))
            ends.append(self._block(arm, now))
            self.arms.pop()
        if ends == [now, now]:
            return now
        for merge in branch.merges:
            ways = [merge.then, merge.orelse]
            if ways == [Ref(end) for end in ends if end is not None]:
                self._state(merge.var)
                return merge.var
        return None

    # what is known of the variables afterwards

    def values(self, final: Var) -> dict[Var, Expr]:
        """What can be read of the finished array in place of the variables."""
        found: dict[Var, Expr] = {}
        for var, value, at in self.reads:
            key = self._lasting(value.args[1], at)
            if key is not None:
                found[var] = with_children(value, (Ref(final), key))
        for store in self.stores:
            stored = store.value
            if not isinstance(stored, Ref) or stored.var not in self.inside:
                continue
            key = self._lasting(store.key, store.at)
            if key is not None:
                entry = Apply("getitem", (Ref(final), key))
                if self._is_exact(stored, entry, final):
                    found.setdefault(stored.var, entry)
        return found

    def _lasting(self, key: Expr, at: Instance) -> Expr | None:
        """The key by loop indices, where no later store meets its places."""
        plain = by_indices(key, at.loops, self.inside, self.lets)
        if plain is None:
            return None
        for store, other in zip(self.stores, self._plain_keys, strict=True):
            if other is None or not self._proofs.leave(plain, at, other, store.at):
                return None
        return plain

    @cached_property
    def _proofs(self) -> Stores:
        return Stores(self.facts, self.lets, self.inside - self.indices)

    @cached_property
    def _plain_keys(self) -> list[Expr | None]:
        """The keys of all stores by loop indices, once all of them are known."""
        return [
            by_indices(store.key, store.at.loops, self.inside, self.lets)
            for store in self.stores
        ]

    def _is_exact(self, stored: Ref, entry: Expr, final: Var) -> bool:
        """Whether the array holds the stored value to the bit, and in its dtype."""
        facts = self.facts
        kind = facts.kinds[final]
        if kind not in (Kind.LIKE, Kind.WIDE) or facts.kinds[stored.var] is not kind:
            return False
        if facts.is_complex(stored) != facts.is_complex(Ref(final)):
            return False
        return facts.same(stored, entry)


def _changed(var: Var, rest: Iterable[Stmt], sharing: Sharing) -> bool:
    """Whether the memory is changed by what follows."""
    root = sharing.root(var)
    return any(changes(let) and sharing.root(let.var) == root for let in lets(rest))


def by_indices(
    expr: Expr, loops: tuple[Loop, ...], inside: Set[Var], lets: Mapping[Var, Let]
) -> Expr | None:
    """A key by the indices of the loops around it and what is from outside.

    `inside` are the variables of the loops; None where one of them is neither an
    index nor computed from indices.
    """
    if isinstance(expr, Const):
        return expr
    if isinstance(expr, Ref):
        if expr.var not in inside or any(expr.var == loop.index for loop in loops):
            return expr
        let = lets.get(expr.var)
        return None if let is None else by_indices(let.value, loops, inside, lets)
    assert isinstance(expr, Apply)
    if expr.op not in PLAIN | {"tuple", "slice"}:
        return None
    parts = [by_indices(child, loops, inside, lets) for child in children(expr)]
    if any(part is None for part in parts):
        return None
    return with_children(expr, [part for part in parts if part is not None])
