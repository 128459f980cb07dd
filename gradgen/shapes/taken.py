"""Matrices that count as symmetric, since the caller gives them for that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from gradgen.ir.nodes import Apply, Expr, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, MATRIX_PRODUCTS, MULTIPLICATIVE, SIGNED
from gradgen.ir.slope import POINT
from gradgen.ir.walk import children
from gradgen.shapes.infer import Facts
from gradgen.shapes.mirrored import Mirrored

# so many parts of an expression are looked at
MOST = 500


class Taken:
    """What functions of symmetric matrices take for one, besides what is by its form.

    That is an argument, as NumPy's functions take it, and a number times it, with
    symmetric matrices added, or between a matrix and its transpose: s * A + np.eye(n),
    H @ A @ H.T. An argument that is read once: A - A.T / 3 is what it is.
    """

    def __init__(self, values: Mapping[Var, Expr], facts: Facts) -> None:
        self.values, self.facts = values, facts
        self.forms = Mirrored(values, facts)
        # whether a derivative is taken at a matrix that would have to be symmetric
        self.unsure = False

    def is_symmetric(self, matrix: Expr) -> bool:
        """Whether a matrix is symmetric by its form, or counts as that."""
        if self.is_argument(matrix) or self.forms.is_symmetric(matrix):
            return True
        if self.facts.is_complex(matrix):
            return False
        if self._argument(self._scaled(matrix)) is not None:
            return True  # of as many axes as the whole has
        counted: Counter[Var] = Counter()
        if not self._count(matrix, counted, [MOST]):
            return False
        return self._takes(matrix, counted)

    def _scaled(self, expr: Expr) -> Expr:
        """What a value is a number times: A of -2 * A / 3."""
        for _ in range(MOST):
            made = self.forms.made(expr)
            if not isinstance(made, Apply) or made.kwargs:
                return expr
            ranks = [self.facts.rank(arg) for arg in made.args]
            if made.op in SIGNED or made.op in MULTIPLICATIVE and ranks[1] == 0:
                expr = made.args[0]
            elif made.op == "numpy.multiply" and ranks[0] == 0:
                expr = made.args[1]
            else:
                return expr
        return expr

    def is_argument(self, expr: Expr) -> bool:
        """Whether a value is an argument, or a matrix of a list or a stack of them."""
        return self._argument(expr) is not None

    def _argument(self, expr: Expr) -> Var | None:
        while True:
            value = self.values.get(expr.var) if isinstance(expr, Ref) else expr
            if value is None and isinstance(expr, Ref):
                return expr.var if expr.var.origin is Origin.PARAM else None
            if isinstance(value, Ref):
                expr = value
            elif isinstance(value, Apply) and value.op == POINT:
                return self._point(expr, value.args[0])
            elif isinstance(value, Apply) and value.op == "item":
                expr = value.args[0]
            elif isinstance(value, Apply) and value.op == "getitem":
                if self.facts.rank(value.args[1]) != 0:
                    return None
                expr = value.args[0]
            else:
                return None

    def _point(self, expr: Expr, value: Expr) -> Var | None:
        """The argument that a function has inside a derivative, if that is symmetric.

        gradgen.grad(energy)(M) takes M for symmetric; what M is made of may not be.
        """
        if isinstance(expr, Ref) and self.is_symmetric(value):
            return expr.var
        self.unsure = True
        return None

    def _count(self, expr: Expr, counted: Counter[Var], left: list[int]) -> bool:
        """Counts how often each argument is read; False of an expression too large."""
        left[0] -= 1
        if left[0] < 0:
            return False
        made = self.forms.made(expr)
        if isinstance(made, Ref):
            counted[made.var] += 1
            return True
        return all(self._count(one, counted, left) for one in children(made))

    def _takes(self, expr: Expr, counted: Counter[Var]) -> bool:
        own = self._argument(expr)
        if own is not None:
            return counted[own] == 1 and self.facts.rank(expr) == 2
        made = self.forms.made(expr)
        if not isinstance(made, Apply) or made.kwargs:
            return False
        if made.op in ADDITIVE:
            return self._takes_sum(expr, counted)
        if made.op in SIGNED:
            return self._takes(made.args[0], counted)
        if made.op in MULTIPLICATIVE:
            numbers = [self.facts.rank(arg) == 0 for arg in made.args]
            if numbers[1]:
                return self._takes(made.args[0], counted)
            return (
                numbers[0]
                and made.op == "numpy.multiply"
                and self._takes(made.args[1], counted)
            )
        if made.op in MATRIX_PRODUCTS and len(made.args) == 2:
            forms = self.forms.matrices
            return forms.is_form(*made.args, lambda inner: self._holds(inner, counted))
        return False

    def _holds(self, expr: Expr, counted: Counter[Var]) -> bool:
        return self.forms.sign(expr, 2) == 1 or self._takes(expr, counted)

    def _takes_sum(self, expr: Expr, counted: Counter[Var]) -> bool:
        """Whether the terms are such; one of unknown rank is a matrix beside s * np.eye(n)."""
        terms = [term for _, term in self.forms.terms(expr, 1)]
        unknown = [
            term
            for term in terms
            if self.is_argument(term) and self.facts.rank(term) is None
        ]
        if unknown:
            others = [term for term in terms if term not in unknown]
            return len(unknown) == 1 and all(
                map(self.forms.matrices.is_diagonal, others)
            )
        return all(self._holds(term, counted) for term in terms)
