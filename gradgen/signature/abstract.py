"""Abstract values: what of an argument decides which text is right for it.

The rank, the axes of length 1 and the sort of an array; the sort of a number; the
parts of a container. Lengths are no part of it, so that one text serves all sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from gradgen.frozen import dataclass
from gradgen.ir.structure import key_text

# A longer container has too many parts to be told one by one.
LONGEST = 100
# dtype kinds -> sorts of entries
SORTS = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}


@dataclass(frozen=True)
class Array:
    """An array; `ones` says of each axis whether its length is 1."""

    ones: tuple[bool, ...]
    sort: str


@dataclass(frozen=True)
class Number:
    """A Python number, or one of NumPy's (`strong`: it takes part in promotion)."""

    sort: str
    strong: bool = False


@dataclass(frozen=True)
class Static:
    """A string or None: no fact, and no gradient."""

    sort: str


@dataclass(frozen=True)
class Record:
    """A tuple, list, dict, NamedTuple or dataclass, part by part."""

    kind: str
    name: str
    keys: tuple[Any, ...]
    parts: tuple[Abstract, ...]


@dataclass(frozen=True)
class Unknown:
    """A value that nothing is told of: an object, a list of numbers."""

    name: str


Abstract = Array | Number | Static | Record | Unknown


def abstract(value: object, inside: bool = False) -> Abstract:
    """The abstract value of an argument of a call, or of a part `inside` of one.

    before:  np.ones((5, 1), np.float32)
    after:   Array(ones=(False, True), sort='float')
    """
    if isinstance(value, np.ndarray):
        sort = SORTS.get(value.dtype.kind)
        if sort is None or not value.ndim and sort in ("int", "bool"):
            return Unknown(f"array of {value.dtype.kind}")
        return Array(tuple(n == 1 for n in value.shape), sort)
    if isinstance(value, np.generic):
        sort = SORTS.get(value.dtype.kind)
        return Number(sort, True) if sort else Unknown(type(value).__name__)
    if isinstance(value, (bool, int, float, complex)):
        return Number(type(value).__name__)
    if value is None or isinstance(value, str):
        return Static(type(value).__name__)
    parts = parts_of(value)
    if parts is None or len(parts[3]) > LONGEST:
        return Unknown(type(value).__qualname__)
    row = parts[0] in ("tuple", "list")
    if row and not inside and not any(map(_has_arrays, parts[3])):
        return Unknown(type(value).__qualname__)
    kind, name, keys, values = parts
    return Record(kind, name, keys, tuple(abstract(one, True) for one in values))


def parts_of(value: Any) -> tuple[str, str, tuple[Any, ...], list[Any]] | None:
    """The kind of a container, the name of its class, its keys and its parts."""
    name = type(value).__name__
    if isinstance(value, tuple) and hasattr(type(value), "_fields"):
        return "record", name, tuple(getattr(type(value), "_fields")), list(value)
    if hasattr(type(value), "__dataclass_fields__"):
        keys = tuple(type(value).__dataclass_fields__)
        return "record", name, keys, [getattr(value, key) for key in keys]
    if isinstance(value, (tuple, list)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return kind, "", (), list(value)
    if isinstance(value, Mapping):
        return "dict", "", tuple(value), list(value.values())
    return None


def _has_arrays(value: object) -> bool:
    """Whether a part makes its container one of arrays; a list of numbers is an array."""
    if isinstance(value, np.ndarray):
        return True
    parts = parts_of(value)
    return parts is not None and any(map(_has_arrays, parts[3]))


def lengths(value: object) -> Iterator[int]:
    """The lengths of all axes of the arrays in a value, in the order of its parts."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind in SORTS:
            yield from value.shape
        return
    known = abstract(value)
    if isinstance(known, Record):
        parts = parts_of(value)
        assert parts is not None
        for part in parts[3]:
            yield from lengths(part)


def is_complex(value: Abstract) -> bool:
    """Whether an argument is complex, as a whole."""
    return isinstance(value, (Array, Number)) and value.sort == "complex"


def complex_parts(name: str, value: Abstract) -> Iterator[str]:
    """What is complex of an argument: itself, or parts as Python writes them.

    before:  {"H": np.ones(3) + 1j, "s": 0.3}        of params
    after:   params["H"]
    """
    if is_complex(value):
        yield name
    if isinstance(value, Record):
        for key, part in zip(value.keys or range(len(value.parts)), value.parts):
            step = f".{key}" if value.kind == "record" else f"[{key_text(key)}]"
            yield from complex_parts(name + step, part)
