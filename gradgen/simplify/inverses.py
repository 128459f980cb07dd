"""The gradient of log(det(S)) is the transposed inverse of S."""

from __future__ import annotations

from collections import Counter

from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Var
from gradgen.ir.walk import map_values, reads_of, rewrite, statements
from gradgen.shapes.infer import Facts

DETERMINANT = "numpy.linalg.det"
COFACTORS = "helper._cofactors"


def inverses(function: Function, facts: Facts) -> Function:
    """The function with the inverse for cofactors over the determinant.

        before:  d_S = d_out / np.linalg.det(S) * _cofactors(S)
        after:   d_S = d_out * np.linalg.inv(S).T

    Where the determinant is 0 the quotient is no number, and the inverse raises.
    """
    known: dict[Var, Expr] = {}
    slopes: dict[Var, Expr] = {}  # the adjoints of determinants
    read = Counter(var for stmt in function.body for var in reads_of(stmt))
    for stmt in statements(function.body):
        if not isinstance(stmt, Let):
            continue
        if _is_determinant(stmt.value):
            known[stmt.var] = stmt.value.args[0]
        elif stmt.note.derived and stmt.var.of in known:
            slopes[stmt.var] = stmt.value
    if not known:
        return function
    slopes = {var: slope for var, slope in slopes.items() if read[var] == 1}

    def change(node: Expr) -> Expr:
        return _inverse(node, known, slopes, facts)

    def value(let: Let) -> Expr:
        return rewrite(let.value, change) if let.note.derived else let.value

    return map_values(function, value)


def _is_determinant(expr: Expr) -> bool:
    return isinstance(expr, Apply) and expr.op == DETERMINANT and len(expr.args) == 1


def _inverse(
    expr: Expr, known: dict[Var, Expr], slopes: dict[Var, Expr], facts: Facts
) -> Expr:
    if not isinstance(expr, Apply) or expr.op != "numpy.multiply" or expr.kwargs:
        return expr
    for at, factor in enumerate(expr.args):
        if not isinstance(factor, Apply) or factor.op != COFACTORS:
            continue
        (matrix,) = factor.args
        slope = expr.args[1 - at]
        slope = slopes.get(slope.var, slope) if isinstance(slope, Ref) else slope
        rest = _undivided(slope, matrix, known)
        if rest is None or facts.rank(matrix) != 2:
            continue
        inverse = Apply("numpy.linalg.inv", (matrix,))
        turned = Apply("numpy.transpose", (inverse,), spelling="attribute:T")
        return Apply(expr.op, (rest, turned), spelling=expr.spelling)
    return expr


def _undivided(expr: Expr, matrix: Expr, known: dict[Var, Expr]) -> Expr | None:
    """An expression without its division by the matrix's determinant; None of others."""
    if not isinstance(expr, Apply) or expr.kwargs:
        return None
    if expr.op == "numpy.negative":
        inner = _undivided(expr.args[0], matrix, known)
        return None if inner is None else Apply(expr.op, (inner,), (), expr.spelling)
    if expr.op == "numpy.multiply":
        for at, factor in enumerate(expr.args):
            inner = _undivided(factor, matrix, known)
            if inner is not None:
                args = (*expr.args[:at], inner, *expr.args[at + 1 :])
                return Apply(expr.op, args, (), expr.spelling)
        return None
    if expr.op != "numpy.divide":
        return None
    above, below = expr.args
    if _stands_for(below, matrix, known):
        return above
    if isinstance(below, Apply) and below.op == "numpy.multiply" and not below.kwargs:
        for at, factor in enumerate(below.args):
            if _stands_for(factor, matrix, known):
                return Apply(expr.op, (above, below.args[1 - at]), (), expr.spelling)
    inner = _undivided(above, matrix, known)
    return None if inner is None else Apply(expr.op, (inner, below), (), expr.spelling)


def _stands_for(expr: Expr, matrix: Expr, known: dict[Var, Expr]) -> bool:
    """Whether an expression is the determinant of a matrix."""
    if isinstance(expr, Ref):
        return known.get(expr.var) == matrix
    return _is_determinant(expr) and expr.args[0] == matrix
