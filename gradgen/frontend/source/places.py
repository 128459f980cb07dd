"""The arguments by which a function reads entries and counts: places, masks, lengths."""

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


def counts_read(node: gast.FunctionDef) -> set[str]:
    """The names that stand among lengths: in range, in slices, in tuples and as keywords.

    before:  for i in range(steps): z = z + np.zeros((n, 3)).sum(axis=k)
    after:   {"steps", "n", "k"}
    """
    found: set[str] = set()
    for one in gast.walk(node):
        parts: list[gast.AST | None] = []
        if isinstance(one, gast.Slice):
            parts = [one.lower, one.upper, one.step]
        elif isinstance(one, gast.Call):
            parts = [*(word.value for word in one.keywords)]
            parts += [arg for arg in one.args if isinstance(arg, gast.Tuple)]
            if isinstance(one.func, gast.Name) and one.func.id == "range":
                parts += one.args
        inside = (x for part in parts if part is not None for x in gast.walk(part))
        found |= {x.id for x in inside if isinstance(x, gast.Name)}
    return found


def _named(key: gast.AST) -> Iterator[str]:
    if isinstance(key, gast.Name):
        yield key.id
    elif isinstance(key, gast.Subscript):
        yield from _named(key.value)
    elif isinstance(key, gast.Tuple):
        for one in key.elts:
            yield from _named(one)
