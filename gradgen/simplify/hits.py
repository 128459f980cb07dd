"""The gradient of a maximum that nothing depends on is no term of a sum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import ADDITIVE
from gradgen.ir.walk import lets, rewrite, with_located
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import equal

ZEROS = (Const(0), Const(0.0))


def hits(function: Function, facts: Facts) -> Function:
    """The function without the shares of zero that a maximum's entries get.

        before:  d_x = d_y + np.where(x == m, 0 / np.sum(x == m, keepdims=True), 0)
        after:   d_x = d_y

    Where an entry is a maximum, there is one at least, and 0 / 1 is 0. The rest of the
    sum has its shape already.
    """

    made: dict[Var, Expr] = {}

    def value_of(expr: Expr) -> Expr:
        """What a name stands for."""
        if not made:
            made.update((let.var, let.value) for let in lets(function.body))
        return made.get(expr.var, expr) if isinstance(expr, Ref) else expr

    def changed(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op not in ADDITIVE:
            return node
        ways = (node.args, node.args[::-1])[: 2 if node.op == "numpy.add" else 1]
        for kept, other in ways:
            if _is_nothing(other, facts, value_of):
                if equal(facts.of(kept), facts.of(node)):
                    return kept
        return node

    def block(body: Iterable[Stmt], path: tuple[Any, ...]) -> Iterator[Stmt]:
        for stmt in body:
            if not isinstance(stmt, Let):
                yield with_located(stmt, path, block)
            elif stmt.note.derived:
                value = rewrite(stmt.value, changed)
                yield stmt if value == stmt.value else replace(stmt, value=value)
            else:
                yield stmt

    body = tuple(block(function.body, ()))
    return function if body == function.body else replace(function, body=body)


def _is_nothing(expr: Expr, facts: Facts, value_of: Callable[[Expr], Expr]) -> bool:
    """Whether it is np.where(m, 0 / np.sum(m), 0), entry by entry."""
    if not isinstance(expr, Apply) or expr.op != "numpy.where" or len(expr.args) != 3:
        return False
    mask, share, other = expr.args
    if other not in ZEROS or not facts.is_boolean(mask):
        return False
    if not isinstance(share, Apply) or share.op != "numpy.divide":
        return share in ZEROS
    zero, count = share.args
    if zero in ZEROS:
        count = value_of(count)
    if zero not in ZEROS or not isinstance(count, Apply) or count.op != "numpy.sum":
        return False
    if count.args != (mask,):
        return False
    said = dict(count.kwargs)
    return said.get("keepdims") == Const(True) or "axis" not in said
