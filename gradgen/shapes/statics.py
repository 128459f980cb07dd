"""Static arguments: values that a text is made for, as facts: "=0", "=(0, 1)", "='same'".

An axis, a mode, a dtype decide which text is right. Where a text for any value is
refused, one for the value at hand is made.
"""

from __future__ import annotations

import ast
import enum
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradgen.errors import GradgenError
from gradgen.ir.strong import maker_of, strong_constant

TYPES: dict[str, type] = {t.__name__: t for t in (bool, int, float, complex)}
PLAIN = (type(None), bool, int, float, complex, str)
MISSING = object()
NONE = "=None"  # the fact of an argument that is left out
# a larger container is data, not an option
MOST = 16


def static_fact(value: object) -> str | None:
    """The fact that an argument is this value; None for a number, or for data.

    before:  (0, 1)        np.dtype("f4")    0.5
    after:   "=(0, 1)"     "=np.float32"     None
    """
    if type(value) is float and np.isinf(value):
        return f"={shown(value)}"  # an order of norms
    if type(value) in (float, complex) or isinstance(value, (np.inexact, np.ndarray)):
        return None
    text = shown(value)
    return None if text is None else f"={text}"


def is_static(fact: str | None) -> bool:
    """Whether a fact tells the value itself."""
    return fact is not None and fact.startswith("=")


def read_static(fact: str) -> Any:
    """The value that a static fact tells. Raises GradgenError."""
    try:
        return _read(ast.parse(fact[1:].strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, AttributeError):
        raise GradgenError(
            "GG402",
            f"{fact!r} tells no value",
            advice="""a fact such as "=0", "=(0, 1)", "='same'" or "=np.float32\"""",
        ) from None


def is_named(fact: str) -> bool:
    """Whether a fact names what the function's module has: "=Mode.FAST", "=softplus".

    So does "=np.tanh"; "=np.float32" and "=np.inf" are read without the module.
    """
    text = fact[1:].strip()
    first, *rest = text.split(".")
    if not is_static(fact) or text in ("None", "True", "False") or text in TYPES:
        return False
    if first == "np" and isinstance(getattr(np, "".join(rest), 0.0), (type, float)):
        return False
    return all(map(str.isidentifier, (first, *rest)))


def named_fact(value: object, scope: Mapping[str, Any]) -> str | None:
    """The fact that an argument is a member of an enum, or a function, of the module's.

    None for others: a lambda, or what the module has under no name.

    before:  Mode.FAST       softplus
    after:   "=Mode.FAST"    "=softplus"
    """
    if isinstance(value, enum.Enum):
        name = type(value).__name__
        return f"={name}.{value.name}" if scope.get(name) is type(value) else None
    if is_told_by_name(value) or isinstance(value, (np.ufunc, type(np.sum))):
        own = getattr(value, "__name__", "")
        if scope.get(own) is value:
            return f"={own}"
        return f"=np.{own}" if getattr(np, own, None) is value else None
    return None


def is_told_by_name(value: object) -> bool:
    """Whether a function is one of a module, which its name tells from all others."""
    if not isinstance(value, types.FunctionType):
        return False
    return value.__qualname__.isidentifier() and not is_library(value)


def is_library(value: types.FunctionType) -> bool:
    """Whether a text may have an import of a function: one of NumPy's."""
    return getattr(np, value.__name__, None) is value


def value_of(fact: str, scope: Mapping[str, Any]) -> Any:
    """The value that a fact tells, or names in a module. Raises GradgenError."""
    if not is_named(fact):
        return read_static(fact)
    first, *rest = fact[1:].strip().split(".")
    found = np if first == "np" else scope.get(first, MISSING)
    for name in rest:
        found = getattr(found, name, MISSING)
    unknown = isinstance(found, types.FunctionType) and named_fact(found, scope) is None
    if found is MISSING or unknown:
        raise GradgenError(
            "GG402",
            f"{fact!r} names nothing that the function's module has, or what no text "
            "tells from others",
            advice="the name of a function or of a member: =softplus, =Mode.FAST",
        )
    return found


def shown(value: object) -> str | None:
    """A value as Python text; None where it is not an option."""
    if type(value) in PLAIN:
        is_finite = type(value) not in (float, complex) or bool(np.isfinite(value))  # type: ignore[call-overload]
        return repr(value) if is_finite else _infinite(value)
    if value is Ellipsis:
        return "..."
    if isinstance(value, slice):
        parts = [shown(part) for part in (value.start, value.stop, value.step)]
        return None if None in parts else f"slice({', '.join(map(str, parts))})"
    if type(value) in (tuple, list):
        items = [shown(item) for item in value]  # type: ignore[attr-defined]
        if None in items or len(items) > MOST:
            return None
        inside = ", ".join(map(str, items))
        if type(value) is list:
            return f"[{inside}]"
        return f"({inside},)" if len(items) == 1 else f"({inside})"
    if type(value) is dict:
        pairs = [(shown(k), shown(v)) for k, v in value.items()]
        if any(None in pair for pair in pairs) or len(pairs) > MOST:
            return None
        return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
    if isinstance(value, np.dtype):
        plain = value.isnative and value.names is None and value.subdtype is None
        value = value.type if plain else None
    if isinstance(value, type):
        if TYPES.get(value.__name__) is value:
            return value.__name__
        own = issubclass(value, np.generic)
        return f"np.{value.__name__}" if own else None
    strong = strong_constant(value)
    if strong is None:
        return None
    maker, digits = maker_of(strong.value, strong.dtype)
    return f"{maker}({digits!r})" if np.isfinite(digits) else None


def _infinite(value: Any) -> str | None:
    """np.inf with its sign; nan is equal to nothing."""
    if isinstance(value, complex) or np.isnan(value):
        return None
    return "np.inf" if value > 0 else "-np.inf"


def _read(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_read(node.operand)
    if isinstance(node, (ast.Tuple, ast.List)):
        items = [_read(item) for item in node.elts]
        return tuple(items) if isinstance(node, ast.Tuple) else items
    if isinstance(node, ast.Dict):
        keys = [_read(key) for key in node.keys if key is not None]
        return dict(zip(keys, map(_read, node.values), strict=True))
    if isinstance(node, ast.Name):
        if node.id not in TYPES:
            raise ValueError(node.id)
        return TYPES[node.id]
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "np":
        found = getattr(np, node.attr)
        if isinstance(found, (type, float)):
            return found
    if isinstance(node, ast.Call) and not node.keywords:
        args = map(_read, node.args)
        if isinstance(node.func, ast.Name) and node.func.id == "slice":
            return slice(*args)
        made = _read(node.func)
        if isinstance(made, type) and issubclass(made, np.generic):
            return made(*args)
    raise ValueError(ast.unparse(node))
