"""Sums of products of two vectors are `a @ b`."""

from __future__ import annotations

from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Var
from gradgen.ir.operators import SCALING, matmul
from gradgen.ir.walk import map_values, rewrite, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.simplify.kept_lists import entry, kept_lists

# operators that bind as @ does, or more weakly: their results get no brackets less
_PRODUCTS = SCALING | {"numpy.matmul"}


def dots(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies vectors.

        before:  d_k = np.sum(d_z * v)
                 d_l = np.sum(d_z * v * v)
        after:   d_k = d_z @ v
                 d_l = np.sum(d_z * v * v)

    Both have one axis, of the same length. A product of three stays a sum. An entry of
    what a loop has kept is like what it has put there.
    """
    facts, kept = facts.remembering(), None

    def value(let: Let) -> Expr:
        nonlocal kept
        if not let.note.derived or not any(map(_is_sum, subexpressions(let.value))):
            return let.value
        if kept is None:
            kept = {
                (one.whole, len(one.place)): one.item for one in kept_lists(function)
            }
        return rewrite(let.value, lambda expr: _dot(expr, facts, kept))

    return map_values(function, value)


def _is_sum(expr: Expr) -> TypeGuard[Apply]:
    return isinstance(expr, Apply) and expr.op == "numpy.sum" and len(expr.args) == 1


def _dot(expr: Expr, facts: Facts, kept: dict[tuple[Var, int], Expr]) -> Expr:
    if not _is_sum(expr):
        return expr
    product = expr.args[0]
    if not isinstance(product, Apply) or product.op != "numpy.multiply":
        return expr
    kwargs = dict(expr.kwargs)
    if kwargs and (set(kwargs) != {"axis"} or kwargs["axis"] not in _WHOLE):
        return expr
    one, other = (_made(factor, kept) for factor in product.args)
    if facts.rank(one) != 1 or not facts.same(one, other) or product.kwargs:
        return expr
    for factor in (one, other):
        if isinstance(factor, Apply) and factor.op in _PRODUCTS:
            return expr
        if facts.kind(factor) in (Kind.BOOLEAN, Kind.OTHER, *INTEGRAL):
            return expr
    return matmul(*product.args)


def _made(expr: Expr, kept: dict[tuple[Var, int], Expr]) -> Expr:
    """What an entry of a loop's list was made of; anything else as it is."""
    found = entry(expr)
    return expr if found is None else kept.get((found[0], len(found[1])), expr)


_WHOLE = (Const(None), Const(0), Const(-1))
