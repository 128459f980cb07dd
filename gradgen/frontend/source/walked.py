"""A walk through all nodes of a tree, which is asked for of the same loops again and again."""

from __future__ import annotations

from typing import Any

import gast

# what a field holds that is no node
PLAIN = frozenset((str, int, float, bool, type(None)))


def nodes_in(node: gast.AST) -> list[gast.AST]:
    """The node and all that are inside it, as gast.walk gives them, with fewer calls."""
    found = [node]
    for one in found:
        for name in one._fields:
            value: Any = getattr(one, name, None)
            kind = value.__class__
            if kind is list:
                found += [
                    item
                    for item in value
                    if item.__class__ not in PLAIN and isinstance(item, gast.AST)
                ]
            elif kind not in PLAIN and isinstance(value, gast.AST):
                found.append(value)
    return found
