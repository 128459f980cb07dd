"""Dataclasses whose methods are written when they are first used.

`dataclasses.dataclass` compiles six methods for each class while its module is read,
which was a third of the time until the first gradient of a process. Most of them are
never called there: here each is compiled at its first call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field as field
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, eq=True, kw_only=False):
        """What `dataclasses.dataclass` makes of a class, with the same arguments.

        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: float
        ...     y: float = 0.0
        >>> Point(1.0)
        Point(x=1.0, y=0.0)
        """

        def made(cls: type) -> type:
            own = vars(cls)
            hashes = own.get("__hash__", MISSING)
            has_hash = hashes is not None and hashes is not MISSING
            plain = {"init": False, "repr": False, "eq": False}
            cls = dataclasses.dataclass(**plain, kw_only=kw_only)(cls)
            _later(cls, "__init__", lambda: _init(cls, frozen))
            if "__repr__" not in own:
                cls.__repr__ = _repr
            if eq and "__eq__" not in own:
                _later(cls, "__eq__", lambda: _eq(cls))
            if eq and not has_hash:
                cls.__hash__ = None
                if frozen:
                    _later(cls, "__hash__", lambda: _hash(cls))
            if frozen:
                cls.__setattr__ = _refusing(cls, "__setattr__", "assign to")
                cls.__delattr__ = _refusing(cls, "__delattr__", "delete")
            return cls

        return made if cls is None else made(cls)


def _later(cls: type, name: str, write: Callable[[], Callable[..., Any]]) -> None:
    """Gives a class a method that is written at its first call."""

    def first(self: Any, *args: Any, **named: Any) -> Any:
        method = write()
        setattr(cls, name, method)
        return method(self, *args, **named)

    first.__name__, first.__qualname__ = name, f"{cls.__qualname__}.{name}"
    setattr(cls, name, first)


def _init(cls: type, frozen: bool) -> Callable[..., Any]:
    """The constructor.

    before:  x: float, y: float = 0.0 of a frozen class
    after:   def __init__(self, x, y=default_y):
                 set(self, "x", x)
                 set(self, "y", y)
    """
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    plain: list[str] = []
    worded: list[str] = []
    lines: list[str] = []
    for one in dataclasses.fields(cls):
        name, value = one.name, one.name
        if one.default_factory is not MISSING:
            names[f"_make_{name}"] = one.default_factory
            value = f"_make_{name}()"
            if one.init:
                value = f"{value} if {name} is _missing else {name}"
        elif not one.init:
            continue
        if one.init:
            (worded if one.kw_only else plain).append(_parameter(one, names))
        lines.append(_stored(name, value, frozen))
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    head = ", ".join(["self", *plain, *(["*", *worded] if worded else [])])
    return _compiled("__init__", head, lines or ["pass"], names, cls)


def _parameter(one: Field[Any], names: dict[str, Any]) -> str:
    """A parameter of the constructor with its default."""
    if one.default_factory is not MISSING:
        return f"{one.name}=_missing"
    if one.default is MISSING:
        return one.name
    names[f"_default_{one.name}"] = one.default
    return f"{one.name}=_default_{one.name}"


def _stored(name: str, value: str, frozen: bool) -> str:
    return f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}"


def _eq(cls: type) -> Callable[..., Any]:
    """Whether two have equal fields, but those that do not count."""
    compared = [one.name for one in dataclasses.fields(cls) if one.compare]
    own, other = (_tuple(of, compared) for of in ("self", "other"))
    lines = [
        "if other.__class__ is not self.__class__:",
        "    return NotImplemented",
        f"return {own} == {other}",
    ]
    return _compiled("__eq__", "self, other", lines, {}, cls)


def _hash(cls: type) -> Callable[..., Any]:
    """The hash of the fields that are compared."""
    every = dataclasses.fields(cls)
    counted = [f.name for f in every if (f.compare if f.hash is None else f.hash)]
    lines = [f"return hash({_tuple('self', counted)})"]
    return _compiled("__hash__", "self", lines, {}, cls)


def _tuple(of: str, names: list[str]) -> str:
    return "(" + "".join(f"{of}.{name}, " for name in names) + ")"


@recursive_repr()
def _repr(self: Any) -> str:
    """Every field with its value."""
    fields = [one.name for one in dataclasses.fields(self) if one.repr]
    told = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields)
    return f"{type(self).__qualname__}({told})"


def _refusing(cls: type, name: str, word: str) -> Callable[..., None]:
    """__setattr__ or __delattr__ of a frozen class."""
    fields = frozenset(one.name for one in dataclasses.fields(cls))

    def refuse(self: Any, field: str, *value: Any) -> None:
        if type(self) is cls or field in fields:
            raise FrozenInstanceError(f"cannot {word} field {field!r}")
        getattr(super(cls, self), name)(field, *value)

    return refuse


def _compiled(
    name: str, head: str, lines: list[str], names: dict[str, Any], cls: type
) -> Callable[..., Any]:
    body = "\n".join(f"    {line}" for line in lines)
    exec(f"def {name}({head}):\n{body}", names)
    method: Callable[..., Any] = names[name]
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method
