"""Masks that stay where they are: what they are multiplied by is finite where they are 0."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE, COMPARISONS, FINITE, LENGTHS
from gradgen.ir.operators import MATRIX_PRODUCTS, MULTIPLICATIVE, SCALING
from gradgen.ir.walk import blocks, own_expressions, reads, reads_of, statements
from gradgen.ir.walk import subexpressions
from gradgen.shapes.infer import Facts
from gradgen.simplify.masks_ahead import HANDING_ON, is_nonzero
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
    not chosen, that is no number. What an arm made of out is finite in that arm.
    """
    finite, masked = _Finite(around, body, facts), {let.var}
    return bool(finite.factors) and _keeps(body, finite, masked)


def _keeps(body: Iterable[Stmt], finite: _Finite, masked: set[Var]) -> bool:
    """Whether the statements do, of a block of the gradient and the blocks inside it.

    A round or an arm hands on what is masked with its mask: no mask goes out of it.
    """
    for stmt in body:
        if not masked & set(reads_of(stmt)):
            continue
        if not all(finite.keeps(expr, masked) for expr in own_expressions(stmt)):
            return False
        if isinstance(stmt, Let) and _hands_on(stmt.value, masked):
            masked.add(stmt.var)
        for arm, block in zip((True, False), blocks(stmt), strict=False):
            inside = finite.within(stmt, arm) if isinstance(stmt, Branch) else finite
            if not _keeps(block, inside, masked):
                return False
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

    def __init__(self, around: Expr, body: Iterable[Stmt], facts: Facts) -> None:
        self.facts = facts
        self.factors: set[Expr] = set()
        self.divisors: set[Expr] = set()
        self.branches = {
            merge.var: (stmt, merge)
            for stmt in statements(body)
            if isinstance(stmt, Branch) and not stmt.note.derived
            for merge in stmt.merges
        }
        self.tested: set[Var] = set()
        # what both ways of a branch make of its values, found once of each
        self.ways: dict[Var, tuple[tuple[set[Expr], set[Expr]], ...]] = {}
        # the same of an arm, where it is taken
        self.arms: dict[tuple[int, bool], tuple[set[Expr], set[Expr]]] = {}
        for node in subexpressions(around):
            test = self._defined(node)
            if isinstance(test, Apply) and test.op in COMPARISONS:
                self.tested |= {arg.var for arg in test.args if isinstance(arg, Ref)}
                for arg in test.args:
                    self._learn(arg)

    def _defined(self, expr: Expr) -> Expr:
        if isinstance(expr, Ref):
            return self.facts.definitions.get(expr.var, expr)
        return expr

    def _learn(self, value: Expr) -> None:
        factors, divisors = self._made_of(value)
        self.factors |= factors
        self.divisors |= divisors

    def _made_of(self, value: Expr) -> tuple[set[Expr], set[Expr]]:
        """A finite value, and what it is made of: finite factors, and divisors."""
        factors: set[Expr] = set()
        divisors: set[Expr] = set()
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if one in factors or isinstance(one, Const):
                continue
            factors.add(one)
            if isinstance(one, Ref) and one.var in self.branches:
                more, below = self._either(one.var)
                factors |= more
                divisors |= below
                continue
            made = self._defined(one)
            if not isinstance(made, Apply) or {k for k, _ in made.kwargs} - ALONG:
                continue
            if made.op == "numpy.divide":
                waiting.append(made.args[0])
                divisors |= {made.args[1], self._defined(made.args[1])}
            elif made.op in PRODUCTS or made.op in ADDITIVE:
                waiting += made.args
            elif made.op in FINITE:
                waiting.append(made.args[0])
            elif made.op == "numpy.power" and _is_whole(made.args[1]):
                waiting.append(made.args[0])
        return factors, divisors

    def _either(self, var: Var) -> tuple[set[Expr], set[Expr]]:
        """What both arms make a value of; what one of them does is finite in that arm."""
        branch, merge = self.branches[var]
        if var not in self.ways:
            del self.branches[var]
            self.ways[var] = tuple(map(self._made_of, (merge.then, merge.orelse)))
            self.branches[var] = branch, merge
        then, orelse = self.ways[var]
        if var in self.tested and branch.mark is not None:
            for arm, way in ((True, then), (False, orelse)):
                known = self.arms.get((branch.mark, arm), (set(), set()))
                self.arms[branch.mark, arm] = known[0] | way[0], known[1] | way[1]
        return then[0] & orelse[0], then[1] & orelse[1]

    def within(self, branch: Branch, arm: bool) -> _Finite:
        """The same in an arm of a branch, where more is known."""
        inner = copy(self)
        if branch.mark is not None and (branch.mark, arm) in self.arms:
            factors, divisors = self.arms[branch.mark, arm]
            inner.factors = self.factors | factors
            inner.divisors = self.divisors | divisors
        return inner

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
        return known or is_nonzero(expr) or self._is_count(expr)

    def _is_count(self, expr: Expr) -> bool:
        """Whether a value is how many entries there are."""
        if isinstance(expr, Apply) and expr.op == "getitem":
            return self._is_count(expr.args[0])
        return isinstance(expr, Apply) and expr.op in LENGTHS


def _is_whole(exponent: Expr) -> bool:
    number = exponent.value if isinstance(exponent, Const) else None
    return type(number) is int and number > 0
