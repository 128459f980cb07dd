"""Which arguments a backward pass returns gradients for, where nobody says it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradgen.lines import dedented

PREFIXES = ("d_", "grad_", "g_", "dL_d", "dL", "d", "g", "")
ENDINGS = ("_grad", "_bar", "")


def inferred_wrt(
    hand: Callable[..., Any],
    found: Any,
    value: Any,
    names: Sequence[str],
    shapes: Sequence[tuple[int, ...]],
    own: tuple[str, ...],
) -> tuple[str, ...]:
    """The arguments that the results of a backward pass are gradients of.

    By the names in its return, `return dW, db`; else by the number of results: `own`,
    those that the generated gradient is for, or all; else by their shapes, where one
    choice alone fits. `names` and `shapes` are those of arguments that have a
    gradient, `found` what was returned where the value of the function is `value`.
    """
    number, is_after_value = _count(found, value)
    if number is None:
        return own
    returned = _returned(hand)
    for parts in (returned, returned[1:] if is_after_value else []):
        if len(parts) == number:
            called = [_argument(part, names) for part in parts]
            if all(called) and len(set(called)) == number:
                return tuple(name for name in called if name)
    if number == len(own):
        return own
    if number == len(names):
        return tuple(names)
    inner = found[1] if is_after_value else found
    each = inner if isinstance(inner, (tuple, list)) else (inner,)
    return _by_shapes([np.shape(one) for one in each], names, shapes) or own


def _count(found: Any, value: Any) -> tuple[int | None, bool]:
    """How many gradients were returned, and whether they stand behind the value."""
    if isinstance(found, np.ndarray) or np.isscalar(found):
        return 1, False
    if not isinstance(found, (tuple, list)) or any(map(callable, found)):
        return None, False
    if len(found) == 2 and _is_value(found[0], value):
        inner = found[1]
        return (len(inner) if isinstance(inner, (tuple, list)) else 1), True
    if not all(_is_array(one) for one in found):
        return None, False
    return len(found), False


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or np.isscalar(value)


def _is_value(first: Any, value: Any) -> bool:
    if not _is_array(first) or np.shape(first) != np.shape(value):
        return False
    return bool(np.allclose(first, value, rtol=1e-6, atol=0, equal_nan=True))


def _returned(hand: Callable[..., Any]) -> list[str]:
    """The names in the last return of a function, "" for what is no name."""
    try:
        tree = ast.parse(dedented(inspect.getsource(hand)))
    except (OSError, TypeError, SyntaxError):
        return []
    returns = [node for node in ast.walk(tree) if isinstance(node, ast.Return)]
    if not returns:
        return []
    value = max(returns, key=lambda node: node.lineno).value
    parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
    if len(parts) == 2 and isinstance(parts[1], ast.Tuple):
        parts = parts[1].elts  # the value, and a tuple of gradients
    return [part.id if isinstance(part, ast.Name) else "" for part in parts]


def _argument(name: str, names: Sequence[str]) -> str:
    """The argument that a name like d_W or W_grad is the gradient of, or ""."""
    for argument in names:
        for prefix in PREFIXES:
            for ending in ENDINGS:
                if name == f"{prefix}{argument}{ending}" and name != argument:
                    return argument
    return ""


def _by_shapes(
    got: list[tuple[int, ...]], names: Sequence[str], shapes: Sequence[tuple[int, ...]]
) -> tuple[str, ...] | None:
    """The one choice of arguments, in their order, that has these shapes."""
    found: list[tuple[str, ...]] = [()]
    places: list[list[int]] = [[-1]]
    for shape in got:
        longer, after = [], []
        for chosen, place in zip(found, places, strict=True):
            for i in range(place[-1] + 1, len(names)):
                if shapes[i] == shape:
                    longer.append((*chosen, names[i]))
                    after.append([*place, i])
        found, places = longer, after
    return found[0] if len(found) == 1 else None
