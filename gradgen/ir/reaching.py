"""Which memory from outside of a block its statements change."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import Branch, Carried, Expr, Let, Loop, Stmt, Var
from gradgen.ir.sharing import changes, of_a_list, shared_with
from gradgen.ir.walk import statements

# a variable, or what a loop's variable is before the first round
Place = Var | tuple[str, Var]


class Reaching:
    """The places whose memory stores into arrays of a block reach.

    Other than classes of variables that may share memory (`ir/sharing.py`), this
    follows the ways of memory forwards: after `new = 2 * u` and `u = new`, a store into
    `new` reaches the `u` of later rounds, and not the one before the loop. `carried` is
    what the loop carries whose body the block is.
    """

    def __init__(self, body: Iterable[Stmt], carried: Iterable[Carried] = ()) -> None:
        self._sources: dict[Place, set[Place]] = {}
        self._stores: set[Place] = set()
        self._reached: set[Place] | None = None
        for slot in carried:
            self._comes(slot.inner, slot.next)
            self._sources[slot.inner].add(("entry", slot.inner))
        for stmt in statements(body):
            if isinstance(stmt, Let):
                self._comes(stmt.var, stmt.value)
                if changes(stmt) and not of_a_list(stmt):
                    self._stores.add(stmt.var)
            elif isinstance(stmt, Branch):
                for merge in stmt.merges:
                    self._comes(merge.var, merge.then)
                    self._comes(merge.var, merge.orelse)
            elif isinstance(stmt, Loop):
                for slot in stmt.carried:
                    for end in (slot.entry, slot.next):
                        self._comes(slot.inner, end)
                        self._comes(slot.exit, end)
                    self._sources.setdefault(slot.exit, set()).add(slot.inner)

    def changes_before(self, inner: Var) -> bool:
        """Whether the rounds change what a loop's variable is before the first one."""
        return ("entry", inner) in self._all()

    def changes(self, var: Var) -> bool:
        """Whether a variable from outside is changed."""
        return var in self._all()

    def _all(self) -> set[Place]:
        if self._reached is None:
            waiting, found = list(self._stores), set(self._stores)
            while waiting:
                for source in self._sources.get(waiting.pop(), ()):
                    if source not in found:
                        found.add(source)
                        waiting.append(source)
            self._reached = found
        return self._reached

    def _comes(self, var: Var, value: Expr) -> None:
        self._sources.setdefault(var, set()).update(shared_with(value))
