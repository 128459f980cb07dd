"""The annotations of the primal that the emitted text can carry by itself.

Those made of Python's own types and of NumPy's: the text imports nothing else. What
says more of an array than that it is one (its axes, its dtype) is carried as
np.ndarray; a class of the user's module, and all that is not known here, as nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

PLAIN = {one.__name__: one for one in (float, int, bool, complex, str)}
CONTAINERS = {one.__name__: one for one in (tuple, list, dict)}


def hint_of(annotation: str | None, names: Mapping[str, object]) -> str | None:
    """An annotation as the text may spell it, numpy being np; None for none.

    `names` are those of the primal's module.
    """
    if annotation is None:
        return None
    try:
        return _hint(ast.parse(annotation, mode="eval").body, names)
    except (SyntaxError, ValueError):
        return None


def _hint(node: ast.expr, names: Mapping[str, object]) -> str | None:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            return hint_of(node.value, names)
        return "None" if node.value is None else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _joined([_hint(node.left, names), _hint(node.right, names)], " | ")
    if isinstance(node, ast.Subscript):
        return _subscript(node, names)
    meant = _meant(node, names)
    for known in (PLAIN, CONTAINERS):
        if isinstance(node, ast.Name) and known.get(node.id) is meant is not None:
            return node.id
    if meant is np.ndarray or _is_array_type(meant):
        return "np.ndarray"
    if isinstance(meant, type) and issubclass(meant, np.generic):
        return f"np.{meant.__name__}"
    return None


def _subscript(node: ast.Subscript, names: Mapping[str, object]) -> str | None:
    """tuple[...] of what is known, and the types that say more of an array."""
    meant = _meant(node.value, names)
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if isinstance(meant, type) and meant in CONTAINERS.values():
        parts = [
            "..."
            if isinstance(one, ast.Constant) and one.value is ...
            else _hint(one, names)
            for one in inside
        ]
        known = _joined(parts, ", ")
        return known and f"{meant.__name__}[{known}]"
    if meant is np.ndarray or _is_array_type(meant):
        return "np.ndarray"
    # Float[np.ndarray, "n d"]
    shaped = len(inside) == 2 and isinstance(inside[1], ast.Constant)
    if shaped and meant is not None and _hint(inside[0], names) == "np.ndarray":
        return "np.ndarray"
    return None


def _joined(parts: list[str | None], between: str) -> str | None:
    known = [part for part in parts if part is not None]
    return between.join(known) if len(known) == len(parts) else None


def _meant(node: ast.expr, names: Mapping[str, object]) -> object:
    """What a dotted name stands for, None where that is not known."""
    if isinstance(node, ast.Attribute):
        return getattr(_meant(node.value, names), node.attr, None)
    if isinstance(node, ast.Name):
        builtin = PLAIN.get(node.id) or CONTAINERS.get(node.id)
        return names.get(node.id, builtin)
    return None


def _is_array_type(meant: object) -> bool:
    """Whether it is numpy.typing.NDArray, or an alias of one of its kind."""
    return getattr(meant, "__origin__", None) is np.ndarray
