"""A function of containers as one of leaves, which can be measured one by one."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.ir.structure import LEAF, Structure, path_text
from gradgen.request.parts import path_of, step_into
from gradgen.runtime.arguments import is_container

PLAIN = (bool, str, int, type(None))


@dataclass(frozen=True)
class Leaf:
    """A leaf of an argument: its label, and its place among all leaves."""

    label: str
    place: int


@dataclass(frozen=True)
class Nested:
    """A function, and the nesting of its arguments and of its result.

    before:  f({"W": W, "b": b}, x) -> (value, {"y": y})
    after:   flat(W, b, x) -> one vector of value and y

    The leaves at the places in `lists` are arrays here, and lists or tuples of numbers
    for the function.
    """

    function: Callable[..., Any]
    names: tuple[str, ...]
    arguments: tuple[Structure, ...]
    result: Structure
    lists: Mapping[int, type] = dataclasses.field(default_factory=dict)

    def nested(self, leaves: Sequence[Any]) -> tuple[Any, ...]:
        """The arguments, made of their leaves; arrays are copied."""
        copies = (self._copied(i, leaf) for i, leaf in enumerate(leaves))
        return tuple(nest.build(copies, made) for nest in self.arguments)

    def _copied(self, place: int, leaf: Any) -> Any:
        if place in self.lists:
            # A complex step makes numbers of it that a list may hold as well.
            return self.lists[place](np.asarray(leaf).tolist())
        return leaf.copy() if isinstance(leaf, np.ndarray) else leaf

    def leaves(self, args: Sequence[Any]) -> list[Any]:
        """The leaves of all arguments, in order."""
        pairs = zip(self.arguments, args, strict=True)
        found = [leaf for nest, arg in pairs for leaf in nest.flatten(arg)]
        return [np.asarray(x) if i in self.lists else x for i, x in enumerate(found)]

    def flat(self, *leaves: Any) -> np.ndarray:
        """The result as a function of leaves: an array, or one vector of all."""
        value = self.function(*self.nested(leaves))
        return self.vector([value] if not self.result else self.result.flatten(value))

    def vector(self, leaves: list[Any]) -> np.ndarray:
        """The numbers among leaves of a result, in one array."""
        if not self.result:
            return np.asarray(leaves[0])
        return np.concatenate([np.ravel(leaf) for leaf in leaves if is_active(leaf)])

    def part(self, text: str) -> tuple[Structure, list[Leaf]] | None:
        """The nesting of an argument or of a part of one, and its leaves."""
        # An argument of *args is called by its place, which is no path.
        name, keys = (text, ()) if text in self.names else path_of(text)
        if name not in self.names:
            return None
        at = self.names.index(name)
        found = step_into(self.arguments[at], keys)
        if found is None:
            return None
        first = sum(len(list(nest.leaves())) for nest in self.arguments[:at])
        every = [path for path, _ in self.arguments[at].leaves()]
        start = len(found[0])
        own = [
            Leaf(path_text(name, path), first + i)
            for i, path in enumerate(every)
            if path[:start] == found[0]
        ]
        return found[1], own


def structure_of(value: object, of_result: bool = False) -> Structure:
    """The nesting of a value; a list of numbers is an array, but for a result's."""
    if isinstance(value, np.ndarray) or isinstance(value, PLAIN):
        return LEAF
    if not (is_container(value) or of_result and isinstance(value, (tuple, list))):
        return LEAF
    cls = type(value)
    if hasattr(cls, "_fields"):
        sort, keys = "namedtuple", tuple(cls._fields)
    elif dataclasses.is_dataclass(cls):
        sort, keys = "dataclass", tuple(f.name for f in dataclasses.fields(cls))
    elif isinstance(value, Mapping):
        sort, keys = "dict", tuple(value)
    else:
        sort, keys = ("tuple" if isinstance(value, tuple) else "list"), ()
    # A dataclass may have no fields, and has no length.
    count = len(value) if isinstance(value, (tuple, list)) else len(keys)
    plain = Structure(sort, (LEAF,) * count, keys, cls.__name__, cls=cls)
    parts = tuple(structure_of(item, of_result) for item in plain.items(value))
    return dataclasses.replace(plain, parts=parts)


def listed(value: object) -> bool:
    """Whether a value is a list or a tuple of numbers, of one length in each row."""
    if not isinstance(value, (list, tuple)) or hasattr(value, "_fields"):
        return False
    try:
        return np.asarray(value).dtype.kind in "fciu"
    except ValueError:
        return False


def is_active(leaf: object) -> bool:
    """Whether a leaf of a container has a gradient."""
    if isinstance(leaf, PLAIN):
        return False
    return np.asarray(leaf).dtype.kind in "fc"


def fits(value: object, structure: Structure, inside: bool = False) -> bool:
    """Whether a value has a nesting, and no container is where a leaf should be.

    The gradient of a list of numbers `inside` a container may be a list.
    """
    if not structure:
        if inside and listed(value):
            return True
        return not (is_container(value) or isinstance(value, (tuple, list, Mapping)))
    try:
        items = structure.items(value)
    except (ValueError, AttributeError):
        return False
    return all(fits(item, part, True) for item, part in zip(items, structure.parts))


def seeds_for(
    leaves: list[Any], structure: Structure, seed: object
) -> list[np.ndarray]:
    """A seed for each leaf of a result, from one of its nesting; None for zeros."""
    given = structure.flatten(seed)
    return [
        (
            np.zeros(np.shape(leaf))
            if one is None
            else np.broadcast_to(one, np.shape(leaf))
        )
        for one, leaf in zip(given, leaves, strict=True)
        if is_active(leaf)
    ]


def pulled_back(back: Callable[..., Any], seed: object, seeds: list[Any]) -> Any:
    """What a callback gives: it takes one seed for each result, or all at once."""
    try:
        own = inspect.signature(back).parameters.values()
        taken = [
            p for p in own if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
    except (TypeError, ValueError):
        taken = []
    return back(*seeds) if len(seeds) == len(taken) > 1 else back(seed)


def made(structure: Structure, named: dict[Any, Any]) -> Any:
    """A record of its class."""
    assert callable(structure.cls)
    return structure.cls(**named)
