"""The transpose of a symmetric matrix is the matrix."""

from __future__ import annotations

from collections.abc import Mapping

from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, SIGNED
from gradgen.ir.walk import lets, rewrite, rewrite_derived, subexpressions
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts

# so deep are matrices looked into
DEPTH = 12
PRODUCTS = frozenset(["numpy.matmul", "numpy.dot"])


def symmetric(function: Function, facts: Facts) -> Function:
    """The function whose gradient transposes no matrix that surely is symmetric.

        before:  off = W.T @ W - np.eye(3)
                 d_off = 2 * d_out * off
                 d_W = W @ d_off + W @ d_off.T
        after:   off = W.T @ W - np.eye(3)
                 d_off = 2 * d_out * off
                 d_W = W @ d_off + W @ d_off

    What is known by its form: A.T @ A, A + A.T, a matrix on whose diagonal alone there
    is something, and sums, products entry by entry and functions of such.
    """
    if not any(
        _is_turned(node)
        for let in lets(function.body)
        if let.note.derived
        for node in subexpressions(let.value)
    ):
        return function
    known = _Symmetric({let.var: let.value for let in lets(function.body)}, facts)

    def turned_back(node: Expr) -> Expr:
        if isinstance(node, Apply) and _is_turned(node):
            if known.holds(node.args[0], DEPTH):
                return node.args[0]
        return node

    return rewrite_derived(function, lambda expr: rewrite(expr, turned_back))


def _is_turned(node: Expr) -> bool:
    turned = isinstance(node, Apply) and node.op == "numpy.transpose"
    return turned and len(node.args) == 1 and not node.kwargs


class _Symmetric:
    def __init__(self, values: Mapping[Var, Expr], facts: Facts) -> None:
        self.values, self.facts = values, facts

    def holds(self, matrix: Expr, depth: int) -> bool:
        """Whether a matrix is symmetric, as far as its form tells."""
        if not depth or self.facts.rank(matrix) != 2 or self.facts.is_complex(matrix):
            return False
        made = self._made(matrix)
        if not isinstance(made, Apply):
            return False
        if made.op in PRODUCTS and len(made.args) == 2:
            return self._mirrors(made, depth)
        if made.op in ("numpy.eye", "numpy.identity", "numpy.diag"):
            of_vector = made.op != "numpy.diag" or self.facts.rank(made.args[0]) == 1
            plain = {name for name, _ in made.kwargs} <= {"dtype"}
            return of_vector and plain and len(made.args) == 1
        if made.op == "numpy.outer":
            return len(made.args) == 2 and made.args[0] == made.args[1]
        if made.op in ADDITIVE and self._is_pair(made):
            return True
        if made.op == "numpy.linalg.inv":
            return self.holds(made.args[0], depth - 1)
        if made.op in ARITHMETIC | set(SIGNED) or self._is_elementwise(made):
            return all(
                self.facts.rank(arg) == 0 or self.holds(arg, depth - 1)
                for arg in made.args
            )
        return False

    def _made(self, value: Expr) -> Expr:
        return self.values.get(value.var, value) if isinstance(value, Ref) else value

    def _mirrors(self, product: Apply, depth: int) -> bool:
        """Whether it is A.T @ A, A @ A.T, or A.T @ S @ A with a symmetric S."""
        first, second = product.args
        if self._are_turned(first, second):
            return True
        for outer, rest, at in ((second, first, 0), (first, second, 1)):
            inner = self._made(rest)
            if not isinstance(inner, Apply) or inner.op not in PRODUCTS:
                continue
            if len(inner.args) != 2 or not self._are_turned(inner.args[at], outer):
                continue
            if self.holds(inner.args[1 - at], depth - 1):
                return True
        return False

    def _are_turned(self, one: Expr, other: Expr) -> bool:
        """Whether one matrix is the transpose of the other."""
        for first, second in ((one, other), (other, one)):
            made = self._made(first)
            if isinstance(made, Apply) and _is_turned(made) and made.args[0] == second:
                return self.facts.rank(second) == 2
        return False

    def _is_pair(self, total: Apply) -> bool:
        """Whether it is A + A.T."""
        return total.op == "numpy.add" and self._are_turned(*total.args)

    def _is_elementwise(self, made: Apply) -> bool:
        rule = operations().get(made.op)
        plain = rule is not None and rule.kind == "elementwise"
        return plain and not made.kwargs
