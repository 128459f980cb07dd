"""Instances around a function: their fields are looked at where they are read."""

from __future__ import annotations

import enum
import functools
import inspect
import re
import sys
import types
from collections.abc import Mapping
from typing import Any

import numpy

from gradgen.frontend.lowering.callables import Partial
from gradgen.frontend.lowering.memory import Outer, Record
from gradgen.frontend.source.holding import attributes_of
from gradgen.frontend.source.names import NO_VALUE, canonical, is_plain
from gradgen.frontend.source.reach import is_written_class
from gradgen.frontend.source.tables import ENTRIES
from gradgen.ir.nodes import Const, Expr
from gradgen.ir.plain import why_not_plain
from gradgen.rules.methods import has_operations

# what is called as a function, and knows the one behind it
WRAPPERS = ("__name__", "__wrapped__", "py_func")
CODE = (types.FunctionType, types.BuiltinFunctionType, functools.partial, type)


@functools.cache
def _is_plain_class(cls: Any) -> bool:
    if cls is types.SimpleNamespace:
        return True
    library = (cls.__module__ or "").partition(".")[0] in sys.stdlib_module_names
    own = not issubclass(cls, (enum.Enum, BaseException, tuple, type, numpy.ndarray))
    return (
        is_written_class(cls) and own and (not library or cls.__module__ == "__main__")
    )


def is_instance(value: object) -> bool:
    """Whether a value is an instance of a class that is written in Python.

    None is one that has rules for its methods, as stats.norm has.
    """
    return is_written(value) and not has_operations(value)


def is_written(value: object) -> bool:
    """Whether the class of a value is written in Python, and it is called by methods."""
    cls: Any = type(value)
    if not _is_plain_class(cls) or why_not_plain(value) is not None:
        return False
    if not callable(value):
        return True
    held = getattr(value, "__dict__", {})
    own = inspect.getattr_static
    return not any(n in held or own(value, n, None) is not None for n in WRAPPERS)


def holds_instances(value: object, depth: int = 3) -> bool:
    """Whether a value is an instance, or a container of some."""
    if type(value) in (list, tuple) and depth:
        return any(holds_instances(one, depth - 1) for one in value)  # type: ignore
    if type(value) is dict and depth:
        return any(holds_instances(one, depth - 1) for one in value.values())
    return is_instance(value)


def record_of(value: Any, text: str) -> Record:
    """An instance as a record: numbers and functions as such, the rest unread.

    before:  net = Net(3)                  after:  np.tanh(0.3 * x), where
             def f(x):                             Net.forward is that of self.rate
                 return net.forward(x)
    """
    pairs = [(n, _field(one, f"{text}.{n}")) for n, one in attributes_of(value)]
    if isinstance(value, dict):
        table = dict(dict.items(value))
        pairs.append((ENTRIES, _field(table, text)))
    keys = tuple((str(i), Const(name)) for i, (name, _) in enumerate(pairs))
    items = tuple(one for _, one in pairs)
    return Record("object", items, keys, cls=type(value), outer=id(value), behind=value)


def _field(value: Any, text: str) -> Expr:
    if is_plain(value) and not isinstance(value, tuple):
        return Const(value)
    if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
        return Const(value, canonical(value, value.__name__))
    if isinstance(value, CODE) or isinstance(value, numpy.ufunc):
        return Const(value)
    what = f"{text} is a {type(value).__name__} of an instance around the function"
    told = ("GG211", what, "a parameter of the function")
    return Outer(*told, number=id(value), value=value, text=text)


def bound_outside(value: object, text: str) -> Expr | None:
    """A method that an instance around the function holds, its own or another's.

    It is looked at where it is read: an instance may hold methods of itself.
    """
    if not isinstance(value, types.MethodType) or not is_instance(value.__self__):
        return None
    owner = record_of(value.__self__, text.rpartition(".")[0])
    return Const(Partial(value.__func__, (owner,), ()))


def found_at(path: str, around: Mapping[str, Any]) -> Any:
    """What a path of attributes and indices leads to; NO_VALUE where it leads nowhere.

    before:  net.layers[0].W        after:  the array
    """
    first, *steps = re.findall(r"\w+|\[[^\]]*\]", path)
    value = around.get(first, NO_VALUE)
    for step in steps:
        if step[0] == "[":
            keys = {f"[{key!r}]": one for key, one in _items(value)}
            value = keys.get(step, NO_VALUE)
        else:
            value = dict(attributes_of(value)).get(step, NO_VALUE)
    return value


def _items(value: Any) -> Any:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, (list, tuple)) else ()
