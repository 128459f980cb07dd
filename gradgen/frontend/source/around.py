"""What stands around the nodes of a function: parents, and loops."""

from __future__ import annotations

from typing import Any

import gast


def parents_of(node: gast.AST) -> dict[Any, Any]:
    """The parent of each node below this one."""
    return {
        child: parent
        for parent in gast.walk(node)
        for child in gast.iter_child_nodes(parent)
    }


def inside_loops(node: gast.AST) -> set[int]:
    """The identities of the nodes that stand in a loop, the loops themselves as well."""
    return {
        id(one)
        for loop in gast.walk(node)
        if isinstance(loop, (gast.For, gast.While))
        for one in gast.walk(loop)
    }
