"""The text of a lambda, found by the places of its instructions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import FunctionType

import gast

NAME = "function"


def definition_of(
    function: FunctionType,
) -> tuple[gast.FunctionDef, list[str], str] | None:
    """A lambda as a def, the lines of its file, and its own text; None if not found.

        before:  f = lambda x: x * x
        after:   def f(x): return x * x

    A lambda that no name is given is called `function`.
    """
    try:
        lines, _ = inspect.findsource(function)
        tree = gast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError):
        return None
    places = {
        (row, column)
        for row, _, column, _ in function.__code__.co_positions()
        if row is not None and column is not None
    }
    found = [
        (name, node)
        for name, node in _lambdas(tree)
        if all(_covers(node.body, place) for place in places - _start(node))
    ]
    if not found:
        return None
    # The innermost of those that stand around the instructions.
    name, node = max(found, key=lambda one: (one[1].lineno, one[1].col_offset))
    body = gast.copy_location(gast.Return(node.body), node.body)
    made = gast.FunctionDef(name, node.args, [body], [], None, None, [])
    own = ast.get_source_segment("".join(lines), node) or ""
    whole = [line.rstrip("\n") for line in lines]
    return gast.copy_location(made, node), whole, f"({own})"


def _lambdas(tree: gast.AST) -> Iterator[tuple[str, gast.Lambda]]:
    """Every lambda, with the name it is given."""
    names = {
        id(node.value): node.targets[0].id
        for node in gast.walk(tree)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
    }
    for node in gast.walk(tree):
        if isinstance(node, gast.Lambda):
            yield names.get(id(node), NAME), node


def _start(node: gast.Lambda) -> set[tuple[int, int]]:
    """The place of the lambda itself, where its first instruction may stand."""
    return {(node.lineno, 0), (node.lineno, node.col_offset)}


def _covers(node: gast.AST, place: tuple[int, int]) -> bool:
    start = node.lineno, node.col_offset
    return start <= place < (node.end_lineno, node.end_col_offset)
