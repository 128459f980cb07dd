"""What the rounds of a loop change of what it carries."""

from __future__ import annotations

from gradgen.ir.nodes import Let, Loop, Ref, Var
from gradgen.ir.operators import LISTS, STORES
from gradgen.ir.reaching import Reaching
from gradgen.ir.sharing import Sharing
from gradgen.ir.walk import statements


class RoundStores:
    """The stores of a loop's body, asked for by the variables that it carries."""

    def __init__(self, loop: Loop) -> None:
        self._shared = Sharing(loop.body)
        self._reached = Reaching(loop.body, loop.carried)
        ops = {
            stmt.var: getattr(stmt.value, "op", "")
            for stmt in statements(loop.body)
            if isinstance(stmt, Let)
        }
        root = self._shared.root
        self._put = {root(v) for v, op in ops.items() if op in (*LISTS, "put")}
        self._arrays = {root(v) for v, op in ops.items() if op in STORES}
        for slot in loop.carried:
            if isinstance(slot.next, Ref):
                self._shared.join(slot.inner, slot.next.var)

    def reach(self, inner: Var) -> bool:
        """Whether a store reaches the memory that a variable enters the loop with."""
        return self._reached.changes_before(inner)

    def change_list(self, inner: Var) -> bool:
        """Whether a list is changed that a carried variable may be."""
        return self._shared.root(inner) in self._put

    def change_array(self, inner: Var) -> bool:
        """Whether entries of an array are stored that a carried variable may be."""
        return self._shared.root(inner) in self._arrays
