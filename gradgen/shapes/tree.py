"""Facts of containers as text: {"W": "n m", "b": "m"} -> Structure, and back."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from gradgen.errors import GradgenError
from gradgen.ir.structure import LEAF, Structure

_RECORD = re.compile(r"[^\W\d]\w*\s*\(")
T = TypeVar("T")
SORTS = ("int", "bool", "str", "array", "integer")


def is_tree(text: str) -> bool:
    """Whether a fact is of a container: it has a quoted shape, a brace or a record."""
    text = text.strip()
    if text[:1] in ("[", "{") or _RECORD.match(text):
        return True
    words = re.findall(r"[^\W\d]\w*", text)
    return text[:1] == "(" and (
        "'" in text or '"' in text or any(w in (*SORTS, "None") for w in words)
    )


def read_tree(text: str) -> Structure:
    """The structure that a fact tells. Raises GradgenError.

    Leaves are shapes in quotes, None where the shape is not known, or one of the
    words int, bool and str.
    """
    try:
        return _read(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError) as error:
        raise GradgenError(
            "GG408",
            f"{text!r} does not tell a container: {error}",
            advice="""a fact such as '("n m", "m")' or '{"W": "n m", "b": "m"}'""",
        ) from None


def _read(node: ast.expr) -> Structure:
    if isinstance(node, (ast.Tuple, ast.List)):
        sort = "tuple" if isinstance(node, ast.Tuple) else "list"
        return Structure(sort, tuple(map(_read, node.elts)))
    if isinstance(node, ast.Dict):
        keys = tuple(ast.literal_eval(_told(key, node)) for key in node.keys)
        return Structure("dict", tuple(map(_read, node.values)), keys)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
        keys = tuple(_told(keyword.arg, node) for keyword in node.keywords)
        parts = tuple(_read(keyword.value) for keyword in node.keywords)
        return Structure("record", parts, keys, node.func.id)
    if isinstance(node, ast.Name) and node.id in SORTS:
        return Structure(fact=":" + node.id)
    if isinstance(node, ast.Constant) and node.value is None:
        return LEAF
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Structure(fact=plain(node.value))
    raise ValueError(f"{ast.unparse(node)} is not a shape")


def _told(key: T | None, node: ast.expr) -> T:
    """A key or a field; ** has none, and tells no parts."""
    if key is None:
        raise ValueError(f"{ast.unparse(node)} does not name its parts")
    return key


def plain(shape: str) -> str:
    """A shape fact without brackets and commas: "(n, d)" is "n d"."""
    shape, colon, sort = shape.partition(":")
    axes = " ".join(shape.strip().strip("()").replace(",", " ").split())
    return axes + colon + sort.strip()


def tree_text(structure: Structure) -> str:
    """The fact as text, in one form."""
    if not structure:
        fact = structure.fact
        if fact is None:
            return "None"
        return fact[1:] if fact.startswith(":") else f'"{fact}"'
    parts = [tree_text(part) for part in structure.parts]
    if structure.sort == "tuple":
        return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
    if structure.sort == "list":
        return "[" + ", ".join(parts) + "]"
    pairs = list(zip(structure.keys, parts, strict=True))
    if structure.sort == "dict":
        return "{" + ", ".join(f"{_key(k)}: {part}" for k, part in pairs) + "}"
    return f"{structure.name}(" + ", ".join(f"{k}={part}" for k, part in pairs) + ")"


def _key(key: object) -> str:
    """A key as text, which names it again. Raises GradgenError for an object's."""
    if isinstance(key, str) and '"' not in key:
        return f'"{key}"'
    text = repr(key)
    try:
        named = ast.literal_eval(text) == key
    except (SyntaxError, ValueError):
        named = False
    if named:
        return text
    raise GradgenError(
        "GG408",
        f"a dictionary has the key {text}, a {type(key).__name__}, which no text names",
        advice="keys that are strings, numbers or tuples of them, or its values in a list",
    )


def fact_of(value: object) -> Structure:
    """The structure of facts given in Python: {"W": "n m"}, ("n m", "m")."""
    if value is None:
        return LEAF
    if isinstance(value, str):
        return read_tree(value) if is_tree(value) else Structure(fact=plain(value))
    if isinstance(value, type) and value.__name__ in SORTS:
        return Structure(fact=":" + value.__name__)
    return _nested(value, fact_of)


def example_of(value: object) -> Structure:
    """The structure of an example argument: its sizes become facts."""
    if isinstance(value, bool) or value is None or isinstance(value, (str, int)):
        sort = type(value).__name__
        return Structure(fact=f":{sort}" if sort in SORTS else None)
    if hasattr(value, "shape") or isinstance(value, float):
        return Structure(fact=" ".join(map(str, getattr(value, "shape", ()))))
    return _nested(value, example_of)


def _nested(value: Any, inner: Callable[[object], Structure]) -> Structure:
    name = type(value).__name__
    if hasattr(value, "_fields"):
        parts = tuple(map(inner, value))
        return Structure("record", parts, tuple(value._fields), name)
    if hasattr(type(value), "__dataclass_fields__"):
        keys = tuple(type(value).__dataclass_fields__)
        parts = tuple(inner(getattr(value, key)) for key in keys)
        return Structure("record", parts, keys, name)
    if isinstance(value, (tuple, list)):
        sort = "tuple" if isinstance(value, tuple) else "list"
        return Structure(sort, tuple(map(inner, value)))
    if isinstance(value, Mapping):
        return Structure("dict", tuple(map(inner, value.values())), tuple(value))
    return LEAF
