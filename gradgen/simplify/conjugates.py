"""Conjugates of products with real factors: conj(d * z) -> d * conj(z)."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Expr
from gradgen.ir.operators import call
from gradgen.ir.walk import with_children
from gradgen.shapes.infer import Facts

PASSING = {"numpy.multiply", "numpy.divide", "numpy.negative"}


def conjugated(expr: Expr, facts: Facts) -> Expr:
    """The conjugate of an expression; real numbers are their own."""
    if not facts.is_complex(expr):
        return expr
    if isinstance(expr, Apply) and expr.op == "numpy.conj":
        return expr.args[0]
    if isinstance(expr, Apply) and expr.op in PASSING and expr.spelling == "operator":
        real = any(not facts.is_complex(arg) for arg in expr.args)
        if real or expr.op == "numpy.negative":
            return with_children(expr, (conjugated(arg, facts) for arg in expr.args))
    return call("numpy.conj", expr)
