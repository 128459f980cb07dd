"""The quotients of a loop's rounds, as the gradient reads them under a guard."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from gradgen.guard.nonzero import LOGS, Proofs, merged
from gradgen.ir.nodes import Apply, Expr, Function, Let, Loop, Role, Stmt, Var
from gradgen.ir.walk import lets, map_expressions, reads, statements, substitute
from gradgen.shapes.infer import Facts


def rounds(function: Function, facts: Facts) -> Function:
    """The function whose reversed loops compute the primal's quotients again.

        before:  d_Y[i] -= d_X @ Xs[i] / Y_i
        after:   d_Y[i] -= np.sum(d_X * (Xs[i] / Y_i)) / Y_i

    with `X = X / Y[i]` in the primal's round. A quotient by zero is inf or nan;
    kept in a list it could no longer be made from a guarded denominator, its
    operands can. The same holds for logarithms. One that is read twice by another is
    kept, so that texts do not grow.
    """
    proofs = Proofs(
        {**facts.definitions, **{v.var: v.value for v in lets(function.body)}},
        merged(function.body),
    )
    values: dict[Var, Expr] = {}
    for let in _inside_loops(function.body):
        value = let.value
        if (
            let.note.role is Role.GRAD
            or let.note.derived
            or not isinstance(value, Apply)
        ):
            continue
        at = {"numpy.divide": 1, **dict.fromkeys(LOGS, 0)}.get(value.op)
        if at is not None and not proofs.nonzero(value.args[at]):
            read = Counter(reads(value))
            once = {v: e for v, e in values.items() if read[v] == 1}
            values[let.var] = substitute(value, once)
    if not values:
        return function
    body = tuple(
        map_expressions([stmt], lambda expr: substitute(expr, values))[0]
        if isinstance(stmt, Loop) and stmt.note.role is Role.GRAD
        else stmt
        for stmt in function.body
    )
    return replace(function, body=body)


def _inside_loops(body: tuple[Stmt, ...]) -> list[Let]:
    loops = (stmt for stmt in statements(body) if isinstance(stmt, Loop))
    found = {
        let.var: let
        for loop in loops
        if loop.note.role is not Role.GRAD
        for let in lets(loop.body)
    }
    return list(found.values())
