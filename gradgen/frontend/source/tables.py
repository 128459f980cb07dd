"""Instances around the function that are dictionaries as well: a registry of its own.

Their entries are a field of a name that no user can have; what dict does with them is
read here, in Python.
"""

from __future__ import annotations

from typing import Any

ENTRIES = "entries of the dict"


def getitem(self: Any, key: Any) -> Any:
    return self.__dict__[ENTRIES][key]


def contains(self: Any, key: Any) -> Any:
    return key in self.__dict__[ENTRIES]


def iterate(self: Any) -> Any:
    yield from self.__dict__[ENTRIES].keys()


def length(self: Any) -> Any:
    return len(self.__dict__[ENTRIES])


def get(self: Any, key: Any, default: Any = None) -> Any:
    return self.__dict__[ENTRIES].get(key, default)


def keys(self: Any) -> Any:
    return self.__dict__[ENTRIES].keys()


def values(self: Any) -> Any:
    return self.__dict__[ENTRIES].values()


def items(self: Any) -> Any:
    return self.__dict__[ENTRIES].items()


READ = {
    "__getitem__": getitem,
    "__contains__": contains,
    "__iter__": iterate,
    "__len__": length,
    "get": get,
    "keys": keys,
    "values": values,
    "items": items,
}
