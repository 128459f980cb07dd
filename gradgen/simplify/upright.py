"""What the user has named as it is turned round is read by that name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Role, Stmt, Var
from gradgen.ir.walk import blocks, rewrite, with_blocks, with_expressions


def upright(function: Function) -> Function:
    """The function whose gradient reads a transpose that has a name by that name.

        before:  t = S @ H
                 K = t.T
                 d_S = d_H @ t.T
                 d_P = t @ d_Z
        after:   t = S @ H
                 K = t.T
                 d_S = d_H @ K
                 d_P = K.T @ d_Z

    The subexpression itself then needs no name.
    """
    turned = {source: _turned(Ref(var)) for source, var in _named(function.body)}
    if not turned:
        return function

    def change(node: Expr) -> Expr:
        if isinstance(node, Ref):
            return turned.get(node.var, node)
        inner = _source_of(node)
        if isinstance(inner, Apply) and _source_of(inner) is not None:
            return inner.args[0]
        return node

    def read(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        return tuple(own(stmt) for stmt in body)

    def own(stmt: Stmt) -> Stmt:
        if stmt.note.role is Role.GRAD:
            stmt = with_expressions(stmt, lambda expr: rewrite(expr, change))
        return with_blocks(stmt, read)

    body = read(function.body)
    return function if body == function.body else replace(function, body=body)


def _named(body: Iterable[Stmt]) -> Iterator[tuple[Var, Var]]:
    """(subexpression, what its transpose is called) where one block has both."""
    body = tuple(body)
    own = {stmt.var for stmt in body if isinstance(stmt, Let)}
    for stmt in reversed(body):
        for block in blocks(stmt):
            yield from _named(block)
        if isinstance(stmt, Let) and stmt.note.role is Role.FORWARD:
            source = _source(stmt.value)
            if stmt.var.origin is Origin.USER and source in own:
                yield source, stmt.var


def _source_of(node: Expr) -> Expr | None:
    """What x.T turns round."""
    if not isinstance(node, Apply) or node.spelling != "attribute:T":
        return None
    return node.args[0] if len(node.args) == 1 and not node.kwargs else None


def _source(value: Expr) -> Var | None:
    """The subexpression that a value is the transpose of."""
    inner = _source_of(value)
    if isinstance(inner, Ref) and inner.var.origin is Origin.TEMP:
        return inner.var
    return None


def _turned(ref: Ref) -> Apply:
    return Apply("numpy.transpose", (ref,), spelling="attribute:T")
