"""Options of the wrong type, refused before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.errors import GradgenError


def positions(wrt: Any) -> Any:
    """wrt= with NumPy's integers as Python's. Raises GradgenError for other types.

    A set has no order, and the gradients have that of wrt; True is no position.
    """
    if wrt is None or isinstance(wrt, str):
        return wrt
    if isinstance(wrt, (list, tuple, range)):
        return tuple(_position(one, wrt) for one in wrt)
    return _position(wrt, wrt)


def _position(one: Any, wrt: Any) -> str | int:
    if isinstance(one, str):
        return one
    if isinstance(one, (int, np.integer)) and not isinstance(one, bool):
        return int(one)
    raise GradgenError(
        "GG002",
        f"wrt={_shown(wrt)} names no argument",
        advice="a name, a position from 0, or a tuple of these",
    )


def names(option: str, given: Any) -> tuple[str, ...]:
    """The names of complex=, stop= or of=. Raises GradgenError for other types."""
    found = (given,) if isinstance(given, str) else given
    is_several = isinstance(found, (list, tuple, set, frozenset, Mapping))
    if not is_several or not all(isinstance(one, str) for one in found):
        raise GradgenError(
            "GG002",
            f"{option}={_shown(given)} names no argument",
            advice=f'{option}="x", or a tuple of names',
        )
    is_ordered = isinstance(found, (list, tuple, Mapping))
    return tuple(found if is_ordered else sorted(found))


def refuse_facts(shapes: Any) -> None:
    """Raises GradgenError for facts that are no mapping from names to shapes."""
    if shapes is None:
        return
    if not isinstance(shapes, Mapping):
        raise GradgenError(
            "GG404",
            f"shapes={_shown(shapes)} names no argument",
            advice='shapes={"x": "n d"}',
        )
    for name, fact in shapes.items():
        if not isinstance(name, str):
            raise GradgenError(
                "GG404",
                f"shapes names {_shown(name)}, which is no argument",
                advice='shapes={"x": "n d"}',
            )
        is_fact = fact is None or isinstance(fact, (str, tuple, list, Mapping))
        is_record = hasattr(type(fact), "__dataclass_fields__")
        if not is_fact and not is_record:
            raise GradgenError(
                "GG402",
                f"the fact {_shown(fact)} of {name} is no shape",
                advice=f'shapes={{"{name}": "n d"}}, or "" for a number',
            )


def refuse_example(example: Any) -> None:
    """Raises GradgenError for an example that is no tuple of arguments."""
    is_array = isinstance(example, np.ndarray)
    if example is None or isinstance(example, Sequence) and not is_array:
        if not isinstance(example, (str, bytes)):
            return
    raise GradgenError(
        "GG015",
        f"the example is a {type(example).__name__}, and no tuple of arguments",
        advice="example=(x, ...), also for one argument",
    )


def refuse_guard(guard: Any) -> None:
    """Raises GradgenError for a guard that is neither a flag nor a number."""
    if guard is None or isinstance(guard, (bool, int, float)):
        return
    raise GradgenError(
        "GG023",
        f"guard={_shown(guard)} is no size of a denominator",
        advice="True, or a small positive number such as 1e-8",
    )


def _shown(value: object) -> str:
    """A value in a message, short, and the same on every run."""
    text = repr(value)
    if len(text) > 40 or " at 0x" in text:
        return f"a {type(value).__name__}"
    return text
