"""Divisions by a root whose reciprocal has a name multiply by that name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Stmt
from gradgen.ir.operators import multiply
from gradgen.ir.walk import rewrite, with_expressions, with_located
from gradgen.shapes.infer import Facts
from gradgen.simplify.in_order import in_order


def reciprocals(function: Function, facts: Facts) -> Function:
    """The function whose gradient reads inv for each division by s, where inv is 1 / s.

        before:  s = np.sqrt(v)
                 inv = 1 / s
                 d_x = d_inv / s / s * x
        after:   s = np.sqrt(v)
                 inv = 1 / s
                 d_x = d_inv * inv**2 * x

    The root then may need no name. Of roots alone: inv**2 is 1 / v, a number wherever
    v is none of the smallest that a float can be. Of another s it might be none.
    """
    facts = facts.remembering()
    body = tuple(_read(function.body, (), facts))
    return function if body == function.body else replace(function, body=body)


def _read(
    source: Iterable[Stmt], path: tuple[object, ...], facts: Facts
) -> Iterator[Stmt]:
    def change(node: Expr, here: Facts) -> Expr:
        if not isinstance(node, Apply) or node.op != "numpy.divide":
            return node
        above, below = node.args
        var = here.quotient(Const(1), below) if _is_root(below, here) else None
        return node if var is None else multiply(above, Ref(var))

    for stmt, here in in_order(source, facts, path):
        inside = partial(change, here=here)
        if stmt.note.derived:
            stmt = with_expressions(stmt, lambda expr: rewrite(expr, inside))
        yield with_located(stmt, path, partial(_read, facts=here))


def _is_root(expr: Expr, facts: Facts) -> bool:
    """Whether a value is the square root of another."""
    if isinstance(expr, Ref):
        expr = facts.definitions.get(expr.var, expr)
    return isinstance(expr, Apply) and expr.op == "numpy.sqrt"
