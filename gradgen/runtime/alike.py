"""Whether a function computes the same with a list as with an array of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gradgen.errors import words_of
from gradgen.shapes.spec import shape_of_example
from gradgen.runtime.copied import copied

# How far numbers are moved, and how near values are to be, to be called the same.
MOVED, SAME = 1e-2, 1e-7
PLAIN = (bool, int, float, complex)
Given = Mapping[str, Any]


OTHERWISE = "with which the function computes otherwise than with an array"


def told_as_lists(values: Mapping[str, Any]) -> str:
    """What tells that lists are lists: shapes={"values": ["", ""]}."""
    facts = ", ".join(f'"{n}": {_parts(one)}' for n, one in values.items())
    return f"shapes={{{facts}}}"


def _parts(value: Any) -> str:
    if not isinstance(value, (list, tuple)):
        return f'"{shape_of_example(value)}"'
    parts = ", ".join(map(_parts, value))
    return f"({parts},)" if isinstance(value, tuple) else f"[{parts}]"


def difference(
    call: Callable[[Given], Any], given: Given, taken: Given, moving: frozenset[str]
) -> str:
    """What sets two lists of arguments apart, "" where the function knows no difference.

    It is called at the arguments themselves and once at numbers near by, those of
    the arguments in `moving` changed: two functions that differ agree at a point
    by chance, but not at another one drawn at random.
    """
    for step in (0.0, MOVED):
        found = [_outcome(call, one, moving, step) for one in (given, taken)]
        (value, error), (other, second) = found
        if error is not None and second is not None and step:
            continue  # moved to where the function is not defined
        if error is not None:
            return f"with which the function raises {words_of(error)}"
        if second is not None:
            return f"{OTHERWISE}, which raises {type(second).__name__}: {second}"
        if not same_value(value, other):
            return OTHERWISE
    return ""


def _outcome(
    call: Callable[[Given], Any], given: Given, moving: frozenset[str], step: float
) -> tuple[Any, Exception | None]:
    """The function's value, or what it raises, with numbers moved by a step."""
    rng = np.random.default_rng(0)
    own = {name: copied(value) for name, value in given.items()}
    for name in sorted(moving & own.keys()):
        own[name] = moved(own[name], step, rng)
    try:
        with np.errstate(all="ignore"):
            return call(own), None
    except Exception as error:  # the caller's own code may raise anything
        return None, error


def moved(value: Any, step: float, rng: np.random.Generator) -> Any:
    """A value with its numbers moved at random, the same for a list and an array."""
    if not step:
        return value
    if isinstance(value, range):
        value = list(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(moved(one, step, rng) for one in value))
    if isinstance(value, (list, tuple)):
        return type(value)(moved(one, step, rng) for one in value)
    if isinstance(value, PLAIN) and not isinstance(value, np.generic):
        return value + step * float(rng.uniform(0.5, 1.5))
    if isinstance(value, (np.ndarray, np.number)) and value.dtype.kind in "fc":
        moves = step * rng.uniform(0.5, 1.5, np.shape(value))
        return (value + moves).astype(value.dtype)
    return value


def same_value(one: Any, other: Any) -> bool:
    """Whether two results of a function are one value, rounding aside."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        same = one.keys() == other.keys()
        return same and all(same_value(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        pairs = zip(one, other)
        return len(one) == len(other) and all(same_value(a, b) for a, b in pairs)
    try:
        a, b = np.asarray(one), np.asarray(other)
        if a.shape != b.shape:
            return False
        if not {a.dtype.kind, b.dtype.kind} <= set("fciub"):
            return bool(np.all(a == b))
        narrow = [np.finfo(x.dtype).eps for x in (a, b) if x.dtype.kind in "fc"]
        close = max([SAME, *(64 * float(eps) for eps in narrow)])
        return np.allclose(a, b, rtol=close, atol=close * 1e-3, equal_nan=True)
    except (ValueError, TypeError):
        return False
