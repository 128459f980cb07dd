"""A primal made ready to be gone through backwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
    Stmt,
    Supply,
)
from gradgen.ir.walk import with_blocks


def marked(primal: Function, supply: Supply) -> Function:
    """The primal with a number for each loop and branch, and named tests.

    The gradient's loops and branches carry the number of the one that they go
    through backwards. A test is computed once, and read by both.
    """
    numbers = count()

    def block(body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Branch) and _is_computed(stmt):
                test = supply.var("test", Origin.TEMP)
                yield Let(test, stmt.test, stmt.note)
                stmt = replace(stmt, test=Ref(test))
            if isinstance(stmt, (Branch, Loop)):
                stmt = with_blocks(replace(stmt, mark=next(numbers)), block)
            yield stmt

    return replace(primal, body=tuple(block(primal.body)))


def _is_computed(branch: Branch) -> bool:
    return isinstance(branch.test, Apply) and branch.test.op != "numpy.errstate"
