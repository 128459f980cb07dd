"""What an instance holds, as far as a method reads it: arrays, settings, other objects.

Arrays and floats are arguments of the text. Strings, flags, None, whole numbers,
functions and classes are settings, of which the text is made. A value that the
attributes of two objects share is one value.
"""

from __future__ import annotations

import collections
import enum
import logging
import random
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import field, replace
from typing import Any

import numpy as np

from gradgen.frontend.source.reach import Reach, is_written_class, reach, written
from gradgen.frozen import dataclass
from gradgen.ir.plain import why_not_plain
from gradgen.rules.methods import has_operations

# A longer container is too long to be taken apart.
LONGEST = 100
DTYPES = "fiubc"
# what is told of a container that is filled, and never read
EMPTIED = ":emptied"
LEAVES = "array", "number", "unknown", "several"
DICTIONARIES = dict, collections.OrderedDict, collections.defaultdict
# classes of objects, and functions that are attributes
Met = tuple[tuple[type, ...], tuple[Any, ...]]


def is_opaque(value: object) -> bool:
    """Whether an object says something or draws numbers: nothing is computed with it."""
    return isinstance(value, logging.Logger) or draws(value)


def draws(value: object) -> bool:
    """Whether an object draws numbers. NumPy loads np.random where it is first asked for."""
    module = sys.modules.get("numpy.random")
    drawing = () if module is None else (module.RandomState, module.Generator)
    return isinstance(value, (random.Random, *drawing))


class Anything:
    """The class of objects of which nothing is known but the fields that are read."""


@dataclass(frozen=True)
class Held:
    """The value of an attribute, or of a part of one.

    `kind` is "array", "number" or "unknown" for a leaf, "setting" for what the text is
    made of (`value`), "same" for a value that came before (`number`), "refused" for
    what is not supported (`value` says why, and what to do), else the kind of the
    container: "object", "list", "tuple", "dict" or "namedtuple". `fact` is what is
    told of a leaf, `text` where a setting is read.
    """

    kind: str
    value: Any = None
    keys: tuple[Any, ...] = ()
    parts: tuple[Held, ...] = ()
    cls: Any = None
    number: int = -1
    fact: str | None = field(default=None, compare=False)
    rank: tuple[Any, ...] = ()

    def steps(self) -> Iterator[tuple[Any, Held]]:
        """The key, place or name of each part, and the part."""
        keys = self.keys if self.keys else range(len(self.parts))
        yield from zip(keys, self.parts, strict=True)

    def leaves(self, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Held]]:
        """The arrays and numbers, each with its way: a pair (is a name, key) a step."""
        if self.kind in LEAVES:
            yield path, self
        for key, part in self.steps():
            yield from part.leaves((*path, (self.kind == "object", key)))


class Holding:
    """What a method reads of its instances, found again at each call."""

    def __init__(
        self, function: Any, also: Iterable[str] = (), tied: bool = True
    ) -> None:
        self.function = function
        # whether an array in two places is one value
        self._tied = tied
        # attributes that are asked for, whether they are read or not
        self._also = frozenset(also)
        self._reach: dict[Any, Reach] = {}
        # the classes of objects, and the functions that attributes are
        self.latest: Met = (), ()

    def of(self, instance: Any, beside: Met = ((), ())) -> Held:
        """What the method reads of an instance as it is now.

        `beside` are the classes of the other objects, and the functions that these hold:
        an object is handed on to their methods, self.turn(element).
        """
        classes, methods = self.latest
        if type(instance) not in classes:
            classes, methods = (type(instance),), ()
        if beside != (classes, methods):
            classes = tuple(dict.fromkeys((*classes, *beside[0])))
            methods = tuple(dict.fromkeys((*methods, *beside[1])))
        while True:
            found = self._reach.get((classes, methods))
            if found is None:
                found = reach(self.function, classes, methods)
                found = replace(found, read=found.read | self._also)
                self._reach[classes, methods] = found
            walk = _Walk(found, self._tied, self._also)
            tree = walk.held(instance)
            more = tuple(cls for cls in walk.classes if cls not in classes)
            called = tuple(one for one in walk.methods if one not in methods)
            if not more and not called:
                self.latest = classes, methods
                return tree
            classes, methods = classes + more, methods + called

    @property
    def reach(self) -> Reach:
        """What the method reads of instances of the latest classes."""
        return self._reach[self.latest]


def held_together(
    holdings: Mapping[str, Holding], values: Mapping[str, Any]
) -> dict[str, Held]:
    """What a function reads of all objects that it is called with.

    An attribute may be read in the method of another one alone.
    """
    if any(type(one) not in holdings[name].latest[0] for name, one in values.items()):
        for holding in holdings.values():
            holding.latest = (), ()
    while True:
        beside = _met(holdings[name].latest for name in values)
        found = {name: holdings[name].of(one, beside) for name, one in values.items()}
        if len(values) < 2 or _met(holdings[name].latest for name in values) == beside:
            return found


def _met(latest: Iterable[Met]) -> Met:
    """The classes and the functions of several objects."""
    each = list(latest)
    classes = dict.fromkeys(cls for one in each for cls in one[0])
    functions = dict.fromkeys(function for one in each for function in one[1])
    return tuple(classes), tuple(functions)


class _Walk:
    """One walk through an instance."""

    def __init__(self, found: Reach, tied: bool, asked: Set[str]) -> None:
        self.reach, self.tied, self.asked = found, tied, asked
        self.classes: dict[type, None] = {}
        self.methods: dict[Any, None] = {}
        # values that are met again, with the places that they came first at
        self.seen: dict[int, tuple[int, object]] = {}

    def held(self, value: Any) -> Held:
        """The tree of a value."""
        if value is None or isinstance(value, (bool, int, str, bytes, enum.Enum)):
            if not isinstance(value, np.generic):
                return Held("setting", _Setting(value))
        if isinstance(value, (float, complex, np.generic)):
            return _number(value)
        if isinstance(value, np.ndarray) and not self.tied:
            return self._new(value)
        if id(value) in self.seen:
            return Held("same", number=self.seen[id(value)][0])
        own = len(self.seen)
        self.seen[id(value)] = own, value
        return replace(self._new(value), number=own)

    def _new(self, value: Any) -> Held:
        if isinstance(value, np.ndarray) and why_not_plain(value) is None:
            ones = tuple(n == 1 for n in value.shape)
            return Held("array", rank=(ones, value.dtype.kind))
        kind = type(value)
        if kind in (list, tuple, *DICTIONARIES) or hasattr(kind, "_fields"):
            return self._container(value)
        if isinstance(value, types.MethodType) and is_written_class(
            type(value.__self__)
        ):
            self.methods[value.__func__] = None
            inner = self.held(value.__self__)
            own = _Setting(value.__func__)
            return Held("method", own, ("__self__",), (inner,))
        if callable(value) and (not is_written_class(kind) or self._is_offered(value)):
            self.methods |= dict.fromkeys(written(value))
            return Held("setting", _Setting(value))
        if isinstance(value, (type, types.ModuleType, np.dtype)) or value is ...:
            return Held("setting", _Setting(value))
        if is_opaque(value):
            return Held("setting", _Setting(value))
        if isinstance(value, slice) and _is_written(value):
            return Held("setting", _Setting(value))
        known = why_not_plain(value)
        if known is not None:
            return Held("refused", known)
        if is_written_class(kind) or kind is types.SimpleNamespace:
            return self._object(value)
        return Held("refused", (f"a {kind.__name__}", "{} as an argument"))

    def _is_offered(self, value: Any) -> bool:
        """Whether an object that is held has rules for its methods: stats.norm."""
        return len(self.seen) > 1 and has_operations(value)

    def _container(self, value: Any) -> Held:
        kind = type(value)
        if len(value) > LONGEST:
            told = f"a {kind.__name__} of {len(value)} parts", "an array of them"
            return Held("refused", told)
        if kind in DICTIONARIES:
            parts = tuple(map(self.held, value.values()))
            return Held("dict", keys=tuple(value), parts=parts)
        parts = tuple(map(self.held, value))
        if kind in (list, tuple):
            return Held(kind.__name__, parts=parts)
        return Held("namedtuple", keys=tuple(kind._fields), parts=parts, cls=kind)

    def _object(self, value: Any) -> Held:
        kind = type(value)
        self.classes[kind] = None
        pairs = []
        every = [*attributes_of(value), *values_of_class(value)]
        # an array of two names has the one that a gradient is asked of
        every.sort(key=lambda pair: pair[0] not in self.asked)
        for name, one in every:
            if self.reach.only_changes(name):
                pairs.append((name, emptied(one)))
            elif self.reach.needs(name):
                pairs.append((name, self.held(one)))
        keys, parts = tuple(k for k, _ in pairs), tuple(v for _, v in pairs)
        return Held("object", keys=keys, parts=parts, cls=kind)


@dataclass(frozen=True, eq=False)
class _Setting:
    """A setting, equal to another of the same type and value, functions by identity."""

    value: Any

    def __eq__(self, other: object) -> bool:
        mine, others = self.value, getattr(other, "value", None)
        if type(mine) is not type(others):
            return False
        plain = isinstance(mine, (bool, int, str, bytes, slice))
        return bool(mine == others) if plain else mine is others

    def __hash__(self) -> int:
        value = self.value
        if isinstance(value, slice):
            return hash((slice, value.start, value.stop, value.step))
        plain = isinstance(value, (bool, int, str, bytes))
        return hash((type(value), value if plain else id(value)))


def _is_written(value: slice) -> bool:
    """Whether the bounds of a slice are whole numbers, or left out."""
    bounds = value.start, value.stop, value.step
    return all(one is None or type(one) is int for one in bounds)


def with_field(old: Held | None, path: tuple[Any, ...], name: str) -> Held | None:
    """An object that has the fields of before, and one more at a path; None for others.

    before:  cfg.rate, cfg.net               path ("net",), name "width"
    after:   cfg.rate, cfg.net.width
    """
    if old is None or old.kind == "unknown":
        old = Held("object", cls=Anything)
    if old.kind != "object":
        return None
    parts = dict(old.steps())
    first = path[0] if path else name
    made = with_field(parts.get(first), path[1:], name) if path else Held("unknown")
    if made is None or not path and name in parts:
        return None
    parts[first] = made
    return replace(old, keys=tuple(parts), parts=tuple(parts.values()))


def setting(value: Any) -> Held:
    """A setting of this value."""
    return Held("setting", _Setting(value))


def with_number(held: Held, keys: tuple[Any, ...]) -> Held:
    """The tree with the whole number at a place as a number that has a gradient."""
    if not keys:
        value = held.value.value if held.kind == "setting" else None
        return _number(value) if type(value) is int else held
    steps = list(held.steps())
    parts = [with_number(one, keys[1:]) if k == keys[0] else one for k, one in steps]
    return replace(held, parts=tuple(parts)) if parts else held


def attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    """The names and values of an instance's own attributes."""
    yield from getattr(value, "__dict__", {}).items()
    for base in type(value).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name, getattr(value, name)


def values_of_class(value: Any) -> Iterator[tuple[str, Any]]:
    """The names and values that an instance's classes hold, where it has none of its own.

    Another instance, or one of a subclass, may have others.
    """
    own = {name for name, _ in attributes_of(value)}
    for base in filter(is_written_class, type(value).__mro__):
        for name, one in vars(base).items():
            described = callable(one) or hasattr(type(one), "__get__")
            if name not in own and not name.startswith("__") and not described:
                own.add(name)
                yield name, one


def emptied(value: Any) -> Held:
    """A container that is filled, and never read, without what is in it."""
    if type(value) in DICTIONARIES:
        parts = tuple(map(emptied, value.values()))
        return Held("dict", keys=tuple(value), parts=parts, fact=EMPTIED)
    if type(value) is list:
        return Held("list", fact=EMPTIED)
    return setting(None)


def _number(value: Any) -> Held:
    kind = getattr(value, "dtype", np.dtype(type(value))).kind
    if kind not in DTYPES:
        told = f"a {type(value).__name__}", "a float"
        return Held("refused", told)
    return Held("number", rank=(isinstance(value, np.generic), kind))
