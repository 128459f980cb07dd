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
DEPTH = 32
# the kinds of arrays that entries tell all of
KINDS = "fiubc"
# modules whose constants stay what they are
FIXED = ("numpy", "scipy", "math", "gradgen", "functools", "typing")


class Recent:
    """The values of the last keys that were asked for."""

    def __init__(self, size: int = 256) -> None:
        self.size = size
        self.values: OrderedDict[Hashable, object] = OrderedDict()

    def get(self, key: Hashable) -> Any:
        """The value of a key, None where there is none (any more)."""
        if key is None:
            return None
        try:
            self.values.move_to_end(key)
            return self.values[key]
        except KeyError:  # another thread may have forgotten it in between
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

    A function's is its code with all that the code reads: numbers, entries of arrays,
    other functions with what they read. Of the arrays around the function itself it
    has the dtype and the shape alone, since those are arguments of the text.
    """
    keys = _Keys()
    try:
        return tuple(keys.of(value, own=True) for value in values)
    except _Unknown:
        return None


class _Keys:
    """Keys of values; a function that has been met has a number from then on."""

    def __init__(self) -> None:
        self.met: dict[int, int] = {}
        self.depth = 0

    def of(self, value: object, own: bool = False) -> Hashable:
        self.depth += 1
        try:
            if self.depth > DEPTH:
                raise _Unknown
            return self._of(value, own)
        finally:
            self.depth -= 1

    def _of(self, value: object, own: bool) -> Hashable:
        if value is None or isinstance(value, (bool, int, float, complex, str)):
            return type(value).__name__, repr(value)
        if isinstance(value, np.generic) and value.dtype.kind in KINDS:
            return "number", value.dtype.str, value.tobytes()
        if type(value) in (tuple, list):
            return type(value).__name__, *map(self.of, value)  # type: ignore
        if type(value) is dict:
            items = ((self.of(k), self.of(v)) for k, v in value.items())
            return "dict", *items
        if isinstance(value, types.ModuleType):
            if value.__name__.partition(".")[0] not in FIXED:
                raise _Unknown  # its numbers may change
            return "module", value.__name__
        if isinstance(value, types.FunctionType):
            return self._function(value, own)
        if type(value) is np.ndarray and value.size <= LARGEST:
            if value.dtype.kind in KINDS:
                return "array", value.dtype.str, value.shape, value.tobytes()
        if isinstance(value, functools.partial):
            parts = value.func, value.args, value.keywords
            return "partial", *map(self.of, parts)
        if callable(value) and _stays_the_same(value):
            primal = getattr(value, "primal", None)  # of a gradient
            return "object", id(type(value)), value, self.of(primal)
        raise _Unknown

    def _function(self, function: types.FunctionType, own: bool) -> Hashable:
        if id(function) in self.met:
            return "met", self.met[id(function)]
        self.met[id(function)] = len(self.met)
        names = set(names_in(function.__code__)) & function.__globals__.keys()
        read = {name: function.__globals__[name] for name in sorted(names)}
        around: list[Hashable] = []
        for cell in function.__closure__ or ():
            try:
                held = cell.cell_contents
            except ValueError:
                raise _Unknown from None
            if own and type(held) is np.ndarray and held.dtype.kind in KINDS:
                around.append(("array", held.dtype.str, held.shape))
            else:
                around.append(self.of(held))
        return (
            function.__code__,
            id(function.__globals__),
            self.of(read),
            tuple(around),
            self.of(function.__defaults__),
            self.of(function.__kwdefaults__),
        )


def _stays_the_same(value: object) -> bool:
    """Whether an object's code reads nothing that may change: a ufunc, a builtin.

    A class of the user's, or an object of it, has methods that read a module.
    """
    made_by = value if isinstance(value, type) else type(value)
    known = made_by.__module__.partition(".")[0] in (*FIXED, "builtins")
    return known and not isinstance(value, types.MethodType)


# what asks for an attribute by a string
ASKING = frozenset(["hasattr", "getattr"])


def asked_in(code: types.CodeType) -> Iterator[str]:
    """The strings by which a function may ask for attributes: hasattr(self, "extra")."""
    if not ASKING.isdisjoint(code.co_names):
        for constant in code.co_consts:
            if isinstance(constant, str) and constant.isidentifier():
                yield constant


def names_in(code: types.CodeType) -> Iterator[str]:
    """The names that a function reads, and those that functions inside it do."""
    yield from code.co_names
    yield from asked_in(code)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)
