"""The nesting of a result or an argument: tuples, lists, dictionaries, records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from gradgen.frozen import dataclass
from gradgen.quoting import string_literal


@dataclass(frozen=True)
class Structure:
    """A tree; `sort` is "leaf", "tuple", "list", "dict", "namedtuple", "dataclass"
    or "object", an instance with a method that is differentiated.

    `keys` are a dictionary's keys or a record's fields, `name` a record's class.
    `cls` is a record's class. `fact` is what is told of a leaf of an argument: a shape's text, "int", "bool"
    or "str" with a colon before it, or None.
    """

    sort: str = "leaf"
    parts: tuple[Structure, ...] = ()
    keys: tuple[Any, ...] = ()
    name: str = ""
    fact: str | None = None
    cls: object = field(default=None, compare=False, repr=False)

    def __bool__(self) -> bool:
        """Whether there is any nesting."""
        return self.sort != "leaf"

    @property
    def is_record(self) -> bool:
        return self.sort in ("namedtuple", "dataclass", "record", "object")

    @property
    def is_object(self) -> bool:
        """Whether it is an instance, of which only the parts have gradients."""
        return self.sort == "object"

    def steps(self) -> Iterator[tuple[object, Structure]]:
        """The key, place or field of each part, and the part."""
        keys = self.keys if self.keys else range(len(self.parts))
        yield from zip(keys, self.parts, strict=True)

    def leaves(
        self, path: tuple[Any, ...] = ()
    ) -> Iterator[tuple[tuple[Any, ...], Structure]]:
        """The leaves in order, each with its path: (structure, key) for each step."""
        if not self:
            yield path, self
        for key, part in self.steps():
            yield from part.leaves((*path, (self, key)))

    def items(self, value: Any) -> list[Any]:
        """The parts of a value that has this structure. Raises ValueError."""
        if self.sort == "dict":
            if not isinstance(value, dict) or set(value) != set(self.keys):
                raise ValueError(f"a dictionary of {', '.join(map(str, self.keys))}")
            return [value[key] for key in self.keys]
        if self.is_record:
            return [getattr(value, key) for key in self.keys]
        if not isinstance(value, (tuple, list)) or len(value) != len(self.parts):
            raise ValueError(f"a {self.sort} of {len(self.parts)}")
        return list(value)

    def flatten(self, value: Any) -> list[Any]:
        """The leaves of a value that has this structure. Raises ValueError."""
        if not self:
            return [value]
        pairs = zip(self.parts, self.items(value), strict=True)
        return [leaf for part, item in pairs for leaf in part.flatten(item)]

    def build(
        self, leaves: Iterator[Any], record: Callable[..., Any] | None = None
    ) -> Any:
        """A value of this structure, from its leaves in order."""
        if not self:
            return next(leaves)
        parts = [part.build(leaves, record) for part in self.parts]
        if self.sort == "dict":
            return dict(zip(self.keys, parts))
        if self.is_record:
            named = dict(zip(self.keys, parts))
            return record(self, named) if record else named
        return parts if self.sort == "list" else tuple(parts)


LEAF = Structure()


def path_text(name: str, path: tuple[Any, ...]) -> str:
    """How Python writes a part: params["W"], layers[0].b."""
    for structure, key in path:
        name += f".{key}" if structure.is_record else f"[{key_text(key)}]"
    return name


def key_text(key: object) -> str:
    return string_literal(key) if isinstance(key, str) else repr(key)
