"""What tells a record class, and how its fields are read."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import Any

READING = ("__getattribute__", "__getattr__", "__iter__", "__getitem__", "__len__")
MAKING = ("__new__", "__init__", "__setattr__")


def is_record_class(value: object) -> bool:
    """Whether a value is the class of a NamedTuple or of a dataclass."""
    if not isinstance(value, type):
        return False
    named = issubclass(value, tuple) and hasattr(value, "_fields")
    return named or dataclasses.is_dataclass(value)


def field_names(cls: Any) -> list[str]:
    """The fields of a NamedTuple's or a dataclass's class, in order."""
    if issubclass(cls, tuple):
        return list(getattr(cls, "_fields"))
    return [field.name for field in dataclasses.fields(cls)]


@functools.cache
def read_in_its_way(cls: type) -> str:
    """What a class has of its own that changes how it is read; "" where nothing."""
    named = issubclass(cls, tuple)
    for base in cls.__mro__:
        if base in (object, tuple) or base.__module__ == "typing":
            continue
        own = {name for name in READING if name in vars(base)}
        if own:
            return f"has its own {min(own)}"
        if named and any(name in vars(base) for name in field_names(cls)):
            if not hasattr(base, "_fields") or "__new__" not in vars(base):
                return "has its own fields"
    return ""


@functools.cache
def unlike_its_fields(cls: type) -> str:
    """Why a class is not just the fields that it is made with; "" where it is."""
    if hasattr(cls, "__post_init__"):
        return "has a __post_init__: its fields are not what it is given"
    for base in cls.__mro__:
        if base in (object, tuple) or base.__module__ == "typing":
            continue
        own = {name for name in MAKING if name in vars(base)} - _generated(base)
        if own:
            return f"has its own {min(own)}"
    if not is_record_class(cls):
        return "is no dataclass and no NamedTuple"
    if not issubclass(cls, tuple):
        if list(inspect.signature(cls).parameters) != field_names(cls):
            return "is not made with its fields, in their order"
    return read_in_its_way(cls)


@functools.cache
def is_replaced(cls: Any) -> bool:
    """Whether dataclasses.replace gives a record with other fields, and does no more.

    before:  a class whose __post_init__ divides the weights by their sum
    after:   False: it would divide a gradient by its sum as well
    """
    if hasattr(cls, "__post_init__"):
        return False
    bases = [base for base in cls.__mro__ if base is not object]
    if any({*MAKING} & {*vars(base)} - _generated(base) for base in bases):
        return False
    return all(field.init for field in dataclasses.fields(cls))


def _generated(base: type) -> set[str]:
    """The methods that @dataclass or NamedTuple has written into a class."""
    made = getattr(base.__new__, "__globals__", {})
    if str(made.get("__name__", "")).startswith("namedtuple_"):
        return {"__new__"}
    params = vars(base).get("__dataclass_params__")
    if params is None:
        return set()
    asked = {"__init__": params.init, "__setattr__": params.frozen}
    # the decorator leaves an __init__ that the class has, and compiles its own from text
    code = getattr(vars(base).get("__init__"), "__code__", None)
    asked["__init__"] &= getattr(code, "co_filename", "") == "<string>"
    return {name for name, is_made in asked.items() if is_made}
