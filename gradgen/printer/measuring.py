"""How wide an expression is printed: what has been measured is not rendered again."""

from __future__ import annotations

import gast

from gradgen.ir.nodes import Apply, Expr
from gradgen.printer.expression import written
from gradgen.printer.syntax import Syntax


class Measuring(Syntax):
    """A syntax whose nodes are looked at and never printed.

    An expression has one node here, which keeps its text: the texts of parts are parts
    of the texts of wholes. Helpers and modules are those of the syntax that prints.
    """

    def __init__(self, printing: Syntax) -> None:
        names = printing.names, printing.module, printing.scipy, printing.library
        super().__init__(*names)
        self.helpers, self.used = printing.helpers, printing.used
        self.known: dict[int, tuple[Expr, gast.AST]] = {}

    def expression(self, expr: Expr) -> gast.AST:
        """The gast of an expression, the same at each call."""
        if not isinstance(expr, Apply):
            return super().expression(expr)
        known = self.known.get(id(expr))
        if known is None:
            node = super().expression(expr)
            node.written = written(node)
            known = self.known[id(expr)] = expr, node
        return known[1]
