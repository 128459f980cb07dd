"""Arrays made like an argument that may be whole are floating all the same."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Result, Stmt, Var
from gradgen.ir.operators import call
from gradgen.ir.walk import rewrite, with_blocks, with_expressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.wholes import may_be_whole, wholes

LIKE = {f"numpy.{name}_like" for name in "zeros ones full empty".split()}


def floating(function: Function, facts: Facts) -> Function:
    """The function whose gradients lose no fraction where an argument is whole.

        before:  d_x = np.full_like(x, 0.5 * d_out)
                 return d_x
        after:   d_x = np.full_like(x, 0.5 * d_out, dtype=np.result_type(x, 0.0))
                 return d_x

    Without a fact x may be an array of integers, or a Python int, and so may what is
    computed of it; `np.result_type(x, 0.0)` is x's own dtype where that is floating.
    """
    found = wholes(function, facts)
    if not found:
        return function
    body = tuple(_changed(stmt, found) for stmt in function.body)
    results = tuple(_result(one, found) for one in function.results)
    return replace(function, body=body, results=results)


def _result(result: Result, found: Set[Var]) -> Result:
    return replace(result, value=rewrite(result.value, lambda e: _made(e, found)))


def _changed(stmt: Stmt, found: Set[Var]) -> Stmt:
    """A statement of the gradient with its arrays floating; one of the primal's as is."""

    def inside(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(_changed(one, found) for one in block)

    if isinstance(stmt, Let) and not stmt.note.derived:
        return stmt
    if stmt.note.derived:
        stmt = with_expressions(
            stmt, lambda expr: rewrite(expr, lambda e: _made(e, found))
        )
    return with_blocks(stmt, inside)


def _made(expr: Expr, found: Set[Var]) -> Expr:
    """np.zeros_like(x), x.dtype and np.result_type(x) for floats."""
    if not isinstance(expr, Apply):
        return expr
    if expr.op in LIKE and "dtype" not in dict(expr.kwargs):
        (like, *_) = expr.args
        if may_be_whole(like, found):
            dtype = call("numpy.result_type", like, Const(0.0))
            return replace(expr, kwargs=(*expr.kwargs, ("dtype", dtype)))
    if expr.op in ("dtype", "numpy.result_type") and len(expr.args) == 1:
        if may_be_whole(expr.args[0], found):
            return call("numpy.result_type", expr.args[0], Const(0.0))
    return expr
