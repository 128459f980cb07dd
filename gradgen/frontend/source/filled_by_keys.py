"""Dictionaries that a function leaves its results in: outputs["y"] = x ** 2."""

from __future__ import annotations

import gast

from gradgen.frontend.source.around import parents_of


def is_filled_by_keys(node: gast.FunctionDef, name: str) -> bool:
    """Whether an argument is read and stored into by words alone, and some are stored."""
    parents = parents_of(node)
    stored = False
    for one in gast.walk(node):
        if not isinstance(one, gast.Name) or one.id != name or one in node.args.args:
            continue
        parent = parents[one]
        key = getattr(parent, "slice", None)
        if not isinstance(parent, gast.Subscript) or parent.value is not one:
            return False
        if not isinstance(getattr(key, "value", None), str):
            return False
        stored = stored or isinstance(parent.ctx, gast.Store)
    return stored
