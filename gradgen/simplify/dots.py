"""Sums of products of two vectors are `a @ b`."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import SCALING, matmul
from gradgen.ir.walk import map_values, rewrite
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

# operators that bind as @ does, or more weakly: their results get no brackets less
_PRODUCTS = SCALING | {"numpy.matmul"}


def dots(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies vectors.

        before:  d_k = np.sum(d_z * v)
                 d_l = np.sum(d_z * v * v)
        after:   d_k = d_z @ v
                 d_l = np.sum(d_z * v * v)

    Both have one axis, of the same length. A product of three stays a sum.
    """
    facts = facts.remembering()

    def value(let: Let) -> Expr:
        if not let.note.derived:
            return let.value
        return rewrite(let.value, lambda expr: _dot(expr, facts))

    return map_values(function, value)


def _dot(expr: Expr, facts: Facts) -> Expr:
    if not isinstance(expr, Apply) or expr.op != "numpy.sum" or len(expr.args) != 1:
        return expr
    product = expr.args[0]
    if not isinstance(product, Apply) or product.op != "numpy.multiply":
        return expr
    kwargs = dict(expr.kwargs)
    if kwargs and (set(kwargs) != {"axis"} or kwargs["axis"] not in _WHOLE):
        return expr
    one, other = product.args
    if facts.rank(one) != 1 or not facts.same(one, other) or product.kwargs:
        return expr
    for factor in (one, other):
        if isinstance(factor, Apply) and factor.op in _PRODUCTS:
            return expr
        if facts.kind(factor) in (Kind.BOOLEAN, Kind.INTEGER, Kind.OTHER):
            return expr
    return replace(matmul(one, other))


_WHOLE = (Const(None), Const(0), Const(-1))
