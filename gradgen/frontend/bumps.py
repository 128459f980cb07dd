"""Entries of lists that change by x[i] += y: arrays do so in place."""

from __future__ import annotations

from typing import Any, NoReturn

from gradgen.frontend.memory import leaves
from gradgen.frontend.stores import Stores
from gradgen.ir.nodes import Apply, Expr, Ref, Var


class Bumps(Stores):
    """Tells whether x[i] += y is another entry, or an array that others see change."""

    def _is_nowhere_else(self, handle: Expr) -> bool:
        """Whether an object is the result of an operation that has no name yet."""
        if not isinstance(handle, Ref) or self.memory.reach(handle.var) != {handle.var}:
            return False
        return handle not in self._held() and not self.is_a_list(handle)

    def _held(self) -> list[Expr]:
        """What names and containers hold."""
        held = [*self.state.names.values(), *self.state.versions.values()]
        return [leaf for handle in held for leaf in leaves(handle)]

    def _has_other_names(self, buffer: Var) -> bool:
        """Whether an entry of a list may be reached by another name than the list's."""
        reach = self.memory.reach(buffer) - {buffer}
        if reach & self.memory.lists:
            return True
        return any(
            isinstance(leaf, Ref)
            and leaf.var not in self.memory.numbers
            and self.memory.buffer(leaf.var) in reach
            for leaf in self._held()
        )

    def _may_be_boxed(self, buffer: Var, handle: Expr, node: Any) -> None:
        """Notes that an entry may be an array, which += would change in place."""
        if not self.is_number(handle):
            self.memory.boxed.add(buffer)
            if buffer in self.memory.bumped:
                self._refuse_bump(buffer, node)

    def _refuse_bump(self, buffer: Var, node: Any) -> NoReturn:
        name = self.known_name(buffer)
        self.fail(
            "GG231",
            f"an entry of {name} may be an array, which this changes in place",
            node,
            f"{name}[i] = {name}[i] + ...",
        )

    def bump_entry(
        self, target: Ref, key: Expr, old: Expr, op: str, value: Expr, node: Any
    ) -> None:
        """x[i] op= value, where no entry is an array that has another name."""
        buffer = self.memory.buffer(target.var)
        arrays = self.facts.rank(old) != 0 and self._has_other_names(buffer)
        if buffer in self.memory.boxed or arrays:
            self._refuse_bump(buffer, node)
        self.memory.bumped.add(buffer)
        new = self.bind(Apply(op, (old, value), spelling="operator"), node)
        if isinstance(new, Ref) and self.facts.rank(new) == 0:
            self.memory.numbers.add(new.var)
        self.store_entry(target, key, new, node, "setitem")
