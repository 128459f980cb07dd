"""Whether a function calls one of the user's functions several times."""

from __future__ import annotations

import types
from collections import Counter
from typing import Any

import gast

from gradgen.frontend.source.source import Source

# a function that is called so many times may have one of its own in the text
OFTEN = 3


def calls_often(source: Source) -> bool:
    """Whether the lines of a function call another one of Python three times or more."""
    counted = Counter(
        node.func.id
        for node in gast.walk(source.node)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    )
    return any(
        count >= OFTEN and isinstance(_named(source, name), types.FunctionType)
        for name, count in counted.items()
    )


def _named(source: Source, name: str) -> Any:
    return source.closure.get(name, source.globals.get(name))
