"""How deep an expression is: passes keep it bounded, however long a program is.

A sum of thousands of terms is a chain of operators as deep as it is long. What would
become deeper than DEEPEST keeps a name of its own for a part, so that a walk into an
expression ends soon, and a line of the text can be read.
"""

from __future__ import annotations

from gradgen.ir.nodes import Expr
from gradgen.ir.walk import children

DEEPEST = 40


def depth(expr: Expr) -> int:
    """How many operations stand in one another."""
    found = 0
    waiting = [(expr, 1)]
    while waiting:
        node, level = waiting.pop()
        found = max(found, level)
        waiting += [(child, level + 1) for child in children(node)]
    return found


def is_deep(expr: Expr) -> bool:
    """Whether an expression is not to be put into another one."""
    return depth(expr) >= DEEPEST
