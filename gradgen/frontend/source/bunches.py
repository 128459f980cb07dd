"""SciPy's results with names: tuples that hold more beside, read as named tuples.

A class that `_make_tuple_bunch` of SciPy has made, or one of its subclasses, is for its
callers a tuple whose items have names. What it holds beside these is not followed.
"""

from __future__ import annotations

import collections
from functools import lru_cache
from typing import Any


def is_bunch(cls: Any) -> bool:
    """Whether a class is such a tuple."""
    if not isinstance(cls, type) or not issubclass(cls, tuple):
        return False
    own = (base for base in cls.__mro__ if "_extra_fields" in vars(base))
    new = next((getattr(base, "__new__", None) for base in own), None)
    named = getattr(new, "__globals__", {}).get("__name__", "")
    return isinstance(named, str) and named.startswith("namedtuple_")


@lru_cache(maxsize=256)
def named_tuple(cls: Any) -> type:
    """The named tuple of the items alone."""
    made = collections.namedtuple(cls.__name__, cls._fields)  # type: ignore[misc]
    made.__module__ = cls.__module__
    return made


def items_of(
    cls: Any, args: list[Any], kwargs: Any
) -> tuple[list[Any], list[tuple[str, Any]]]:
    """The arguments of a call that are items of the tuple."""
    given = [(name, value) for name, value in kwargs if name in cls._fields]
    return args[: len(cls._fields)], given
