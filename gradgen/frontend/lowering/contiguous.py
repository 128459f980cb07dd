"""Which arrays lie in one piece, row by row, so that another shape of them is a view."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.operators import ITSELF, LIKES, STORES
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts

# what makes an array row by row, whatever it is given
ROW_BY_ROW = {
    f"numpy.{name}"
    for name in "zeros ones empty full eye identity arange outer".split()
}
# what keeps the order of its first argument
LIKE_THE_FIRST = LIKES | {"numpy.copy"}


def surely_views(value: Apply, facts: Facts) -> bool:
    """Whether what may be a view or a copy is a view of its first argument.

    np.asarray(v) of an array, v.reshape(3, -1) of a vector, A.ravel() of what lies in
    one piece.
    """
    first = value.args[0] if value.args else None
    if not isinstance(first, Ref) or facts.several(first) or value.kwargs:
        return False
    rank = facts.rank(first)
    if not rank:
        return False
    if value.op in ITSELF:
        return len(value.args) == 1
    if value.op == "numpy.reshape":
        whole = rank == 1 or is_contiguous(first, facts)
        return whole and len(value.args) == 2
    return (
        value.op == "numpy.ravel"
        and len(value.args) == 1
        and is_contiguous(first, facts)
    )


def is_contiguous(expr: Expr, facts: Facts) -> bool:
    """Whether an array surely lies in one piece, row by row."""
    if isinstance(expr, Ref):
        found = facts.definitions.get(expr.var)
        return found is not None and is_contiguous(found, facts)
    if not isinstance(expr, Apply) or not expr.args:
        return False
    first, rank = expr.args[0], facts.rank(expr)
    if "order" in dict(expr.kwargs) or any(map(_is_letter, expr.args)):
        return False
    if expr.op in STORES or expr.op == "numpy.ravel":
        return expr.op == "numpy.ravel" or is_contiguous(first, facts)
    if expr.op in ROW_BY_ROW or expr.spelling == "method:copy":
        return True
    if expr.op in LIKE_THE_FIRST:
        return rank == 1 or is_contiguous(first, facts)
    rule = operations().get(expr.op)
    if rule is None or rule.kind != "elementwise" or not rank:
        return False
    whole = (arg for arg in expr.args if facts.rank(arg) != 0)
    return rank == 1 or all(is_contiguous(arg, facts) for arg in whole)


def _is_letter(arg: Expr) -> bool:
    """Whether an argument may be an order: "F"."""
    return isinstance(arg, Const) and isinstance(arg.value, str) and len(arg.value) == 1
