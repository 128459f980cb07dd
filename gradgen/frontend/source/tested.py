"""What a function asks of its arguments before anything else, and raises without.

before:  if not isinstance(k, (int, float)): raise TypeError("k")
after:   k is a number
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

# classes of numbers, real ones, by their last names
OF_NUMBERS = {*"int float Number Real Rational Integral".split()}
OF_NUMBERS |= {*"number integer floating float16 float32 float64 int32 int64".split()}


def tested(node: gast.FunctionDef) -> Iterator[tuple[str, gast.AST]]:
    """The arguments that have to be instances, and of what.

    before:  assert isinstance(k, float)
             if not isinstance(other, Vec): return NotImplemented
             if isinstance(other, Vec): return self.x * other.x
             raise TypeError
    """
    names = {arg.id for arg in (*node.args.args, *node.args.kwonlyargs)}
    kinds = gast.Assert, gast.If
    count = max(
        (i for i, s in enumerate(node.body, 1) if isinstance(s, kinds)), default=0
    )
    for i, stmt in enumerate(node.body[:count]):
        found: tuple[str, gast.AST] | None = None
        if isinstance(stmt, gast.Assert):
            found = _instance(stmt.test)
        elif isinstance(stmt, gast.If):
            other = stmt.test
            negated = isinstance(other, gast.UnaryOp) and isinstance(other.op, gast.Not)
            asked = _instance(other.operand if negated else other)
            if _gives_up(stmt.body if negated else stmt.orelse or node.body[i + 1 :]):
                found = asked
        if found is not None and found[0] in names:
            yield found
        names -= {one.id for one in gast.walk(stmt) if _is_stored(one)}


def numbers_tested(node: gast.FunctionDef) -> set[str]:
    """The arguments that have to be numbers."""
    return {name for name, classes in tested(node) if _are_of_numbers(classes)}


def _are_of_numbers(classes: gast.AST) -> bool:
    if isinstance(classes, gast.Tuple):
        return all(map(_are_of_numbers, classes.elts))
    if isinstance(classes, gast.BinOp):
        return _are_of_numbers(classes.left) and _are_of_numbers(classes.right)
    last = getattr(classes, "attr", "") or getattr(classes, "id", "")
    return last in OF_NUMBERS


def _instance(test: gast.AST) -> tuple[str, gast.AST] | None:
    """x and C of isinstance(x, C)."""
    if not isinstance(test, gast.Call) or len(test.args) != 2:
        return None
    asked, one = getattr(test.func, "id", ""), test.args[0]
    if asked != "isinstance" or not isinstance(one, gast.Name):
        return None
    return one.id, test.args[1]


def _gives_up(body: list[Any]) -> bool:
    """Whether statements raise, or return NotImplemented, before anything else."""
    if not body:
        return False
    first = body[0]
    if isinstance(first, gast.Return):
        return getattr(first.value, "id", "") == "NotImplemented"
    return isinstance(first, gast.Raise)


def _is_stored(node: gast.AST) -> bool:
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)
