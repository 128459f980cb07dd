"""Sums of products of masks and integers alone, which rules have made: of floats."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import ARRAY_PRODUCTS, call, lift, multiply
from gradgen.ir.walk import is_static, lets, map_lets, rewrite, static
from gradgen.shapes.infer import Facts
from gradgen.simplify.counts import is_data, may_be_whole

EINSUM = "numpy.einsum"
DIFFERENCES = "numpy.diff"


def whole_products(function: Function, facts: Facts) -> Function:
    """The function whose gradients contract no integers of a byte, and no masks.

        before:  d_x = (d_out * np.einsum("ij,j->i", K, k)).astype(x.dtype)
        after:   d_x = np.einsum("ij,j->i", K, d_out * k).astype(x.dtype)

    of k and K that are integers, and np.sum(K, axis=1) for np.einsum("ij->i", K).
    NumPy adds up products of int8 in int8, and of masks by `or`; its sums are of 64 bits.
    This comes first: what the primal contracts has a name here, and is not looked at.
    """
    facts = _with_names(function, facts)

    def floating(expr: Expr) -> Expr:
        if not isinstance(expr, Apply):
            return expr
        if expr.op == "numpy.multiply" and len(expr.args) == 2:
            for number, product in (expr.args, expr.args[::-1]):
                if _is_whole(product, facts) and not _is_a_sum(product):
                    if facts.rank(number) == 0 and not _is_data(number, facts):
                        assert isinstance(product, Apply)
                        return _with(product, number, facts)
        return expr

    def of_floats(expr: Expr) -> Expr:
        if not isinstance(expr, Apply) or not _is_whole(expr, facts):
            return expr
        return _summed(expr) if _is_a_sum(expr) else _with(expr, Const(1.0), facts)

    def change(let: Let) -> Let:
        if not let.note.derived:
            return let
        value = rewrite(rewrite(let.value, floating), of_floats)
        return let if value == let.value else replace(let, value=value)

    body = map_lets(function.body, change)
    return function if body == function.body else replace(function, body=body)


def _with_names(function: Function, facts: Facts) -> Facts:
    """The facts with the names that rules give to what may be integers of a byte."""
    found = copy(facts)
    for let in lets(function.body) if facts.held else ():
        if let.note.derived and may_be_whole(let.value, found):
            found.held |= {let.var}
    return found


def _is_data(value: Expr, facts: Facts) -> bool:
    """Whether a value is masks or integers, or nothing tells that it is not."""
    if isinstance(value, Const) and not value.dtype:
        return type(value.value) in (int, bool)
    return is_data(value, facts)


def _operands(product: Apply) -> Sequence[Expr]:
    return product.args[1:] if product.op == EINSUM else product.args[:2]


def _is_whole(value: Expr, facts: Facts) -> bool:
    """Whether a value is a product of masks and integers, or a difference of some."""
    if not isinstance(value, Apply):
        return False
    if value.op == DIFFERENCES:
        return _is_data(value.args[0], facts)
    if value.op not in ARRAY_PRODUCTS or "dtype" in dict(value.kwargs):
        return False
    return all(_is_data(one, facts) for one in _operands(value))


def _letters(product: Apply) -> tuple[str, str] | None:
    """The letters of an einsum of one array and of its result, each there once."""
    if product.op != EINSUM or len(product.args) != 2 or not is_static(product.args[0]):
        return None
    mine, arrow, left = str(static(product.args[0])).partition("->")
    plain = arrow and mine.isalpha() and len(set(mine)) == len(mine)
    return (mine, left) if plain and [c for c in mine if c in left] == [*left] else None


def _is_a_sum(product: Expr) -> bool:
    return isinstance(product, Apply) and _letters(product) is not None


def _summed(product: Apply) -> Expr:
    letters = _letters(product)
    assert letters is not None
    mine, left = letters
    axes = tuple(i for i, letter in enumerate(mine) if letter not in left)
    if len(axes) == len(mine):
        return call("numpy.sum", product.args[1])
    axis = lift(axes if len(axes) > 1 else axes[0])
    return call("numpy.sum", product.args[1], axis=axis)


def _with(product: Apply, number: Expr, facts: Facts) -> Apply:
    """A product with a number in front of the smallest of its operands."""
    ranks = [facts.rank(one) for one in _operands(product)]
    known = [len(ranks) if rank is None else rank for rank in ranks]
    if product.op == DIFFERENCES:
        known = [0]
    at = known.index(min(known)) + (product.op == EINSUM)
    args = list(product.args)
    args[at] = multiply(number, args[at])
    return replace(product, args=tuple(args))
