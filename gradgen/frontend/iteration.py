"""What a for loop goes over: a range, the rows of an array, several at once."""

from __future__ import annotations

import gast

from gradgen.frontend.containers import Containers
from gradgen.frontend.loops import Loops
from gradgen.frontend.jumps import BROKE, GONE, STOP, TRUE
from gradgen.frontend.writer import REFUSED, Refusal
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref


class Iteration(Containers, Loops):
    """Writes for and while statements."""

    def write_For(self, node: gast.For) -> None:
        target = self.source.one_line(node.target)
        text = f"for {target} in {self.source.one_line(node.iter)}"
        self.start(node, target, text, node.iter)
        note = self.note
        bounds = self._range(node.iter)
        if bounds is None:
            self.fail(
                "GG113",
                "a for loop over this is not supported",
                node,
                "for i in range(...)",
            )
        if REFUSED in bounds:
            raise Refusal
        over = Apply("range", tuple(self.current(part) for part in bounds))
        name = node.target.id if isinstance(node.target, gast.Name) else "i"
        index = self.counter(name, Origin.USER)

        def enter() -> None:
            self.assign(node.target, Ref(index), self.mark())

        self.loop(node, over, index, enter, None, note)

    def _range(self, node) -> tuple[Expr, Expr, Expr] | None:
        """start, stop and step of a range, else None."""
        if not isinstance(node, gast.Call) or self.resolve(node.func) is not range:
            return None
        if node.keywords or not 1 <= len(node.args) <= 3:
            self.fail("GG209", "range takes 1 to 3 arguments", node, "range(n)")
        parts = [self.read(arg) for arg in node.args]
        if len(parts) == 1:
            return Const(0), parts[0], Const(1)
        return parts[0], parts[1], (parts[2] if len(parts) == 3 else Const(1))

    def write_While(self, node: gast.While) -> None:
        text = f"while {self.source.one_line(node.test)}"
        self.start(node, "", text, node.test)
        index = self.counter("i")
        self.loop(node, None, index, lambda: None, node.test, self.note)

    def write_Break(self, node: gast.Break) -> None:
        for name in (GONE, STOP, BROKE):
            self.set_flag(name, TRUE)

    def write_Continue(self, node: gast.Continue) -> None:
        self.set_flag(GONE, TRUE)
