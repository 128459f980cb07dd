"""What a statement has read, and not used yet, while a call in it changes something."""

from __future__ import annotations

from typing import Any

import gast

from gradgen.frontend.held import Held
from gradgen.frontend.memory import leaves
from gradgen.frontend.parameters import Parameters
from gradgen.frontend.writer import Frame
from gradgen.ir.nodes import Apply, Expr, Ref


class Operands(Parameters):
    """Keeps the operands that wait, which no name tells of.

        return self.total * self.add(v)     # where add says self.total += v

    The factor on the left is another value than before if it is an array, and the same
    if it is a number: a change of what waits is one of what is shared.
    """

    # of each call that the statement at hand stands in, innermost last
    operands: list[list[Expr]]

    def start(self, node: gast.AST, *args: Any, **kwargs: Any) -> None:
        super().start(node, *args, **kwargs)
        if self.frame.note is None:  # a statement, not a part of one
            self.operands[-1].clear()

    def read(self, node: gast.AST) -> Expr:
        found = super().read(node)
        if isinstance(found, (Ref, Apply)) and not isinstance(node, Held):
            self.operands[-1].append(found)
        return found

    def bind(self, value: Apply, node: gast.AST | None) -> Expr:
        for arg in value.args:
            if arg in self.operands[-1]:
                self.operands[-1].remove(arg)
        return super().bind(value, node)

    def _inlined(self, frame: Frame, bound: dict[Any, Any], node: gast.AST) -> Expr:
        self.operands.append([])
        try:
            return super()._inlined(frame, bound, node)
        finally:
            self.operands.pop()

    def is_shared(self, handle: Ref) -> bool:
        around = self.memory.around(self.memory.buffer(handle.var))
        return super().is_shared(handle) or any(
            self.memory.buffer(leaf.var) in around
            for waiting in self.operands[:-1]
            for tree in waiting
            for leaf in leaves(tree)
            if isinstance(leaf, Ref) and leaf.var not in self.memory.numbers
        )
