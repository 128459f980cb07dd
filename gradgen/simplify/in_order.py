"""Statements of a block with what is assigned by then, and not behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gradgen.ir.nodes import Branch, Function, Loop, Role, Stmt
from gradgen.ir.walk import all_defined, blocks
from gradgen.shapes.infer import Facts


def in_order(
    body: Iterable[Stmt], facts: Facts, path: tuple[Any, ...]
) -> Iterator[tuple[Stmt, Facts]]:
    """Each statement, with the facts as they are there.

    In forward mode the statements of the primal stand between the others, and so they
    do where a loop of the gradient has been put into one of the primal:

        d_s = x @ d_x / s
        inv = 1 / s          # which d_s cannot read
    """
    body, here = tuple(body), facts.within(path)
    if not facts.unordered and not facts.in_turn:
        yield from ((stmt, here) for stmt in body)
        return
    here.unordered, here.in_turn = False, True
    forward = [stmt for stmt in body if not stmt.note.derived]
    here.ahead = facts.ahead | set(all_defined(forward))
    for stmt in body:
        if not stmt.note.derived:
            here.ahead.difference_update(all_defined((stmt,)))
        yield stmt, here


def is_mixed(function: Function) -> bool:
    """Whether a statement of the primal stands behind one of the gradient."""
    return _sorts(function.body)[1]


def _sorts(body: Iterable[Stmt]) -> tuple[bool, bool]:
    """Whether a block has statements of the gradient, and some of the primal behind them."""
    derived = False
    for stmt in body:
        own = stmt.note.role is not Role.FORWARD
        if derived and not own:
            return True, True
        if own:
            derived = True
        elif isinstance(stmt, (Branch, Loop)):
            for block in blocks(stmt):
                inside, mixed = _sorts(block)
                if mixed:
                    return True, True
                derived = derived or inside
    return derived, False
