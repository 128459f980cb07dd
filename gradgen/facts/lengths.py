"""Lengths that are made of others, as the text computes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from gradgen.ir.nodes import Const, Expr
from gradgen.ir.operators import add, multiply, subtract
from gradgen.shapes.dims import Dim


def size_of(size: Dim, length: Callable[[str], Expr]) -> Expr:
    """A size by the `length` of each letter in it: n, n - 2, 3 * k, or n - d + 1."""
    terms = sorted(size.terms, key=lambda term: not term[0])
    first = next((term for term in terms if term[1] > 0), terms[0])
    total = _product(first, length)
    for term in terms:
        if term != first:
            product = _product(term, length)
            total = (subtract if term[1] < 0 else add)(total, product)
    return total


def _product(term: tuple[tuple[str, ...], int], length: Callable[[str], Expr]) -> Expr:
    names, number = term
    factors = [Const(abs(number))] if abs(number) != 1 or not names else []
    return reduce(multiply, [*factors, *map(length, names)])
