"""What an array is with two of its axes changed about: itself, its negative, neither.

A matrix that is itself is symmetric. What is asked of an array is what its form tells:
how it is made of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import (
    ADDITIVE,
    AS_ARRAY,
    EVEN,
    MULTIPLICATIVE,
    ODD,
    lift,
)
from gradgen.ir.walk import is_static, static
from gradgen.rules.load import operations
from gradgen.rules.traits import COMMUTING
from gradgen.shapes.infer import Facts
from gradgen.shapes.matrices import Matrices

WHOLE = slice(None)
Term = tuple[int, Expr]


class Mirrored:
    """The signs of arrays, by what the variables are made of."""

    def __init__(self, values: Mapping[Var, Expr], facts: Facts) -> None:
        self.facts, self.values = facts, values
        self.known: dict[tuple[Var, int], int] = {}
        self.matrices = Matrices(self)

    def is_symmetric(self, matrix: Expr) -> bool:
        """Whether a matrix is its transpose."""
        return self.sign(matrix, 2) == 1 and not self.facts.is_complex(matrix)

    def sign(self, expr: Expr, rank: int) -> int:
        """1 of what stays itself, -1 of what becomes its negative, 0 of others.

        Of an array of `rank` axes, or of one that is stretched to that.
        """
        own = self.facts.rank(expr)
        if own is not None and own <= rank - 2:
            return 1
        if own != rank:
            return 0
        if isinstance(expr, Ref):
            key = expr.var, rank
            if key not in self.known:
                self.known[key] = 0
                value = self.values.get(expr.var)
                self.known[key] = 0 if value is None else self.sign(value, rank)
            return self.known[key]
        return self._of(expr, rank) if isinstance(expr, Apply) else 0

    def _of(self, expr: Apply, rank: int) -> int:
        if expr.op in ADDITIVE:
            return self._of_terms(list(self.terms(expr, 1)), rank)
        if expr.op in MULTIPLICATIVE:
            return self._of_factors(list(self._factors(expr, 1)), rank)
        if expr.op == "numpy.negative":
            return self.sign(expr.args[0], rank)
        if expr.op == "numpy.power" and isinstance(expr.args[1], Const):
            exponent = expr.args[1].value
            base = self.sign(expr.args[0], rank)
            return (
                base**exponent if type(exponent) is int and exponent > 0 else base == 1
            )
        if expr.op in EVEN:
            return abs(self.sign(expr.args[0], rank))
        if expr.op == "numpy.sum":
            return self._of_sum(expr)
        if expr.op == "getitem":
            return self._of_new_axes(expr, rank)
        if expr.op in ODD and len(expr.args) == 1 and not expr.kwargs:
            return self.sign(expr.args[0], rank)
        if rank == 2 and self.matrices.is_symmetric(expr):
            return 1
        if expr.op in AS_ARRAY or expr.op == "numpy.astype" or expr.op == "numpy.copy":
            return self.sign(expr.args[0], rank)
        if expr.op in COMMUTING and len(expr.args) == 2 and not expr.kwargs:
            one, other = expr.args
            if self.is_swapped(one, other, rank):
                return 1
        rule = operations().get(expr.op)
        if rule is not None and rule.kind in ("elementwise", "boolean"):
            alike = all(self.sign(arg, rank) == 1 for arg in expr.args)
            return int(alike and not expr.kwargs)
        return 0

    def _of_terms(self, terms: list[Term], rank: int) -> int:
        """A sum of terms that are symmetric, or of two of which one is the other's."""
        signs: set[int] = set()
        left: list[Term] = []
        for sign, term in terms:
            own = self.sign(term, rank)
            if own:
                signs.add(own)
                continue
            one = self.view(term)
            for at, (other_sign, other) in enumerate(left):
                if self.is_swapped(other, one, rank):
                    signs.add(sign * other_sign)
                    del left[at]
                    break
            else:
                left.append((sign, one))
        return signs.pop() if len(signs) == 1 and not left else 0

    def _of_factors(self, factors: list[Term], rank: int) -> int:
        """A product of such, or of v[:, None] and v."""
        sign = 1
        left: list[Term] = []
        for above, factor in factors:
            own = self.sign(factor, rank)
            if own:
                sign *= own
                continue
            one = self.view(factor)
            for at, (also, other) in enumerate(left):
                if also == above and self.is_swapped(other, one, rank):
                    del left[at]
                    break
            else:
                left.append((above, one))
        return 0 if left else sign

    def terms(self, expr: Expr, sign: int) -> Iterable[Term]:
        """The terms of a sum, also of those that have a name."""
        made = self.made(expr)
        if isinstance(made, Apply) and made.op in ADDITIVE:
            yield from self.terms(made.args[0], sign)
            yield from self.terms(made.args[1], sign * ADDITIVE[made.op])
        else:
            yield sign, expr

    def _factors(self, expr: Expr, above: int) -> Iterable[Term]:
        """The factors of a product, and whether they divide it (-1)."""
        made = self.made(expr)
        if isinstance(made, Apply) and made.op in MULTIPLICATIVE:
            below = -above if made.op == "numpy.divide" else above
            yield from self._factors(made.args[0], above)
            yield from self._factors(made.args[1], below)
        else:
            yield above, expr

    def made(self, expr: Expr) -> Expr:
        """What a variable is made of, if that is known."""
        return self.values.get(expr.var, expr) if isinstance(expr, Ref) else expr

    def view(self, expr: Expr) -> Expr:
        """A view of an array for the name that it has, where it has one."""
        value = self.values.get(expr.var) if isinstance(expr, Ref) else None
        views = ("getitem", "numpy.transpose")
        plain = isinstance(value, Apply) and (
            value.op in views or value.op == "numpy.diag"
        )
        return value if isinstance(value, Apply) and plain else expr

    def is_swapped(self, one: Expr, other: Expr, rank: int) -> bool:
        """Whether two arrays are one with two axes changed about: x[:, None], x[None]."""
        one, other = self.view(one), self.view(other)
        if rank == 2 and (
            self.matrices.are_turned(one, other) or self.matrices.are_bands(one, other)
        ):
            return True
        return self._across(one, other, rank) or self._across(other, one, rank)

    def _across(self, column: Expr, row: Expr, rank: int) -> bool:
        """Whether two arrays are x[:, None, ...] and x, or x[None, ...]."""
        if not isinstance(column, Apply) or column.op != "getitem":
            return False
        x, key = column.args
        if self.facts.rank(x) != rank - 1:
            return False
        rest = (WHOLE,) * (rank - 2)
        if key not in (lift((WHOLE, None)), lift((WHOLE, None, *rest))):
            return False
        if self.matrices.are_equal(row, x):
            return True
        if not isinstance(row, Apply) or row.op != "getitem":
            return False
        keys = (lift(None), lift((None, WHOLE)), lift((None, WHOLE, *rest)))
        return row.args[1] in keys and self.matrices.are_equal(row.args[0], x)

    def _of_sum(self, expr: Apply) -> int:
        """A sum along other axes than the two."""
        inner = self.facts.rank(expr.args[0])
        kwargs = dict(expr.kwargs)
        if inner is None or len(expr.args) != 1 or kwargs.keys() - {"axis", "keepdims"}:
            return 0
        axes = axes_of(kwargs.get("axis"))
        if not axes or {axis % inner for axis in axes} & {0, 1}:
            return 0
        return self.sign(expr.args[0], inner)

    def _of_new_axes(self, expr: Apply, rank: int) -> int:
        """An array with axes of one entry behind its own: w[:, :, None]."""
        inner = self.facts.rank(expr.args[0])
        if inner is None or not 2 <= inner < rank:
            return 0
        key = lift((WHOLE,) * inner + (None,) * (rank - inner))
        return self.sign(expr.args[0], inner) if expr.args[1] == key else 0


def axes_of(axis: Expr | None) -> tuple[int, ...]:
    """The axes that a sum names, none where they are not known."""
    told = static(axis) if axis is not None and is_static(axis) else None
    axes = told if isinstance(told, tuple) else (told,)
    return axes if all(type(one) is int for one in axes) else ()
