"""A test that is all there is in the arm of another one is made with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Effect, Expr, Function, Stmt
from gradgen.ir.operators import negated
from gradgen.ir.walk import with_blocks


def nested_tests(function: Function) -> Function:
    """The function with one test for an exception that two tests lead to.

    before:  if kind != "a":
                 if kind != "b":
                     raise ValueError("no such kind")
    after:   if kind != "a" and kind != "b":
                 raise ValueError("no such kind")
    """
    body = _block(function.body)
    return function if body == function.body else replace(function, body=body)


def _block(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
    return tuple(_joined(with_blocks(stmt, _block)) for stmt in body)


def _joined(stmt: Stmt) -> Stmt:
    outer = _arm(stmt)
    inner = _arm(outer[1][0]) if outer is not None and len(outer[1]) == 1 else None
    if outer is None or inner is None:
        return stmt
    if not all(isinstance(one, Effect) for one in inner[1]):
        return stmt
    assert isinstance(stmt, Branch)
    is_both = isinstance(inner[0], Apply) and inner[0].op == "and"
    more = getattr(inner[0], "args") if is_both else (inner[0],)
    both = Apply("and", (outer[0], *more), (), "operator")
    return replace(stmt, test=both, then=inner[1], orelse=())


def _arm(stmt: Stmt) -> tuple[Expr, tuple[Stmt, ...]] | None:
    """The test of a branch with one arm, and that; None of any other statement."""
    if not isinstance(stmt, Branch) or stmt.merges or stmt.is_try:
        return None
    if not stmt.orelse:
        return stmt.test, stmt.then
    return None if stmt.then else (negated(stmt.test), stmt.orelse)
