"""What was emitted lately, for functions that ask for the same derivative again."""

from __future__ import annotations

import functools
import types
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

# An array whose entries are part of a text has at most so many.
LARGEST = 1000
DEPTH = 16
# modules whose constants stay what they are
FIXED = ("numpy", "scipy", "math", "gradgen", "functools", "typing")


class Recent:
    """The values of the last keys that were asked for."""

    def __init__(self, size: int = 256) -> None:
        self.size = size
        self.values: OrderedDict[Hashable, object] = OrderedDict()

    def get(self, key: Hashable) -> Any:
        """The value of a key, None where there is none (any more)."""
        if key is not None and key in self.values:
            self.values.move_to_end(key)
            return self.values[key]
        return None

    def keep(self, key: Hashable, value: object) -> None:
        """Notes a value, and forgets the one that was not asked for longest."""
        if key is not None:
            self.values[key] = value
            while len(self.values) > self.size:
                self.values.popitem(last=False)


class _Unknown(Exception):
    """The value has no key."""


def key_of(*values: object) -> Hashable:
    """A key that is equal for values that mean the same, None where none is known.

    A function's is its code with all that the code reads: numbers, other functions,
    and of the arrays around it the dtype and the shape, since those are arguments
    of the text.
    """
    try:
        return tuple(_key(value, 0) for value in values)
    except _Unknown:
        return None


def _key(value: object, depth: int) -> Hashable:
    if depth > DEPTH:
        raise _Unknown
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return type(value).__name__, repr(value)
    if isinstance(value, (tuple, list)):
        return type(value).__name__, *(_key(item, depth + 1) for item in value)
    if isinstance(value, dict):
        items = ((k, _key(v, depth + 1)) for k, v in value.items())
        return "dict", *items
    if isinstance(value, types.ModuleType):
        if value.__name__.partition(".")[0] not in FIXED:
            raise _Unknown  # its numbers may change
        return "module", value.__name__
    if isinstance(value, types.FunctionType):
        return _function_key(value, depth + 1)
    if isinstance(value, np.ndarray) and value.size <= LARGEST:
        if value.dtype.kind != "O":
            return "array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, functools.partial):
        parts = value.func, value.args, value.keywords
        return "partial", *(_key(part, depth + 1) for part in parts)
    if callable(value) and _stays_the_same(value):
        primal = getattr(value, "primal", None)  # of a gradient
        return "object", id(type(value)), value, _key(primal, depth + 1)
    raise _Unknown


def _stays_the_same(value: object) -> bool:
    """Whether an object's code reads nothing that may change: a ufunc, a builtin.

    A class of the user's, or an object of it, has methods that read a module.
    """
    made_by = value if isinstance(value, type) else type(value)
    known = made_by.__module__.partition(".")[0] in (*FIXED, "builtins")
    return known and not isinstance(value, types.MethodType)


def _function_key(function: types.FunctionType, depth: int) -> Hashable:
    names = set(_names(function.__code__)) & function.__globals__.keys()
    read = {
        name: function.__globals__[name]
        for name in sorted(names)
        if function.__globals__[name] is not function
    }
    around: list[Hashable] = []
    for cell in function.__closure__ or ():
        try:
            held = cell.cell_contents
        except ValueError:
            raise _Unknown from None
        if isinstance(held, np.ndarray):
            around.append(("array", held.dtype.str, held.shape))
        elif held is not function:
            around.append(_key(held, depth))
    return (
        function.__code__,
        id(function.__globals__),
        _key(read, depth),
        tuple(around),
        _key(function.__defaults__, depth),
        _key(function.__kwdefaults__, depth),
    )


def _names(code: types.CodeType) -> Iterator[str]:
    """The names that a function reads, and those that functions inside it do."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
