"""Arguments that stand around the function as well, which changes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.frontend.source.holding import attributes_of
from gradgen.runtime.attributes import is_object
from gradgen.runtime.environment import Environment

Given = Sequence[tuple[str, object]]
Labelled = Callable[[str, object], Iterable[tuple[str, np.ndarray]]]


def surroundings(
    function: Callable[..., Any], held: Mapping[str, Any]
) -> Surroundings | None:
    """What a function reads around it; None where that is nothing that can change."""
    found = Surroundings(function, held)
    return found if found.noted() else None


class Surroundings:
    """The arrays and containers that a function reads of its module, or of a closure."""

    def __init__(self, function: Callable[..., Any], held: Mapping[str, Any]) -> None:
        self._environment, self._held = Environment(function), held
        # what is left out of a call is no name around it
        self._left_out = getattr(function, "__kwdefaults__", None)

    def noted(self) -> dict[int, object]:
        """The arrays, containers and objects, by identity."""
        found: dict[int, object] = {}
        for value in self._values():
            _note(value, found)
        return found

    def refuse(self, given: Given, changed: Sequence[str], labelled: Labelled) -> None:
        """Raises GradgenError where what is changed of an argument is read there too.

        before:  G = np.ones(3); def f(x): x[1] = 0; return np.sum(x * G)
        after:   gradgen.grad(f)(G) raises: the function would change G
        """
        own = self.noted()
        arrays = [one for one in own.values() if isinstance(one, np.ndarray)]
        for name, value in given:
            for label, array in labelled(name, value):
                shared = (np.shares_memory(array, other) for other in arrays)
                if label in changed and any(shared):
                    raise _refusal(label)
            stored = [one for one in changed if _root(one) == name]
            parts: dict[int, object] = {}
            _note(value, parts)
            # of an instance the fields that are read are known, and refused where read
            parts = {k: v for k, v in parts.items() if isinstance(v, (dict, list))}
            if stored and parts.keys() & own.keys():
                raise _refusal(stored[0])

    def _values(self) -> Iterator[object]:
        yield from self._held.values()
        for table, _, value in self._environment.names:
            if table is not self._left_out:
                yield value
        for _, value in self._environment.cells:
            yield value


def _refusal(label: str) -> GradgenError:
    return GradgenError(
        "GG507",
        f"the function changes {label}, which it reads of its module or closure as well",
        advice="a copy as the argument",
    )


def _root(label: str) -> str:
    return label.partition(".")[0].partition("[")[0]


def _note(value: object, seen: dict[int, object]) -> None:
    """Notes the arrays, containers and objects that a value is made of."""
    parts: list[Any]
    if isinstance(value, np.ndarray):
        parts = []
    elif isinstance(value, (dict, list, tuple)):
        parts = list(value.values() if isinstance(value, dict) else value)
    elif is_object(value):
        parts = [one for _, one in attributes_of(value)]
    else:
        return
    if id(value) in seen:
        return
    if parts or not isinstance(value, tuple):
        seen[id(value)] = value
    for part in parts:
        _note(part, seen)
