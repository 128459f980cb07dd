"""The terms of a sum with their signs, and the sum of such."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Expr
from gradgen.ir.operators import ADDITIVE, add, negative, subtract


def terms_of(expr: Expr, minus: bool = False) -> Iterator[tuple[bool, Expr]]:
    """(whether it is subtracted, a term) of a + b - c: (False, a), (False, b), (True, c)."""
    if isinstance(expr, Apply) and expr.op in ADDITIVE:
        yield from terms_of(expr.args[0], minus)
        yield from terms_of(expr.args[1], minus != (expr.op == "numpy.subtract"))
    elif isinstance(expr, Apply) and expr.op == "numpy.negative":
        yield from terms_of(expr.args[0], not minus)
    else:
        yield minus, expr


def sum_of(terms: list[tuple[bool, Expr]]) -> Expr:
    """The sum; it begins with a term that is added, where there is one."""
    first = next((i for i, (minus, _) in enumerate(terms) if not minus), 0)
    minus, total = terms[first]
    total = negative(total) if minus else total
    for minus, one in terms[:first] + terms[first + 1 :]:
        total = subtract(total, one) if minus else add(total, one)
    return total
