"""Calls of NumPy in the form that costs least: methods, and what a wrapper does."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Const, Expr, Function, Let, Loop, Stmt
from gradgen.ir.operators import METHODS, divide, getitem, multiply
from gradgen.ir.walk import rewrite
from gradgen.shapes.certain import dims_of, is_floating, kind_of
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.simplify.contracted import axes_of, count
from gradgen.simplify.parts import witness

# where the function returns what it is given, or names its arguments otherwise
_OTHERWISE = ("argsort", "astype", "clip", "conj", "conjugate", "dot", "flatten")
_METHODS = {op: name for name, op in METHODS.items() if name not in _OTHERWISE}


def methods(function: Function, facts: Facts) -> Function:
    """The function that calls arrays' own methods, where these do the same for less.

        before:  s = np.max(A, axis=1)
                 m = np.mean(A)
                 M = np.outer(s, r)
        after:   s = A.max(axis=1)
                 m = A.sum() / A.size
                 M = s[:, None] * r

    On small arrays np.sum takes three times as long as the method. A mean is a sum
    over its length where the values are floating.
    """
    facts = facts.remembering()

    def block(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map(quicker, body))

    def quicker(stmt: Stmt) -> Stmt:
        # another spelling of an operation is equal to it
        if isinstance(stmt, Let):
            value = rewrite(stmt.value, lambda expr: _quicker(expr, facts))
            return replace(stmt, value=value)
        if isinstance(stmt, Branch):
            return replace(stmt, then=block(stmt.then), orelse=block(stmt.orelse))
        return replace(stmt, body=block(stmt.body)) if isinstance(stmt, Loop) else stmt

    return replace(function, body=block(function.body))


def _quicker(expr: Expr, facts: Facts) -> Expr:
    if not isinstance(expr, Apply) or not expr.args:
        return expr
    first = expr.args[0]
    rank = len(dims_of(first, facts) or ())
    if not rank or not _is_array(first, facts):
        return expr
    if expr.op == "numpy.outer" and len(expr.args) == 2 and not expr.kwargs:
        other = expr.args[1]
        if (
            rank == 1
            and len(dims_of(other, facts) or ()) == 1
            and _is_array(other, facts)
        ):
            return multiply(getitem(first, (slice(None), None)), other)
    if expr.op == "numpy.mean":
        expr = _total(expr, facts)
    if expr.op == "numpy.diag" and rank == 2 and len(expr.args) == 1:
        return Apply("numpy.diagonal", expr.args, expr.kwargs, "method:diagonal")
    name = _METHODS.get(expr.op)
    if name is None or expr.spelling:
        return expr
    return Apply(expr.op, expr.args, expr.kwargs, f"method:{name}")


def _total(expr: Apply, facts: Facts) -> Apply:
    """x.sum() / x.size for np.mean(x)."""
    first, given = expr.args[0], dict(expr.kwargs)
    rank = len(dims_of(first, facts) or ())
    axes = axes_of(given.get("axis"), rank)
    seen = witness([first], first, facts)
    plain = len(expr.args) == 1 and set(given) <= {"axis", "keepdims"}
    floating = is_floating(first, facts)
    if not plain or not floating or axes is None or seen is None:
        return expr
    kwargs = tuple((k, v) for k, v in expr.kwargs if v != Const(None))
    total = Apply("numpy.sum", expr.args, kwargs, "method:sum")
    return divide(total, count(seen, axes, rank))


def _is_array(expr: Expr, facts: Facts) -> bool:
    """Whether a value that has axes is an array, and no list."""
    if isinstance(expr, Const) or facts.is_list(expr):
        return False
    if isinstance(expr, Apply) and "." not in expr.op:
        return expr.op == "getitem" and _is_array(expr.args[0], facts)
    return kind_of(expr, facts) not in (None, Kind.OTHER)
