"""Systems of linear equations that need no np.linalg.solve, and triangles that no inv."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Expr, Function, Ref, Var
from gradgen.ir.walk import lets
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

LOWER, UPPER = "helper._solved_lower", "helper._solved_upper"
INVERTED = "helper._inverted_lower"


class Systems:
    """The triangles that a function makes, np.linalg.cholesky(K) and its .T."""

    def __init__(self, function: Function, facts: Facts):
        self.facts = facts
        self.made: dict[Var, Expr] = {let.var: let.value for let in lets(function.body)}

    def solved(self, node: Apply) -> Apply:
        """A system of a triangle and a vector by a loop over its rows.

        before:  np.linalg.solve(L, y)
        after:   _solved_lower(L, y)

        So it is n**2 operations, not n**3, and numba compiles it in a tenth of the time.
        np.linalg.inv(L) is _inverted_lower(L), a sixth of the operations.
        """
        if node.op == "numpy.linalg.inv" and len(node.args) == 1 and not node.kwargs:
            is_lower = self._triangle(node.args[0]) == LOWER
            return Apply(INVERTED, node.args) if is_lower else node
        if node.op != "numpy.linalg.solve" or node.kwargs or len(node.args) != 2:
            return node
        matrix, right = node.args
        helper = self._triangle(matrix)
        inner = isinstance(right, Apply) and right.op in (LOWER, UPPER)
        if helper and (inner or self._is_vector(right)):
            return Apply(helper, node.args)
        return node

    def _triangle(self, matrix: Expr) -> str:
        if isinstance(matrix, Ref):
            matrix = self.made.get(matrix.var, matrix)
        if not isinstance(matrix, Apply) or self.facts.is_complex(matrix):
            return ""
        if matrix.op == "numpy.linalg.cholesky":
            return "" if matrix.kwargs else LOWER
        turned = matrix.op == "numpy.transpose" and len(matrix.args) == 1
        if turned and not matrix.kwargs:
            return {LOWER: UPPER, UPPER: LOWER}.get(self._triangle(matrix.args[0]), "")
        return ""

    def _is_vector(self, right: Expr) -> bool:
        if self.facts.rank(right) != 1 or self.facts.is_list(right):
            return False
        floats = self.facts.kind(right) in (Kind.LIKE, Kind.WIDE)
        return floats and not self.facts.is_complex(right)
