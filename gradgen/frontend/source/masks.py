"""Arguments whose names say that they are masks, where entries are read by them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import gast

MASK = re.compile(r"(\w+_)?masks?(_\w+)?")


def masks_read(node: gast.FunctionDef) -> tuple[str, ...]:
    """The parameters called masks that are keys: x[mask], x[~mask], x[:, train_mask].

    None that is assigned anew, nor one that an annotation or a default tells of.
    """
    args = (*node.args.args, *node.args.kwonlyargs)
    names = [arg.id for arg in args if MASK.fullmatch(arg.id) and not arg.annotation]
    if not names:
        return ()
    assigned = {
        one.id
        for one in gast.walk(node)
        if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Store)
    }
    keys = {
        key.id
        for one in gast.walk(node)
        if isinstance(one, gast.Subscript)
        for key in _keys(one.slice)
    }
    return tuple(name for name in names if name in keys and name not in assigned)


def keyed(node: gast.FunctionDef) -> dict[str, list[str]]:
    """The names that entries are read by, and of what: "" of what has no name.

    before:  E[i] * np.tanh(E)[i, j]
    after:   {"i": ["E", ""], "j": [""]}
    """
    found: dict[str, list[str]] = {}
    for one in gast.walk(node):
        if isinstance(one, gast.Subscript):
            for key in _keys(one.slice):
                found.setdefault(key.id, []).append(getattr(one.value, "id", ""))
    return found


def _keys(key: gast.AST) -> Iterator[gast.Name]:
    """The names that a key consists of, each by itself or inverted."""
    for one in key.elts if isinstance(key, gast.Tuple) else (key,):
        if isinstance(one, gast.UnaryOp) and isinstance(one.op, gast.Invert):
            one = one.operand
        if isinstance(one, gast.Name):
            yield one
