"""A function without the casts of its arguments, for what is assumed of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.operators import CASTS
from gradgen.ir.walk import substitute_everywhere


def uncast(primal: Function) -> Function:
    """The function that reads its arguments as they are, where it reads them as arrays.

    before:  X = np.asarray(X, dtype=float)
             return np.sum(X @ w)
    after:   return np.sum(X @ w)              # of the argument X

    A model is one of its arguments whatever they are cast to: what is assumed of a
    name and of what it stands beside is assumed of the argument.
    """
    values: dict[Var, Expr] = {}
    body = _block(primal.body, values)
    if not values:
        return primal
    return substitute_everywhere(replace(primal, body=body), values)


def cast(primal: Function) -> frozenset[str]:
    """The arguments that a function reads as arrays, whatever they are: np.asarray(x)."""
    values: dict[Var, Expr] = {}
    _block(primal.body, values)
    read = {one.var for one in values.values() if isinstance(one, Ref)}
    return frozenset(param.label for param in primal.params if param.var in read)


def _block(body: Iterable[Stmt], values: dict[Var, Expr]) -> tuple[Stmt, ...]:
    kept: list[Stmt] = []
    for stmt in body:
        value = stmt.value if isinstance(stmt, Let) else None
        if isinstance(stmt, Let) and isinstance(value, Apply) and value.op in CASTS:
            whole = value.args[0] if value.args else None
            if isinstance(whole, Ref):
                whole = values.get(whole.var, whole)
            if isinstance(whole, Ref) and whole.var.origin is Origin.PARAM:
                values[stmt.var] = whole
                continue
        kept.append(stmt)
    return tuple(kept)
