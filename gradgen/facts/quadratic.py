"""Convention C of what stands on both sides of a product, on the left turned round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from gradgen.facts.layers import WEIGHTS
from gradgen.facts.matrices import Step
from gradgen.facts.through import factors_of, is_elementwise
from gradgen.facts.two_axes import is_called_matrix
from gradgen.ir.nodes import Apply, Expr, Function, Origin, Ref, Var
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets, reads
from gradgen.shapes.infer import Facts

# what a product has on its left, what stands between, and what it has on its right
Form = tuple[list[Expr], Expr | None, Ref]


def quadratic(primal: Function, facts: Facts) -> Iterator[Step]:
    """What a product has on both sides is a vector, turned round on the left or not.

    before:  lam / 2 * w.T @ w         w @ mu - w.T @ S @ w        f = A @ x; f @ x
    after:   w is a vector             w and mu are vectors        x is a vector
             and lam a number          and S is a matrix           and A a matrix

    Of x.T @ A @ x alone nothing is said, which is written of columns and matrices as well:
    weights by their name are vectors, what is multiplied with another array besides, as it
    is, and the difference of k * (x - mu).T @ P @ (x - mu).
    """
    forms = Forms(primal, facts)
    for left, matrix, right in forms.every():
        turned = [one for one in left if forms.is_turned(one, right)]
        own = turned or [one for one in left if forms.are_same(one, right)]
        factors = [one for one in left if one not in own]
        if len(own) != 1 or not forms.may_be_numbers(factors):
            continue
        beside = list(forms.beside(right))
        if not turned or matrix is None:
            is_told = not turned or bool(factors)
        else:  # t * b.T @ c @ b is written of matrices, too
            is_told = right.var.name in WEIGHTS or any(ahead for _, ahead in beside)
            is_told = is_told or bool(factors) and forms.is_difference(right)
        if is_told:
            numbers = [(one.var, 0) for one in factors if isinstance(one, Ref)]
            yield [(right.var, 1), *numbers]
            if isinstance(matrix, Ref):
                yield [(matrix.var, 2)]
                yield from ([(one.var, 1)] for one, _ in beside)


class Forms:
    """The products of a function that have one array on both sides."""

    def __init__(self, primal: Function, facts: Facts) -> None:
        self.facts = facts
        first: dict[Expr, Expr] = {}
        every = list(lets(primal.body))
        # (x - mu).T @ P @ (x - mu)
        self.alike: dict[Expr, Expr] = {
            Ref(let.var): first.setdefault(let.value, Ref(let.var)) for let in every
        }
        self.inside = {
            var
            for let in every
            if isinstance(let.value, Apply) and not is_elementwise(let.value)
            for var in reads(let.value)
        }
        self.products = {
            let.var: let.value.args[:2]
            for let in every
            if isinstance(let.value, Apply) and let.value.op in MATRIX_PRODUCTS
        }

    def every(self) -> Iterator[Form]:
        """The products of which the right side has a small letter, apart into three."""
        for left, right in self.products.values():
            inner = self._sides(right)
            if inner and _is_small(vector := self._weights(inner[1])):
                yield self._factors(left), inner[0], vector  # x.T @ (A @ x)
            if not _is_small(right := self._weights(right)):
                continue
            yield self._factors(left), None, right
            inner = self._sides(left)
            if inner:  # (x.T @ A) @ x, (A @ x) @ x, but not (h @ w) @ w
                yield self._factors(inner[0]), inner[1], right
                if self.are_same(inner[1], right) and not _is_small(inner[0]):
                    yield [inner[1]], inner[0], right

    def beside(self, vector: Ref) -> Iterator[tuple[Ref, bool]]:
        """The arguments that a vector is multiplied with, and whether it stands ahead."""
        for var, (left, right) in self.products.items():
            for one, other in ((left, right), (right, left)):
                core = self._turned(one) or one
                is_own = self.are_same(core, vector)
                other = self._turned(other) or other
                if is_own and _is_small(other) and other.var.origin is Origin.PARAM:
                    if not self.are_same(other, vector) and not self._is_inside(var):
                        yield other, one == left and core == one

    def is_turned(self, value: Expr, vector: Ref) -> bool:
        """Whether a value is the transpose of a vector."""
        turned = self._turned(value)
        return turned is not None and self.are_same(turned, vector)

    def is_difference(self, value: Ref) -> bool:
        """Whether a value is the difference of two others."""
        made = self.facts.definitions.get(value.var)
        return isinstance(made, Apply) and made.op == "numpy.subtract"

    def are_same(self, one: Expr, other: Expr) -> bool:
        """Whether two variables are one, or computed alike."""
        return self.alike.get(one, one) == self.alike.get(other, other)

    def may_be_numbers(self, factors: list[Expr]) -> bool:
        """Whether all factors are of unknown rank."""
        return all(self.facts.rank(one) is None for one in factors)

    def _weights(self, value: Expr) -> Expr:
        """Weights that are turned round behind a matrix, which they may be, or the value."""
        turned = self._turned(value)
        named = isinstance(turned, Ref) and turned.var.name in WEIGHTS
        return turned if turned is not None and named else value

    def _is_inside(self, product: Var) -> bool:
        """Whether a product is an operand of another one, or of what takes arrays."""
        return product in self.inside

    def _sides(self, value: Expr) -> tuple[Expr, ...]:
        """The operands of a product, or nothing of what is none."""
        return self.products.get(value.var, ()) if isinstance(value, Ref) else ()

    def _turned(self, value: Expr) -> Expr | None:
        """What a value is the transpose of."""
        made = self.facts.definitions.get(value.var) if isinstance(value, Ref) else None
        if not isinstance(made, Apply) or made.op != "numpy.transpose":
            return None
        return made.args[0] if len(made.args) == 1 else None

    def _factors(self, value: Expr) -> list[Expr]:
        """What a value is the product of, entry by entry: numbers apart."""
        ends = upstream(value, self.facts.definitions, factors_of)
        return [one for one in ends if self.facts.rank(one) != 0]


def _is_small(value: Expr) -> TypeGuard[Ref]:
    """Whether a value is a variable without a capital, and is called no matrix."""
    is_small = isinstance(value, Ref) and value.var.name.islower()
    return is_small and not is_called_matrix(value)
