"""A number that scales what several products read stands in front of their results."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import MATRIX_PRODUCTS, multiply
from gradgen.ir.walk import reads, substitute, uses
from gradgen.shapes.infer import Facts

# the numbers that have a name in the user's function
NAMED = (Origin.PARAM, Origin.USER)


def outside(function: Function, facts: Facts) -> Function:
    """The function whose gradient scales the results of products, not what they read.

        before:  d_QK = scale * d_scores
                 d_Q = d_QK @ K
                 d_K = d_QK.T @ Q
        after:   d_Q = scale * (d_scores @ K)
                 d_K = scale * (d_scores.T @ Q)

    Where n queries of d entries meet m keys this touches (n + m) * d entries, not n * m:
    it is less where d is small, and next to nothing beside the products where it is not.
    """
    body = [stmt for stmt in function.body if isinstance(stmt, Let)]
    scaled = [let for let in body if let.note.derived and _scaled(let, facts)]
    if not scaled:
        return function
    counted, changed = uses(function), dict[Var, Let]()
    for let in scaled:
        found = _scaled(let, facts)
        readers = [stmt for stmt in body if _multiplies(stmt, let.var)]
        if found is None or len(readers) < 2 or len(readers) != counted[let.var]:
            continue
        scale, array = found
        for reader in readers:
            known = changed.get(reader.var, reader)
            product = substitute(known.value, {let.var: array})
            changed[reader.var] = replace(known, value=multiply(scale, product))
        changed[let.var] = let
    if not changed:
        return function
    gone = {let.var for let in scaled if changed.get(let.var) is let}
    kept = (
        changed.get(stmt.var, stmt) if isinstance(stmt, Let) else stmt
        for stmt in function.body
        if not (isinstance(stmt, Let) and stmt.var in gone)
    )
    return replace(function, body=tuple(kept))


def _scaled(let: Let, facts: Facts) -> tuple[Expr, Expr] | None:
    """The number and the array of scale * d_scores, an adjoint of two axes or more."""
    value = let.value
    if not isinstance(value, Apply) or value.op != "numpy.multiply":
        return None
    if let.var.origin is not Origin.ADJOINT:
        return None
    for scale, array in (value.args, value.args[::-1]):
        named = isinstance(scale, Ref) and scale.var.origin in NAMED
        if not named and not isinstance(scale, Const):
            continue
        if facts.rank(scale) != 0 or (facts.rank(array) or 0) < 2:
            continue
        if isinstance(array, Ref):
            return scale, array
    return None


def _multiplies(let: Let, var: Var) -> bool:
    """Whether a statement of the gradient is a product of a variable, or of its transpose."""
    value = let.value
    if not let.note.derived or not isinstance(value, Apply):
        return False
    if value.op not in MATRIX_PRODUCTS or list(reads(value)).count(var) != 1:
        return False
    (side,) = [arg for arg in value.args[:2] if var in reads(arg)]
    if isinstance(side, Apply):
        is_turned = side.op == "numpy.transpose" or side.op == "numpy.swapaxes"
        side = side.args[0] if is_turned else side
    return side == Ref(var)
