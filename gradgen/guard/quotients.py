"""Which variables stand in the denominators of what is made of them."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Expr, Let, Ref, Var
from gradgen.ir.walk import children, reads


class Quotients:
    """What is divided by what, through the definitions of a function.

    `values` are the definitions in their order, `adjoints` those of the gradient.
    """

    def __init__(self, values: dict[Var, Expr], adjoints: Iterable[Let]) -> None:
        self.values = values
        self.order = {var: at for at, var in enumerate(values)}
        self.readers: dict[Var, list[Let]] = {}
        for let in adjoints:
            for var in dict.fromkeys(reads(let.value)):
                self.readers.setdefault(var, []).append(let)

    def divides(self, var: Var, expr: Expr) -> bool:
        """Whether a variable stands in a denominator of an expression, or behind it.

        What is defined before the variable does not read it, and is not looked at.
        """
        first = self.order.get(var, -1)
        seen: set[tuple[Var, bool]] = set()
        stack: list[tuple[Expr, bool]] = [(expr, False)]
        while stack:
            node, below = stack.pop()
            if isinstance(node, Ref):
                if below and node.var == var:
                    return True
                at = self.order.get(node.var, -1)
                if at > first and (node.var, below) not in seen:
                    seen.add((node.var, below))
                    stack.append((self.values[node.var], below))
            elif isinstance(node, Apply):
                is_quotient = node.op == "numpy.divide"
                for at, child in enumerate(children(node)):
                    stack.append((child, below or (is_quotient and at == 1)))
        return False

    def divides_later(self, var: Var, made: Var) -> bool:
        """Whether an adjoint that reads what is made divides by the variable."""
        readers = self.readers.get(made, ())
        return any(self.divides(var, let.value) for let in readers)
