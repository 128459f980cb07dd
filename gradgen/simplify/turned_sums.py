"""Sums over the columns of a matrix that is turned over, as sums over its rows."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import is_static, static
from gradgen.shapes.infer import Facts


def of_turned(total: Apply, facts: Facts) -> Expr:
    """A sum, or a mean, without what its matrix is turned over for.

    before:  np.sum(A.T, axis=1)
    after:   np.sum(A, axis=0)
    """
    turned, options = total.args[0], dict(total.kwargs)
    if not isinstance(turned, Apply) or turned.spelling != "attribute:T":
        return total
    if len(total.args) > 1 or not options.keys() <= {"axis"}:
        return total
    axis = options.get("axis", Const(None))
    if facts.rank(turned) != 2 or not is_static(axis):
        return total
    matrix, along = turned.args[0], static(axis)
    if along is None:
        return replace(total, args=(matrix,))
    if type(along) is not int:
        return total
    other = Const(0 if along in (1, -1) else 1)
    return replace(total, args=(matrix,), kwargs=(("axis", other),))
