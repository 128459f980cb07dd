"""Sums of what came back through a product of matrices, times what went into it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from dataclasses import replace
from typing import Any

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import MATRIX_PRODUCTS, multiply
from gradgen.ir.walk import lets, reads, rewrite, with_children, with_located
from gradgen.shapes.infer import Facts
from gradgen.simplify.in_order import in_order
from gradgen.shapes.shape import equal


def adjoint_products(function: Function, facts: Facts) -> Function:
    """The function with such sums taken on the product's other side.

        before:  y = x @ W
                 d_x = d_y @ W.T
                 d_s = np.sum(d_x * x)
        after:   y = x @ W
                 d_x = d_y @ W.T
                 d_s = np.sum(d_y * y)

    Both are the same number. Where y is what d_y was divided by, the two cancel: so
    the shift in `s + np.log(np.exp(x - s) @ W)` turns out to have no gradient.
    """
    forward = [let for let in lets(function.body) if not let.note.derived]
    made: dict[tuple[Expr, Expr], Var] = {}
    for let in forward:
        if isinstance(let.value, Apply) and let.value.op in MATRIX_PRODUCTS:
            left, right = let.value.args[:2]
            made.setdefault((left, right), let.var)
    if not made:
        return function
    sides = _Sides(function, facts, made)
    body = tuple(sides.block(function.body, (), facts))
    return function if body == function.body else replace(function, body=body)


class _Sides:
    def __init__(
        self, function: Function, facts: Facts, made: dict[tuple[Expr, Expr], Var]
    ) -> None:
        self.facts, self.made = facts, made
        derived = [let for let in lets(function.body) if let.note.derived]
        self.values = {let.var: let.value for let in derived}
        # what the gradient reads of the primal anyway
        self.read = {var for let in derived for var in reads(let.value)}

    def block(
        self, body: Iterable[Stmt], path: tuple[Any, ...], facts: Facts
    ) -> Iterator[Stmt]:
        """One block of the function, at a place in loops and arms."""
        for stmt, here in in_order(body, facts, path):
            if not isinstance(stmt, Let):
                yield with_located(stmt, path, partial(self.block, facts=here))
            elif stmt.note.derived:
                change = partial(self._changed, here=here)
                value = rewrite(stmt.value, change)
                yield stmt if value == stmt.value else replace(stmt, value=value)
            else:
                yield stmt

    def _changed(self, node: Expr, here: Facts) -> Expr:
        if not isinstance(node, Apply) or node.op != "numpy.sum":
            return node
        if len(node.args) != 1 or node.kwargs:
            return node
        value, is_negative = self._value(node.args[0]), False
        while isinstance(value, Apply) and value.op == "numpy.negative":
            value, is_negative = self._value(value.args[0]), not is_negative
        if not isinstance(value, Apply) or value.op != "numpy.multiply":
            return node
        for back, into in (value.args, value.args[::-1]):
            found = self._other_side(back, into, here)
            if found is not None:
                if is_negative:
                    found = Apply("numpy.negative", (found,), spelling="operator")
                return with_children(node, (found,))
        return node

    def _value(self, expr: Expr) -> Expr:
        """What a variable of the gradient is, through other names of it."""
        while isinstance(expr, Ref) and expr.var in self.values:
            expr = self.values[expr.var]
        return expr

    def _other_side(self, back: Expr, into: Expr, here: Facts) -> Expr | None:
        """What came back to a product, times the product; None for all others."""
        facts, product = self.facts, self._value(back)
        if not isinstance(product, Apply) or product.op not in MATRIX_PRODUCTS:
            return None
        left, right = product.args[:2]
        ways: list[tuple[Expr, tuple[Expr, Expr]]] = []
        if (matrix := _turned(right)) is not None:
            ways.append((left, (into, matrix)))
        if (matrix := _turned(left)) is not None:
            ways.append((right, (matrix, into)))
        if facts.rank(left) == 1:
            ways.append((left, (right, into)))
        if facts.rank(right) == 1:
            ways.append((right, (into, left)))
        found = [(g, self.made[key]) for g, key in ways if key in self.made]
        if not found:
            return None
        outer, result = found[0]
        whole = Ref(result)
        if not here.visible(result):
            return None
        if result.origin is not Origin.USER and result not in self.read:
            return None
        if any(map(facts.is_complex, (outer, into, whole))):
            return None
        known = (facts.rank(into) in (1, 2), facts.rank(outer) in (1, 2))
        alike = equal(facts.of(product), facts.of(into))
        if not all(known) or not alike or not self._is_full(outer, whole):
            return None
        quotient = self._value(outer)
        if isinstance(quotient, Apply) and quotient.op == "numpy.divide":
            if quotient.args[1] == whole and self._is_full(quotient.args[0], whole):
                return quotient.args[0]
        return multiply(outer, whole)

    def _is_full(self, outer: Expr, whole: Expr) -> bool:
        return equal(self.facts.of(outer), self.facts.of(whole))


def _turned(expr: Expr) -> Expr | None:
    """The matrix that is transposed here."""
    if isinstance(expr, Apply) and expr.op == "numpy.transpose":
        return expr.args[0] if len(expr.args) == 1 and not expr.kwargs else None
    return None
