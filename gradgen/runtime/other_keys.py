"""Containers with more in them than a fact tells, which a text leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import is_
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.structure import Structure, path_text
from gradgen.runtime.alike import OTHERWISE, PLAIN, difference

ARRAYS = (*PLAIN, np.ndarray, np.generic)


def as_told(structure: Structure, value: Any) -> Any:
    """A value with the parts of its fact alone; the value itself where it has no other.

    before:  {"w": 2.0, "b": 1.0}, told is {"w": ""}
    after:   {"w": 2.0}
    """
    parts: Any
    if structure.sort == "dict" and isinstance(value, Mapping):
        if not value.keys() >= set(structure.keys):
            return value  # one is missing, of which others speak
        parts = {key: as_told(part, value[key]) for key, part in structure.steps()}
        alike = all(parts[key] is value[key] for key in parts)
    elif structure.sort in ("list", "tuple") and type(value) in (list, tuple):
        parts = type(value)(map(as_told, structure.parts, value))
        alike = all(map(is_, parts, value))
    else:
        return value
    return value if alike and len(parts) == len(value) else parts


def refuse_no_container(name: str, structure: Structure, value: Any) -> None:
    """Raises GradgenError for an array or a number where a fact tells of a container.

    A dictionary of facts may tell of an instance as well.
    """
    if structure.sort not in ("dict", "list", "tuple"):
        return
    other = (list, tuple) if structure.sort == "dict" else Mapping
    is_named = hasattr(value, "_fields")
    if isinstance(value, ARRAYS) or isinstance(value, other) and not is_named:
        raise GradgenError(
            "GG503",
            f"the argument {name} is of {type(value).__name__}, and its fact is of a "
            f"{structure.sort}",
            advice="the facts that hold, or none",
        )


def refuse_other_keys(
    given: Mapping[str, Any],
    bundles: Mapping[str, Structure],
    call: Callable[[Mapping[str, Any]], Any],
    moving: Iterable[str],
) -> None:
    """Raises GradgenError where a function reads parts that no fact tells of.

    It is called with these and without: one that reads them by name computes the
    same, and one that goes over all values does not.
    """
    told = {n: as_told(s, given[n]) for n, s in bundles.items() if n in given}
    more = {name: one for name, one in told.items() if one is not given[name]}
    if not more:
        return
    found = difference(call, given, {**given, **more}, frozenset(moving))
    if found.startswith(OTHERWISE):
        name = next(iter(more))
        others = ", ".join(_others(name, given[name], more[name]))
        raise GradgenError(
            "GG503",
            f"the argument {name} has {others}, which its fact does not tell of, and "
            "the function computes otherwise without",
            advice="a fact of each part, or none",
        )


def _others(name: str, value: Any, told: Any) -> Iterator[str]:
    """The parts that are not told, as Python writes them."""
    is_dict = isinstance(value, Mapping)
    for key, part in value.items() if is_dict else enumerate(value):
        way = path_text(name, ((Structure("dict"), key),))
        if key not in told if is_dict else key >= len(told):
            yield way
        elif told[key] is not part:
            yield from _others(way, part, told[key])
