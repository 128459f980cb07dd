"""Values around a function: numbers of NumPy's, dtypes, containers of constants.

They are what they were when the text was made. Containers are taken apart as those of
arguments are: they may be read, not changed.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import inspect
import numbers
import sys
import types
from typing import Any, NoReturn

import gast
import numpy

from gradgen.frontend.heap.constants import module_array
from gradgen.frontend.heap.outer_instances import is_instance, record_of
from gradgen.frontend.lowering.frames import REFUSED, Refusal
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Record
from gradgen.frontend.lowering.statics import ordered, range_of, set_of
from gradgen.frontend.source.lookup import MISSING
from gradgen.frontend.source.names import NO_VALUE, canonical, is_mark, is_plain
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.strong import strong_constant

DICTIONARIES = (
    *(dict, collections.OrderedDict, collections.defaultdict, collections.Counter),
    types.MappingProxyType,
)
# what shows the keys, the values or the pairs of a dictionary
VIEWS: Any = (type({}.keys()), type({}.values()), type({}.items()))
CONTAINERS = (list, tuple, dict, set, frozenset)
# A longer container is not taken apart: its loops would be written out.
LONGEST = 100
# what an attribute of a class may be, to be no code
KEPT = (
    *(numbers.Number, str, tuple, list, dict, slice, range, type, type(None)),
    *(type(...), numpy.generic, numpy.ndarray, numpy.dtype),
)


def held(
    lowering: Lowering, value: Any, node: gast.AST, text: str, depth: int = 0
) -> Expr | None:
    """A value around the function as a handle; None for one of another kind.

    before:  RATES = {"slow": 0.1, "fast": np.float32(0.5)}
             def f(x): return RATES["fast"] * x
    after:   def f(x): return np.float32(0.5) * x
    """
    if is_plain(value) and not isinstance(value, tuple):
        return Const(value)
    if isinstance(value, numpy.str_):
        return Const(str(value))
    if isinstance(value, numpy.generic):
        return strong_constant(value)
    if isinstance(value, numpy.dtype):
        return dtype_handle(value)
    if value is Ellipsis or isinstance(value, enum.Enum):
        return Const(value)
    if isinstance(value, type) and value.__module__ in ("numpy", "builtins"):
        return Const(value, canonical(value, value.__name__))
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        if all(part is None or type(part) is int for part in parts):
            return Apply("slice", tuple(map(Const, parts)))
        return None
    is_code = callable(value) or isinstance(value, types.ModuleType)
    if depth and is_code and hasattr(value, "__name__"):
        return Const(value)
    if isinstance(value, numpy.ndarray):
        return module_array(lowering, value, text, node)
    found = _container(lowering, value, node, text, depth)
    if found is None and is_instance(value):
        return record_of(value, text)
    return found


def given_value(lowering: Lowering, value: Any, node: gast.AST, name: str) -> Expr:
    """A default, or what a partial function holds; REFUSED for another value."""
    if is_plain(value) or is_mark(value):
        return Const(value)
    problems = len(lowering.problems)
    try:
        found = held(lowering, value, node, name)
    except Refusal:
        del lowering.problems[problems:]
        return REFUSED
    if found is None:
        is_code = callable(value) or isinstance(value, types.ModuleType)
        return Const(value) if is_code else REFUSED
    return found


def _container(
    lowering: Lowering, value: Any, node: gast.AST, text: str, depth: int
) -> Expr | None:
    if isinstance(value, (set, frozenset)):
        items = [held(lowering, one, node, text, 1) for one in ordered(set(value))]
        known = [one for one in items if one is not None]
        return set_of(known) if len(known) == len(items) else None
    if isinstance(value, range) and len(value) <= LONGEST:
        return range_of(value)
    if isinstance(value, VIEWS) or value is sys.version_info:
        value = tuple(value)
    kind, keys, items = _taken_apart(value)
    if kind is None:
        return None
    if len(items) > LONGEST or depth > 8:
        _refuse_long(lowering, text, node, len(items))
    parts = []
    for i, item in enumerate(items):
        place = f"[{keys[i] if keys else i!r}]" if kind != "record" else ""
        label = f"{text}.{keys[i]}" if kind == "record" else f"{text}{place}"
        part = held(lowering, item, node, label, depth + 1)
        if part is None:
            sort = type(item).__name__
            lowering.fail(
                "GG211",
                f"{label} is a {sort}, not a plain number",
                node,
                "a parameter of the function",
            )
        parts.append(part)
    names = tuple((str(i), Const(key)) for i, key in enumerate(keys))
    if kind == "record":
        op = "namedtuple" if isinstance(value, tuple) else "dataclass"
        return Record(op, tuple(parts), names, cls=type(value))
    return Apply(kind, tuple(parts), names)


def _refuse_long(
    lowering: Lowering, text: str, node: gast.AST, length: int
) -> NoReturn:
    lowering.fail(
        "GG211",
        f"{text} has {length} items, and up to {LONGEST} are taken apart",
        node,
        "an array, or a parameter of the function",
    )


def _taken_apart(value: Any) -> tuple[str | None, tuple[Any, ...], list[Any]]:
    """The kind of a container, its keys and its items; None for another value."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return "record", tuple(value._fields), list(value)
    if type(value) in (tuple, list):
        return type(value).__name__, (), list(value)
    if type(value) in DICTIONARIES:
        return "dict", tuple(value), list(value.values())
    if type(value) is collections.deque:
        return "list", (), list(value)
    is_object = not isinstance(value, type)
    if is_object and dataclasses.is_dataclass(value):
        names = tuple(field.name for field in dataclasses.fields(value))
        return "record", names, [getattr(value, name) for name in names]
    return None, (), []


def is_long_table(value: Any) -> bool:
    """Whether a value is a dictionary that is too long to be taken apart."""
    return type(value) in DICTIONARIES and len(value) > LONGEST


def attribute_of(base: Any, name: str) -> Any:
    """What an attribute of a class, or of a plain namespace, holds: NO_VALUE for code."""
    if isinstance(base, enum.EnumMeta):
        return base.__members__.get(name, NO_VALUE)
    if isinstance(base, enum.Enum):
        return attribute_of_member(base, name)
    if base is NO_VALUE or getattr(base, "__module__", "") in ("numpy", "builtins"):
        return NO_VALUE
    if hasattr(base, "n_sequence_fields"):  # sys.float_info
        return getattr(base, name, NO_VALUE)
    if isinstance(base, type) or name not in _fields(base):
        if not isinstance(base, (type, types.SimpleNamespace)):
            return NO_VALUE
    elif isinstance(base, tuple):
        return getattr(base, name)
    found = inspect.getattr_static(base, name, NO_VALUE)
    return found if isinstance(found, KEPT) else NO_VALUE


def attribute_of_member(member: enum.Enum, name: str) -> Any:
    """What a member of an enum is or holds: Kind.FAST.value, its name; not its methods."""
    found = inspect.getattr_static(type(member), name, NO_VALUE)
    if found is inspect.getattr_static(enum.Enum, name, MISSING):
        return getattr(member, name) if name in ("value", "name") else NO_VALUE
    return vars(member).get(name, NO_VALUE)


def _fields(value: Any) -> tuple[str, ...]:
    """The fields of a NamedTuple or of a dataclass."""
    if isinstance(value, tuple):
        return tuple(getattr(value, "_fields", ()))
    return tuple(getattr(value, "__dataclass_fields__", ()))


def dtype_handle(value: numpy.dtype[Any]) -> Expr | None:
    """A dtype as the type that it is of."""
    if value.isnative and value.names is None and value.subdtype is None:
        return Const(value.type, canonical(value.type, value.type.__name__))
    return None
