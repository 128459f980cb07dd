"""Defaults of parameters as text: plain values, arrays, containers and records."""

from __future__ import annotations

import ast
import dataclasses
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy

from gradgen.frontend.heap.outer_values import dtype_handle
from gradgen.frontend.lowering.statics import is_known
from gradgen.frontend.source.names import PLAIN, canonical, is_plain, looked_up
from gradgen.frontend.source.source import Source
from gradgen.frontend.source.spelling import written
from gradgen.ir.plain import why_not_plain
from gradgen.ir.structure import Structure
from gradgen.shapes.statics import shown

# the arrays that are written entry by entry: their size, their dtypes
FEW = 64
WRITTEN = {"float64": "", "int64": "", "bool": "", "complex128": ""}
WRITTEN |= {"float32": ", dtype=np.float32"}
# what a value tells of another one that may be given in its place
FACTS: dict[type, str] = {float: "", bool: ":bool", str: ":str"}
# A longer container is data, which no text holds.
LONGEST = 16
# what the class of a record is called in the text; None where no text can import it
Naming = Callable[[type], str | None]


def is_handed(value: object) -> bool:
    """Whether a call that leaves an argument out hands this default over itself.

    Arrays, records, objects and containers of them: what the text is not made of.
    """
    if is_plain(value) or is_open_row(value):
        return False
    return not is_known(value) and shown(value) is None


def is_open_row(value: object) -> bool:
    """Whether a default is a tuple of plain values, a list of numbers or one of rows.

    Another one may be given in its place: w=[0.5, 0.25], axes=(0, 1).
    """
    if type(value) is list:
        numbers = all(type(one) in (int, float) for one in value)
        rows = all(type(one) is list and is_open_row(one) for one in value)
        return bool(value) and (numbers or rows) and shown(value) is not None
    return type(value) is tuple and shown(value) is not None


def default_text(
    value: Any, node: gast.AST | None, source: Source, named: Naming
) -> str | None:
    """The expression for a default; None where no short one makes it again.

    before:  def f(x, xp=numpy.linspace(0, 1, 9), cfg=Cfg()):
    after:   xp=np.linspace(0, 1, 9), cfg=Cfg(w=np.array([0.5, 2.0]), k=2.0)
    """
    plain = _plain(value)
    if plain is not None:
        return plain
    if isinstance(value, numpy.ndarray):
        return _spelled(value, node, source) or _entries(value)
    structure = structure_of_default(value)
    if structure is None or len(structure.parts) > LONGEST:
        return None
    items = list(value.values() if structure.sort == "dict" else [])
    if structure.is_record:
        items = [getattr(value, key) for key in structure.keys]
    elif structure.sort != "dict":
        items = list(value)
    parts = [default_text(item, None, source, named) for item in items]
    if None in parts:
        return None
    if structure.sort == "dict":
        pairs = zip(map(_plain, structure.keys), parts)
        return "{" + ", ".join(f"{key}: {part}" for key, part in pairs) + "}"
    if structure.is_record:
        name = named(type(value))
        pairs = zip(structure.keys, parts)
        told = ", ".join(f"{key}={part}" for key, part in pairs)
        return None if name is None else f"{name}({told})"
    inside = ", ".join(map(str, parts))
    if structure.sort == "list":
        return f"[{inside}]"
    return f"({inside},)" if len(parts) == 1 else f"({inside})"


def structure_of_default(value: Any) -> Structure | None:
    """The nesting of a default that is a container; None for another value."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _record("namedtuple", value, tuple(value._fields))
    if not isinstance(value, type) and dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        if all(one.init for one in fields):
            return _record("dataclass", value, tuple(one.name for one in fields))
    if type(value) in (tuple, list):
        return Structure(type(value).__name__, tuple(map(_part, value)))
    if type(value) is dict and all(type(key) in PLAIN for key in value):
        return Structure("dict", tuple(map(_part, value.values())), tuple(value))
    return None


def _record(sort: str, value: Any, keys: tuple[str, ...]) -> Structure:
    parts = tuple(_part(getattr(value, key)) for key in keys)
    return Structure(sort, parts, keys, type(value).__name__, cls=type(value))


def _part(value: Any) -> Structure:
    """What a default tells of one of its parts: that a float is a number."""
    return structure_of_default(value) or Structure(fact=FACTS.get(type(value)))


def _plain(value: object) -> str | None:
    """A value as text: a plain one, a number or dtype of NumPy's, a container of them."""
    if type(value) is tuple:
        known = all(type(part) in PLAIN for part in value)
        return written(value) if known else shown(value)
    return written(value) if type(value) in PLAIN else shown(value)


def _spelled(value: numpy.ndarray, node: gast.AST | None, source: Source) -> str | None:
    """The default as it is written, where NumPy's functions make the array again."""
    if node is None:
        return None
    try:
        tree = ast.parse(source.one_line(node), mode="eval")
        names = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
        attributes = [one for one in ast.walk(tree) if isinstance(one, ast.Attribute)]
        around = {**source.globals, **source.closure}
        if any(around.get(one.id) is not numpy for one in names):
            return None
        if any(one.attr == "random" for one in attributes):
            return None
        for one in names:
            one.id = "np"
        text = ast.unparse(tree)
        made = eval(text, {"np": numpy})
    except Exception:  # whatever the expression raises
        return None
    same = type(made) is type(value) and made.dtype == value.dtype
    is_same = same and made.shape == value.shape and made.tobytes() == value.tobytes()
    return text if is_same else None


def _entries(value: numpy.ndarray) -> str | None:
    """A small array entry by entry."""
    if why_not_plain(value) is not None or value.dtype.name not in WRITTEN:
        return None
    if not 0 < value.size <= FEW or not numpy.all(numpy.isfinite(value)):
        return None
    return f"np.array({value.tolist()!r}{WRITTEN[value.dtype.name]})"


def name_of(value: Any) -> str:
    """A function or a class of NumPy's or Python's as a text names it, else None."""
    name = getattr(value, "__name__", "")
    if isinstance(value, types.ModuleType):
        return "np" if name == "numpy" else "None"
    if isinstance(value, type) and value.__module__ in ("builtins", "numpy"):
        return canonical(value, "None")
    return f"np.{name}" if name and looked_up(f"numpy.{name}") is value else "None"


def is_dtype(value: object) -> bool:
    """Whether a value is a dtype that has a name: np.dtype("f8"), which is np.float64."""
    return isinstance(value, numpy.dtype) and dtype_handle(value) is not None
