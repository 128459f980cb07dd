"""The arguments by which a function reads entries: arrays of places, or masks."""

from __future__ import annotations

from collections.abc import Iterator

import gast


def places_read(node: gast.FunctionDef) -> set[str]:
    """The names that stand in subscripts, as they are or by a part of them.

    before:  d = x[edges[:, 0]] - y[k, 1:len(x)]
    after:   {"edges", "k"}
    """
    subscripts = (one for one in gast.walk(node) if isinstance(one, gast.Subscript))
    return {name for one in subscripts for name in _named(one.slice)}


def _named(key: gast.AST) -> Iterator[str]:
    if isinstance(key, gast.Name):
        yield key.id
    elif isinstance(key, gast.Subscript):
        yield from _named(key.value)
    elif isinstance(key, gast.Tuple):
        for one in key.elts:
            yield from _named(one)
