"""Tuples of lengths: what Python compares as a whole, with one answer."""

from __future__ import annotations

from collections.abc import Mapping

from gradgen.ir.nodes import Apply, Const, Expr, Ref, Var
from gradgen.ir.operators import COMPARISONS


def compares_tuples(expr: Apply, definitions: Mapping[Var, Expr]) -> bool:
    """Whether an operator compares two tuples: x.shape == y.shape, x.shape[1:] != (3,)."""
    if expr.op not in COMPARISONS or expr.spelling != "operator":
        return False
    return all(_is_tuple(arg, definitions) for arg in expr.args)


def _is_tuple(expr: Expr, definitions: Mapping[Var, Expr]) -> bool:
    if isinstance(expr, Const):
        return isinstance(expr.value, tuple)
    if isinstance(expr, Ref):
        made = definitions.get(expr.var)
        return made is not None and made != expr and _is_tuple(made, definitions)
    if not isinstance(expr, Apply):
        return False
    if expr.op == "getitem":
        key = expr.args[1]
        is_part = isinstance(key, Apply) and key.op == "slice"
        return is_part and _is_tuple(expr.args[0], definitions)
    return expr.op in ("numpy.shape", "tuple")
