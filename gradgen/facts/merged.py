"""What a function computes twice counts as one value, as far as facts go."""

from __future__ import annotations

from dataclasses import replace

from gradgen.facts.through import is_elementwise
from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.walk import lets, map_expressions, reads, substitute


def merged(primal: Function) -> Function:
    """The function that computes parts of its statements once, and reads them twice.

    before:  (x - m) @ Q @ (x - m)
    after:   d = x - m
             d @ Q @ d

    Of what is computed entry by entry and multiplied as matrices: elsewhere two arrays of
    one text may well be stretched along different others.
    """
    factors = {
        var
        for let in lets(primal.body)
        if isinstance(let.value, Apply) and let.value.op in MATRIX_PRODUCTS
        for var in reads(let.value)
    }
    known: dict[Expr, Var] = {}
    same: dict[Var, Expr] = {}
    body: list[Stmt] = []
    for stmt in primal.body:
        if same:
            (stmt,) = map_expressions((stmt,), lambda expr: substitute(expr, same))
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(stmt, Let) and stmt.var in factors and _is_entrywise(value):
            assert value is not None
            first = known.setdefault(value, stmt.var)
            if first is not stmt.var and stmt.var.origin is Origin.TEMP:
                same[stmt.var] = Ref(first)
                continue
        body.append(stmt)
    if not same:
        return primal
    values = tuple(substitute(value, same) for value in primal.values)
    return replace(primal, body=tuple(body), values=values)


def _is_entrywise(value: Expr | None) -> bool:
    return isinstance(value, Apply) and is_elementwise(value)
