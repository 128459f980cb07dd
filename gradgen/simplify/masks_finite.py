"""Masks that stay where they are: what they are multiplied by is finite where they are 0."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Const, Expr, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, COMPARISONS, FINITE, LENGTHS
from gradgen.ir.operators import MATRIX_PRODUCTS, MULTIPLICATIVE, SCALING
from gradgen.ir.walk import reads, reads_of, statements, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.simplify.masks_ahead import HANDING_ON
from gradgen.simplify.masks_moved import is_view

# what makes a number of finite values alone
PRODUCTS = MATRIX_PRODUCTS | {"numpy.multiply"}
# what a sum may say, and still is one of all entries
ALONG = {"axis", "keepdims"}


def stays(let: Let, around: Expr, body: Iterable[Stmt], facts: Facts) -> bool:
    """Whether a masked adjoint may be read with its mask, whatever multiplies it.

        d_out = np.where(out > 0, d_h, 0)            # out = gamma * z + beta
        d_gamma = np.sum(d_out * z, axis=0)

    A number out has only finite factors and terms: 0 * z is 0. Where out is infinite, and
    not chosen, that is no number.
    """
    finite = _Finite(around, facts)
    masked = {let.var}
    if not finite.factors:
        return False
    for stmt in statements(body):
        if not masked & set(reads_of(stmt)):
            continue
        if not isinstance(stmt, Let) or not finite.keeps(stmt.value, masked):
            return False
        if _hands_on(stmt.value, masked):
            masked.add(stmt.var)
    return True


def _hands_on(value: Expr, masked: set[Var]) -> bool:
    """Whether lanes of a masked adjoint are lanes of a value."""
    if isinstance(value, Ref):
        return value.var in masked
    if not isinstance(value, Apply):
        return False
    lanes = value.op in HANDING_ON or is_view(value)
    return lanes and any(_hands_on(arg, masked) for arg in value.args)


class _Finite:
    """What is finite where the values that a mask tests are."""

    def __init__(self, around: Expr, facts: Facts) -> None:
        self.facts = facts
        self.factors: set[Expr] = set()
        self.divisors: set[Expr] = set()
        for node in subexpressions(around):
            test = self._defined(node)
            if isinstance(test, Apply) and test.op in COMPARISONS:
                for arg in test.args:
                    self._learn(arg)

    def _defined(self, expr: Expr) -> Expr:
        if isinstance(expr, Ref):
            return self.facts.definitions.get(expr.var, expr)
        return expr

    def _learn(self, value: Expr) -> None:
        """A finite value, and what it is made of."""
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if one in self.factors or isinstance(one, Const):
                continue
            self.factors.add(one)
            made = self._defined(one)
            if not isinstance(made, Apply) or {k for k, _ in made.kwargs} - ALONG:
                continue
            if made.op == "numpy.divide":
                waiting.append(made.args[0])
                self.divisors |= {made.args[1], self._defined(made.args[1])}
            elif made.op in PRODUCTS or made.op in ADDITIVE:
                waiting += made.args
            elif made.op in FINITE:
                waiting.append(made.args[0])
            elif made.op == "numpy.power" and _is_whole(made.args[1]):
                waiting.append(made.args[0])

    def keeps(self, value: Expr, masked: set[Var]) -> bool:
        """Whether a value multiplies and divides masked adjoints by finite values alone."""
        for node in subexpressions(value):
            if not isinstance(node, Apply) or node.op not in MULTIPLICATIVE:
                continue
            own = [bool(masked & set(reads(arg))) for arg in node.args]
            if not any(own):
                continue
            if all(own):
                return False
            other = node.args[own.index(False)]
            if node.op == "numpy.multiply":
                if not self._is_factor(other):
                    return False
            elif own[1] or not self._is_divisor(other):
                return False
        return True

    def _is_factor(self, expr: Expr, depth: int = 4) -> bool:
        if isinstance(expr, Const) or expr in self.factors:
            return True
        if self._is_count(expr):
            return True
        if isinstance(expr, Ref):
            made = self._defined(expr)
            known = depth and made is not expr and expr.var.origin is not Origin.ADJOINT
            return bool(known) and self._is_factor(made, depth - 1)
        if not isinstance(expr, Apply):
            return False
        if expr.op == "numpy.divide":
            return self._is_factor(expr.args[0], depth) and self._is_divisor(
                expr.args[1]
            )
        if expr.op in ADDITIVE or expr.op in SCALING:
            return all(self._is_factor(arg, depth) for arg in expr.args)
        if expr.op == "numpy.square":
            return self._is_factor(expr.args[0], depth)
        if expr.op == "numpy.power" and _is_whole(expr.args[1]):
            return self._is_factor(expr.args[0], depth)
        return False

    def _is_divisor(self, expr: Expr) -> bool:
        known = expr in self.divisors or self._defined(expr) in self.divisors
        return known or isinstance(expr, Const) or self._is_count(expr)

    def _is_count(self, expr: Expr) -> bool:
        """Whether a value is how many entries there are."""
        if isinstance(expr, Apply) and expr.op == "getitem":
            return self._is_count(expr.args[0])
        return isinstance(expr, Apply) and expr.op in LENGTHS


def _is_whole(exponent: Expr) -> bool:
    number = exponent.value if isinstance(exponent, Const) else None
    return type(number) is int and number > 0
