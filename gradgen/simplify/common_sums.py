"""Sums of products with a common factor as one sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import multiply
from gradgen.shapes.certain import dims_of, is_floating
from gradgen.shapes.infer import Facts


def with_common_factor(total: Apply, facts: Facts) -> Expr:
    """np.sum(d * a) - np.sum(d * b) -> np.sum(d * (a - b)), of one array d.

    So is np.sum(np.sum(d, axis=1, keepdims=True) * b), where b has one entry there.
    """
    for (d, a), (other, b) in (
        (one, two)
        for one in _products(total.args[0])
        for two in _products(total.args[1])
    ):
        full, small = dims_of(d, facts), dims_of(other, facts)
        if not full or (other != d and not _is_kept_sum(other, d, facts)):
            continue
        rest = replace(total, args=(a, b), spelling="operator")
        if not all(is_floating(one, facts) for one in (d, a, b)):
            continue
        alike = dims_of(rest, facts) == dims_of(a, facts) == full
        # b is not stretched along an axis that the sum has left at one entry
        if alike and dims_of(multiply(other, b), facts) == small:
            return Apply("numpy.sum", (multiply(d, rest),))
    return total


def _products(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The two factors of a product that is summed, in both orders."""
    if not isinstance(expr, Apply) or expr.op != "numpy.sum" or expr.kwargs:
        return
    inner = expr.args[0]
    if len(expr.args) == 1 and isinstance(inner, Apply):
        if inner.op == "numpy.multiply" and not inner.kwargs:
            yield inner.args[0], inner.args[1]
            yield inner.args[1], inner.args[0]


def _is_kept_sum(expr: Expr, of: Expr, facts: Facts) -> bool:
    """Whether an expression is the sum of an array that keeps the axes."""
    if isinstance(expr, Ref):
        expr = facts.definitions.get(expr.var, expr)
    if not isinstance(expr, Apply) or expr.op != "numpy.sum" or expr.args != (of,):
        return False
    kwargs = dict(expr.kwargs)
    return kwargs.keys() == {"axis", "keepdims"} and kwargs["keepdims"] == Const(True)
