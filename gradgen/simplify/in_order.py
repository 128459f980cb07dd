"""Statements of a block with what is assigned by then, and not behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gradgen.ir.nodes import Branch, Function, Loop, Stmt
from gradgen.ir.walk import all_defined, blocks, statements
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
    here.unordered = False
    forward = [stmt for stmt in body if not stmt.note.derived]
    here.ahead = facts.ahead | set(all_defined(forward))
    for stmt in body:
        if not stmt.note.derived:
            here.ahead.difference_update(all_defined((stmt,)))
        yield stmt, here


def is_mixed(function: Function) -> bool:
    """Whether a statement of the primal stands behind one of the gradient."""
    waiting = [function.body]
    while waiting:
        derived = False
        for stmt in waiting.pop():
            if derived and not stmt.note.derived:
                return True
            derived = derived or stmt.note.derived
            if isinstance(stmt, (Branch, Loop)):
                inside = list(blocks(stmt))
                every = (one for block in inside for one in statements(block))
                derived = derived or any(one.note.derived for one in every)
                waiting += inside
    return False
