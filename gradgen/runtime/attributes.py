"""Objects with attributes as values: which there are, and gradients in their form."""

from __future__ import annotations

import enum
import types
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.runtime.alike import PLAIN
from gradgen.frontend.source.holding import attributes_of
from gradgen.frontend.source.reach import is_users_class
from gradgen.ir.plain import why_not_plain
from gradgen.request.parts import Keys
from gradgen.signature.abstract import parts_of

NUMBERS = (float, complex, np.floating, np.complexfloating)
DATA = (np.ndarray, np.generic, str, bytes, int, float, complex, enum.Enum)


def holds_objects(
    value: Any, records: bool = False, around: tuple[int, ...] = ()
) -> bool:
    """Whether a value is an object with attributes, or a container that holds one.

    With `records` dataclasses and NamedTuples count as such; containers that hold
    functions beside other values always do, and what holds itself: `around` is what a
    part stands in.
    """
    if type(value) in PLAIN or isinstance(value, np.ndarray) or value is None:
        return False
    parts = parts_of(value)
    if parts is not None:
        if id(value) in around:
            return True
        if records and parts[0] == "record" or any(map(_is_function, parts[3])):
            return True
        inside = *around, id(value)
        return any(holds_objects(one, records, inside) for one in parts[3])
    return is_object(value)


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, type) and not is_object(value)


def is_object(value: Any) -> bool:
    """Whether a value is an instance of a class of the user's, or a namespace."""
    if type(value) is types.SimpleNamespace:
        return True
    if isinstance(value, (*DATA, type, Mapping, list, tuple)):
        return False
    return is_users_class(type(value)) and why_not_plain(value) is None


def gradient_like(value: Any, found: Mapping[Keys, Any]) -> Any:
    """Gradients in the form of a value: a namespace of its attributes for an object.

    before:  Net(w=array, k=2.0, mode="sum"), {("w",): d_w}
    after:   SimpleNamespace(w=d_w, k=0.0)

    What the function does not read has the gradient zero, and what is no number none,
    nor has the parent that a child knows. Raises GradgenError where the function reads
    it there.
    """
    around: list[int] = []

    def like(one: Any, keys: Keys) -> Any:
        if keys in found:
            return found[keys]
        if id(one) in around and any(path[: len(keys)] == keys for path in found):
            place = ".".join(map(str, keys))
            told = f"{place} is what it is a part of, and has two gradients"
            raise GradgenError("GG511", told, advice="what holds no part twice")
        if id(one) in around:
            return None
        around.append(id(one))
        try:
            return part(one, keys)
        finally:
            around.pop()

    def part(one: Any, keys: Keys) -> Any:
        if isinstance(one, np.ndarray):
            return np.zeros_like(one) if one.dtype.kind in "fc" else None
        if isinstance(one, NUMBERS):
            return type(one)(0)
        if isinstance(one, Mapping):
            inner = {k: like(v, (*keys, k)) for k, v in one.items()}
            return {k: v for k, v in inner.items() if v is not None} or None
        if isinstance(one, tuple) and hasattr(one, "_fields"):
            named = {k: like(getattr(one, k), (*keys, k)) for k in one._fields}
            return type(one)(**named)
        if isinstance(one, (list, tuple)):
            items = [like(v, (*keys, i)) for i, v in enumerate(one)]
            return type(one)(items) if any(v is not None for v in items) else None
        if is_dataclass(one) and not isinstance(one, type):
            made = object.__new__(type(one))
            for name, v in attributes_of(one):
                part = like(v, (*keys, name))
                object.__setattr__(made, name, v if part is None else part)
            return made
        if is_object(one):
            own = {k: like(v, (*keys, k)) for k, v in attributes_of(one)}
            own = {k: v for k, v in own.items() if v is not None}
            return types.SimpleNamespace(**own) if own else None
        return None

    return like(value, ())
