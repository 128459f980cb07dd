"""Lengths that are made of others, as the text computes them, and that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

from gradgen.ir.nodes import Const, Expr, Function, Loop, Ref
from gradgen.ir.operators import add, multiply, subtract
from gradgen.shapes.asked import asked_lengths
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts


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


def lengths_asked(primal: Function, facts: Facts) -> Iterator[tuple[Dim, int]]:
    """The lengths of vectors that a function asks for: of x in a, b, c = x.

    So does a round of a loop of what it begins with.
    """
    asked = list(asked_lengths(primal.body))
    for loop in (stmt for stmt in primal.body if isinstance(stmt, Loop)):
        begun = {slot.inner: slot.entry for slot in loop.carried}
        asked += [
            (entry.var, number)
            for var, number in asked_lengths(loop.body)
            if isinstance(entry := begun.get(var), Ref)
        ]
    for var, number in asked:
        dims = facts.shapes[var].dims
        if dims is not None and len(dims) == 1:
            yield dims[0], number
