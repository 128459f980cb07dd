"""How Python finds a name on an instance: the class, its bases, descriptors."""

from __future__ import annotations

import abc
import collections
import dis
import enum
import functools
import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy

from gradgen.frontend.source.names import CALLED
from gradgen.frontend.source.tables import READ
from gradgen.lines import lines_of

MISSING: Any = object()
# with one of these of its own a class decides itself what an attribute is
OWN_WAYS = ("__getattribute__",)
MAKING = (*OWN_WAYS, "__new__")
METACLASSES = (type, abc.ABCMeta, enum.EnumMeta)
# what a field of __slots__ and one of a named tuple is on its class
FIELDS = (types.MemberDescriptorType, type(vars(collections.namedtuple("P", "x"))["x"]))


def among(value: object, known: Iterable[object]) -> bool:
    """Whether a value is one of those that are known: arrays and others compare otherwise."""
    return any(value is one for one in known)


def part_of(base: object, name: str, missing: Any = MISSING) -> Any:
    """What a module or an object has under a name; some modules raise when asked.

    A module that is imported when it is first used raises what its import does.
    """
    try:
        return getattr(base, name, missing)
    except Exception:
        return missing


def why_missing(base: object, name: str) -> str:
    """What a module says when it is asked for a name, where that is no AttributeError."""
    try:
        getattr(base, name, None)
    except Exception as error:
        said = (lines_of(str(error)) or [""])[0]
        return f"{type(error).__name__}: {said}" if said else type(error).__name__
    return ""


def looked_up(cls: type, name: str) -> Any:
    """What a class or its bases have under a name, without calling it; or MISSING."""
    for base in cls.__mro__:
        if name in vars(base):
            return _had(base, name)
    return MISSING


def _had(base: type, name: str) -> Any:
    return READ.get(name, vars(base)[name]) if base is dict else vars(base)[name]


def behind_super(cls: type, above: type, name: str) -> Any:
    """What super().name is on an instance of `cls`, in a method of `above`."""
    order = cls.__mro__
    start = order.index(above) + 1 if above in order else len(order)
    for base in order[start:]:
        if name in vars(base):
            return _had(base, name)
    return MISSING


def is_compared_as_object(cls: type) -> bool:
    """Whether a == b of its instances is a is b: the class does not say what is equal."""
    return getattr(cls, "__eq__", None) is object.__eq__


def getter(value: object) -> Callable[..., Any] | None:
    """The function that a property calls."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, functools.cached_property):
        return value.func
    return None


def decides(value: object) -> bool:
    """Whether what a class has under a name decides itself what a store there does."""
    plain = isinstance(value, (property, *FIELDS))
    return hasattr(type(value), "__set__") and not plain


def is_frozen(cls: type) -> bool:
    """Whether a class stores attributes in a way of its own, or not at all."""
    if cls is types.SimpleNamespace:
        return False
    return looked_up(cls, "__setattr__") is not object.__setattr__


@functools.cache
def refused_class(cls: type, making: bool = False, around: bool = False) -> str:
    """Why the attributes of a class are not what its text says; "" where they are.

    Of an instance that there is by now it does not count how it was made; one around
    the function may be a dictionary as well.
    """
    for base in cls.__mro__:
        if around and base is dict:
            continue
        if base in (object, tuple, types.SimpleNamespace) or base.__module__ in (
            "typing",
            "abc",
        ):
            continue
        if not base.__flags__ & (1 << 9):
            return f"is a {base.__name__} as well"
        counted = MAKING if making else OWN_WAYS
        own = [name for name in counted if name in vars(base)]
        if own and not issubclass(cls, (tuple, enum.Enum)):
            return f"has its own {own[0]}"
    kind = type(cls)
    ways = ("__getattribute__", "__getattr__", "__call__")  # of the class itself
    if kind not in METACLASSES and any(
        inspect.getattr_static(kind, way, None)
        is not inspect.getattr_static(type, way, None)
        for way in ways
    ):
        return f"has a metaclass, {kind.__name__}, that changes how it is read"
    return ""


@functools.cache
def made_instead(cls: type) -> Callable[..., Any] | None:
    """The __new__ of a class that makes no instance of it, but something else.

    before:  class prange: def __new__(cls, *args): return range(*args)
    after:   this function, which reads nothing of cls
    """
    new = getattr(looked_up(cls, "__new__"), "__func__", None)
    if not isinstance(new, types.FunctionType) or not new.__code__.co_argcount:
        return None
    code = new.__code__
    named = {*code.co_names, *code.co_freevars, *code.co_cellvars}
    read = {one.argval for one in dis.get_instructions(code) if "LOAD" in one.opname}
    makes = {"super", "__class__", "__new__"} & named or code.co_varnames[0] in read
    return None if makes else new


def behind_typing(value: Any) -> Any:
    """The class that a name of typing stands for in isinstance: typing.Sequence."""
    origin = getattr(value, "__origin__", None)
    bare = type(value).__module__ == "typing" and not hasattr(value, "__args__")
    return origin if bare and isinstance(origin, type) else value


def refused_missing(cls: type, name: str) -> str:
    """Why it is not known what a class does for a name that an instance lacks.

    Python asks __getattr__ for no other names.
    """
    if looked_up(cls, "__getattr__") is MISSING:
        return ""
    return f"has its own __getattr__, and nothing is known by the name {name}"


def given_by_itself(value: object, name: str) -> Any:
    """What an object around the function gives by its own __getattr__; or MISSING.

    before:  xp.sin of a stand-in xp for a module      after:  np.sin

    A number may be another at the next call, but for those of NumPy's own: xp.pi, and
    None is xp.newaxis alone.
    """
    cls: Any = type(value)
    if isinstance(value, (type, types.ModuleType)) or refused_class(cls):
        return MISSING
    if looked_up(cls, "__getattr__") is MISSING:
        return MISSING
    if inspect.getattr_static(value, name, MISSING) is not MISSING:
        return MISSING
    try:
        found = getattr(value, name)
    except Exception:
        return MISSING
    plain = isinstance(found, (type, types.ModuleType))
    own = isinstance(found, (float, type(None)))
    plain = plain or own and found is getattr(numpy, name, MISSING)
    bound = isinstance(found, types.MethodType) or not hasattr(found, "__name__")
    return found if plain or callable(found) and not bound else MISSING


def is_simple_value(value: object) -> bool:
    """Whether a value is one that only questions are asked of: a class, a member."""
    return isinstance(value, (type, enum.Enum, types.ModuleType))


def is_method(value: object) -> bool:
    """Whether what a class has under a name is a method with a text of its own."""
    function = getattr(value, "__func__", value)
    if not isinstance(function, types.FunctionType):
        return False
    file = function.__code__.co_filename
    own = file[:1] != "<" or function.__globals__.get("__name__") == CALLED
    return own and file != collections.namedtuple.__code__.co_filename


def said(value: object) -> str:
    """A setting in words: True, 'tanh', the function tanh."""
    if value is None or isinstance(value, (bool, str, int, slice)):
        return repr(value)
    if value is ...:
        return "..."
    value = getattr(value, "function", value)  # of a method that an instance holds
    name = getattr(value, "__name__", "") or type(value).__name__
    return str(name)
