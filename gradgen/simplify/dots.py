"""Sums of products of two vectors are `a @ b`."""

from __future__ import annotations

from collections.abc import Set
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Var
from gradgen.ir.operators import SCALING, matmul
from gradgen.ir.walk import lets, map_values, reads, rewrite, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.simplify.counts import is_data
from gradgen.simplify.kept_lists import entry, kept_lists

# operators that bind as @ does, or more weakly: their results get no brackets less
_PRODUCTS = SCALING | {"numpy.matmul"}

NO_FLOATS = (Kind.BOOLEAN, Kind.OTHER, *INTEGRAL)

# the item of a list at a place of what a loop keeps
Kept = dict[tuple[Var, int], Expr]


def dots(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies vectors.

        before:  d_k = np.sum(d_z * v)
                 d_l = np.sum(d_z * v * v)
                 d_m = np.sum(np.outer(d_y, x) * A)
        after:   d_k = d_z @ v
                 d_l = np.sum(d_z * v * v)
                 d_m = d_y @ (A @ x)

    Both have one axis, of the same length. A product of three stays a sum. No matrix is
    made of what a number that multiplies a matrix gets. An entry of
    what a loop has kept is like what it has put there; what is a number in its first
    round has no axis then.
    """
    facts, kept = facts.remembering(), None
    begun: Set[Var] = facts.begun

    def value(let: Let) -> Expr:
        nonlocal kept, begun
        if not let.note.derived or not any(map(_is_sum, subexpressions(let.value))):
            return let.value
        if kept is None:
            kept = {
                (one.whole, len(one.place)): one.item for one in kept_lists(function)
            }
            begun = _begun(function, facts.begun, kept) if begun else begun
        return rewrite(let.value, lambda expr: _dot(expr, facts, kept, begun))

    return map_values(function, value)


def _is_sum(expr: Expr) -> TypeGuard[Apply]:
    return isinstance(expr, Apply) and expr.op == "numpy.sum" and len(expr.args) == 1


def _begun(function: Function, begun: Set[Var], kept: Kept) -> Set[Var]:
    """What is a number in a first round, and what the gradient reads and makes of that."""
    found = set(begun)
    for let in lets(function.body):
        if let.note.derived and let.var.origin is not Origin.ADJOINT:
            if not found.isdisjoint(reads(_made(let.value, kept))):
                found.add(let.var)
    return found


def _dot(expr: Expr, facts: Facts, kept: Kept, begun: Set[Var]) -> Expr:
    if not _is_sum(expr):
        return expr
    product = expr.args[0]
    if not isinstance(product, Apply) or product.op != "numpy.multiply":
        return expr
    kwargs = dict(expr.kwargs)
    if kwargs and (set(kwargs) != {"axis"} or kwargs["axis"] not in _WHOLE):
        return expr
    one, other = (_made(factor, kept) for factor in product.args)
    if facts.rank(one) == 2 and not kwargs:
        return _of_outer(one, other, facts, begun) or expr
    if facts.rank(one) != 1 or not facts.same(one, other) or product.kwargs:
        return expr
    if not begun.isdisjoint((*reads(one), *reads(other))):
        return expr
    for factor in (one, other):
        if isinstance(factor, Apply) and factor.op in _PRODUCTS:
            return expr
        if facts.kind(factor) in NO_FLOATS:
            return expr
    if is_data(one, facts) and is_data(other, facts):
        return expr
    return matmul(*product.args)


def _of_outer(one: Expr, other: Expr, facts: Facts, begun: Set[Var]) -> Expr | None:
    """u @ (A @ v) for what np.outer(u, v) * A sums to."""
    for outer, matrix in ((one, other), (other, one)):
        if not isinstance(outer, Apply) or outer.op != "numpy.outer" or outer.kwargs:
            continue
        u, v = outer.args
        if facts.rank(u) != 1 or facts.rank(v) != 1 or not facts.same(outer, matrix):
            continue
        if isinstance(matrix, Apply) and matrix.op in _PRODUCTS:
            continue
        if any(facts.kind(arg) in NO_FLOATS for arg in (u, v, matrix)):
            continue
        if not begun.isdisjoint((*reads(outer), *reads(matrix))):
            continue
        if not (is_data(matrix, facts) and is_data(v, facts)):
            return matmul(u, matmul(matrix, v))
        if not (is_data(u, facts) and is_data(matrix, facts)):
            return matmul(matmul(u, matrix), v)
    return None


def _made(expr: Expr, kept: Kept) -> Expr:
    """What an entry of a loop's list was made of; anything else as it is."""
    found = entry(expr)
    return expr if found is None else kept.get((found[0], len(found[1])), expr)


_WHOLE = (Const(None), Const(0), Const(-1))
