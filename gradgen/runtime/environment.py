"""What a function reads around it, as it was when a text was made of it."""

from __future__ import annotations

import collections
import dis
import functools
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradgen.runtime.cache import FIXED, asked_in, names_in
from gradgen.frontend.calls.default_texts import is_handed
from gradgen.frontend.source.holding import attributes_of
from gradgen.frontend.heap.outer_instances import is_instance
from gradgen.frontend.source.reach import functions_of

# instances within instances that are looked at
DEEPEST = 8
# what a class has under a name of Python's, and no operator calls
UNCALLED = {"__module__", "__doc__", "__dict__", "__weakref__", "__slots__"}
# what may hold something else at the next call
CHANGING = (np.ndarray, list, dict, set, collections.deque, bytearray)
# what reads no names, and holds nothing
NAMELESS = (int, float, complex, str, type(None), np.ufunc, types.BuiltinFunctionType)
# where Python's own library is
STANDARD = os.path.join(os.path.dirname(os.__file__), "")
# the value of a name that a table has not
MISSING = object()


class Environment:
    """The objects behind the names that a function reads, and the entries of arrays.

    A text that was made of them is stale once `holds()` is false. Arrays around the
    function itself are arguments of the text, so that their entries do not count. Of
    several functions, the methods behind one, each is looked at once, whoever calls it.
    """

    def __init__(self, *functions: Callable[..., Any]) -> None:
        # tables of names, with the objects that the names had
        self.names: list[tuple[Any, str, object]] = []
        self.cells: list[tuple[Any, object]] = []
        self.codes: list[tuple[Any, ...]] = []
        self.entries: list[tuple[Any, object]] = []
        self._seen: dict[tuple[int, tuple[str, ...]], int] = {}
        self._depth = 0
        # names that a function asks for, which there may be later
        codes = (getattr(one, "__code__", None) for one in functions)
        self._asked = {n for one in codes if one is not None for n in asked_in(one)}
        # the methods of other packages that are installed keep what they read
        self._own = {_package(one) for one in functions}
        for one in functions:
            self._function(one, own=True)

    def holds(self) -> bool:
        """Whether every name means the same object, and arrays hold the same."""
        for table, name, value in self.names:
            now = table.get(name, MISSING)
            if now is not value and not _is_alike(now, value):
                return False
        for cell, value in self.cells:
            if _held(cell) is not value:
                return False
        for function, code, defaults, keywords in self.codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                return False
            if function.__kwdefaults__ is not keywords:
                return False
        return all(_contents(value) == held for value, held in self.entries)

    @property
    def constants(self) -> list[tuple[dict[str, Any], str, object]] | None:
        """The names to look at, where no array, list or cell has to be looked at.

        Libraries keep their names.
        """
        if self.entries or self.cells:
            return None
        return [one for one in self.names if not _is_library(one[2])]

    @property
    def callees(self) -> list[tuple[Any, ...]]:
        """The functions that it calls, with their code and their defaults."""
        return self.codes[1:]

    def _function(self, function: Any, own: bool = False) -> None:
        if not isinstance(function, types.FunctionType):
            return
        if _is_standard(function.__code__.co_filename):
            return
        told = function.__code__, function.__defaults__, function.__kwdefaults__
        self.codes.append((function, *told))
        for name, value in (told[2] or {}).items():  # the dictionary may be changed
            self.names.append((told[2], name, value))
        names = sorted(set(names_in(function.__code__)))
        self._names(function.__globals__, sorted(_globals_in(function.__code__)), names)
        for cell in function.__closure__ or ():
            held = _held(cell)
            self.cells.append((cell, held))
            if not (own and isinstance(held, np.ndarray)):
                self._value(held, names)
        for value in (*(told[1] or ()), *(told[2] or {}).values()):
            if not (own and is_handed(value)):  # which a call hands over
                self._value(value, names)

    def _names(self, table: Any, own: list[str], names: list[str]) -> None:
        """Notes what names of a table mean; `names` may be attributes of modules there."""
        for name in own:
            value = table.get(name, MISSING)
            self.names.append((table, name, value))
            self._value(value, names)

    def _class(self, cls: type, names: list[str]) -> None:
        """Notes the attributes of a class that a code may read, its bases' as well."""
        tables = list(_attributes(cls))
        codes = (f.__code__ for f in _methods(cls))
        asked = self._asked | {name for code in codes for name in asked_in(code)}
        own = [n for n in names if n in asked or any(n in table for table in tables)]
        for table in tables:
            self._names(table, own, names)

    def _instance(self, value: Any, names: list[str]) -> None:
        """Notes the fields of an instance that a function or its methods may read."""
        names = _with_methods(type(value), names)
        held = getattr(value, "__dict__", {})
        self._names(held, names, names)
        slots = [n for n, _ in attributes_of(value) if n not in held and n in names]
        if slots:
            self._names(_Slots(value), slots, names)
        self.names.append((_Slots(value), "__class__", type(value)))
        if self._is_installed(type(value)):
            self._set_in(type(value), names)
            return
        own = (name for table in _attributes(type(value)) for name in table)
        operators = {n for n in own if n[:2] == n[-2:] == "__"}  # __call__, __getitem__
        self._class(type(value), sorted({*names, *(operators - UNCALLED)}))

    def _is_installed(self, cls: type) -> bool:
        """Whether a class is of an installed package that no function is of.

        What its methods read would be the whole package: of SymPy's cos, all of SymPy.
        So the attributes with these names are noted, and what they lead to is not.
        """
        top = _package(cls)
        path = getattr(sys.modules.get(top), "__file__", None) or ""
        return "-packages" in path and top not in self._own

    def _set_in(self, cls: type, names: list[str]) -> None:
        """Notes attributes of an installed class, and the entries that they hold."""
        tables = list(_attributes(cls))
        own = [name for name in names if any(name in table for table in tables)]
        for table in tables:
            for name in own:
                value = table.get(name, MISSING)  # which a subclass may be given yet
                self.names.append((table, name, value))
                if isinstance(value, CHANGING):
                    self.entries.append((value, _contents(value)))

    def _value(self, value: Any, names: list[str]) -> None:
        if value is MISSING or isinstance(value, NAMELESS):
            return
        if value is sys.modules:  # an import more does not change what has been found
            return
        # another function may read other names of the same object
        told = () if _is_one(value) else tuple(names)
        # what lay deeper before was not looked at as far down
        if self._seen.get((id(value), told), DEEPEST + 1) <= self._depth:
            return
        if self._depth == DEEPEST and is_instance(value):
            return
        self._seen[id(value), told] = self._depth
        if isinstance(value, CHANGING):
            self.entries.append((value, _contents(value)))
        for part in _parts(value):
            self._value(part, names)
        if is_instance(value):
            self._depth += 1
            self._instance(value, names)
            self._depth -= 1
        elif isinstance(value, type):
            if self._is_installed(value):
                self._set_in(value, names)
                return
            names = _with_methods(value, names)
            own = (name for table in _attributes(value) for name in table)
            operators = {n for n in own if n[:2] == n[-2:] == "__"}
            self._class(value, sorted({*names, *(operators - UNCALLED)}))
        elif isinstance(value, types.ModuleType):
            if not _is_library(value):
                self._names(vars(value), [n for n in names if n in vars(value)], names)
        else:
            self._function(value)


class _Slots:
    """The fields of an instance that has no table of them, looked up as in one."""

    def __init__(self, instance: object) -> None:
        self._instance = instance

    def get(self, name: str, default: object = None) -> object:
        """What a field holds."""
        return getattr(self._instance, name, default)


def _package(value: object) -> str:
    """The package that a function or a class is of."""
    return str(getattr(value, "__module__", None) or "").partition(".")[0]


def _with_methods(cls: type, names: list[str]) -> list[str]:
    """These names, and those that the methods of a class read."""
    codes = [f.__code__ for f in _methods(cls)]
    return sorted({*names, *(n for code in codes for n in names_in(code))})


def _methods(cls: type) -> Iterator[Any]:
    """The functions of a class and of those that it inherits from."""
    for table in _attributes(cls):
        for own in table.values():
            yield from functions_of(own)


def _is_alike(now: object, value: object) -> bool:
    """Whether two objects are strings of the same letters: a mode that is set again."""
    return type(now) is type(value) is str and now == value


def _is_one(value: object) -> bool:
    """Whether a value is the same to all who read it: it has no names."""
    return isinstance(value, (np.ndarray, types.FunctionType))


def _attributes(cls: type) -> Iterator[Any]:
    """The tables of a class of the user's and of those that it inherits from."""
    for one in cls.__mro__:
        if str(one.__module__).partition(".")[0] not in (*FIXED, "builtins"):
            yield vars(one)


def _is_library(value: object) -> bool:
    """Whether a value is a module that keeps its names: NumPy's, or Python's own."""
    if not isinstance(value, types.ModuleType):
        return False
    path = getattr(value, "__file__", None) or ""
    return value.__name__.partition(".")[0] in FIXED or _is_standard(path)


def _is_standard(path: str) -> bool:
    """Whether a file is of Python's own library, which holds the interpreter's state."""
    if path.startswith("<frozen "):
        return True
    return path.startswith(STANDARD) and "-packages" not in path


@functools.lru_cache(maxsize=4096)
def _globals_in(code: types.CodeType) -> set[str]:
    """The names that a code, or one in it, looks up in its module."""
    steps = dis.get_instructions(code)
    found = {one.argval for one in steps if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    # pytest puts names into the asserts of a test that no one can write
    found = {name for name in found if name.isidentifier()}
    return found.union(*map(_globals_in, inner))


def _held(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return MISSING


def _contents(value: Any) -> object:
    """What a container holds: entries of an array, objects of a list or dict."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype, value.tobytes()
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, dict):
        return tuple((key, id(one)) for key, one in value.items())
    return tuple(map(id, value))


def _parts(value: Any) -> Iterator[object]:
    """The objects in a container, or in a partial function."""
    if isinstance(value, (tuple, list, set, frozenset, collections.deque)):
        yield from value
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, functools.partial):
        yield from (value.func, *value.args, *value.keywords.values())
