"""How many operations the text of a function has."""

from __future__ import annotations

from typing import Any

import gast

OPERATIONS: tuple[type, ...] = gast.BinOp, gast.UnaryOp, gast.Compare, gast.Call
OPERATIONS += gast.Subscript, gast.AugAssign, gast.IfExp, gast.If
# what may be written out once for each of many items
REPEATED = gast.For, gast.While, gast.comprehension, gast.Starred
MANY = 10**6


def operations_in(function: Any) -> int:
    """How many operations a function's text has; MANY where it says them for each item."""
    nodes = list(gast.walk(function))
    if any(isinstance(one, REPEATED) for one in nodes):
        return MANY
    return sum(isinstance(one, OPERATIONS) for one in nodes)
