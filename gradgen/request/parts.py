"""Parts of arguments by the paths that name them: params.W, layers[0].b."""

from __future__ import annotations

import ast
import types
import unicodedata
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import Any

from gradgen.errors import GradgenError
from gradgen.ir.records import field_names, is_record_class
from gradgen.ir.structure import Structure

Keys = tuple[object, ...]


def path_of(text: str) -> tuple[str, Keys]:
    """The argument and the keys that a path names; no keys for the argument itself.

    params.W and params["W"] are the same. Raises GradgenError.
    """
    if text.isidentifier() and not iskeyword(text):
        return unicodedata.normalize("NFKC", text), ()
    keys: list[object] = []
    try:
        node = ast.parse(text.strip(), mode="eval").body
        while not isinstance(node, ast.Name):
            if isinstance(node, ast.Attribute):
                keys.append(node.attr)
            elif isinstance(node, ast.Subscript):
                keys.append(ast.literal_eval(node.slice))
            else:
                raise ValueError
            node = node.value
    except (SyntaxError, ValueError):
        raise GradgenError(
            "GG002",
            f"{text!r} names neither an argument nor a part of one",
            advice="x, params.W or layers[0]",
        ) from None
    return node.id, tuple(keys[::-1])


def spelled(text: str) -> str:
    """A path in one spelling, without quotes where that is possible."""
    name, keys = path_of(text)
    for key in keys:
        is_word = isinstance(key, str) and key.isidentifier()
        name += f".{key}" if is_word else f"[{key!r}]"
    return name


def step_into(
    structure: Structure, keys: Keys
) -> tuple[tuple[Any, ...], Structure] | None:
    """The path to a part, and its structure; None where there is no such part."""
    path: tuple[Any, ...] = ()
    for key in keys:
        inner = dict(structure.steps()) if structure else {}
        if isinstance(key, int) and key < 0:
            key += len(inner)
        if key not in inner:
            return None
        path, structure = (*path, (structure, key)), inner[key]
    return path, structure


def part_of(value: Any, keys: Keys) -> Any:
    """The part of an argument's value; None where it has no such part."""
    for key in keys:
        try:
            is_field = isinstance(key, str) and not isinstance(value, Mapping)
            value = getattr(value, str(key)) if is_field else value[key]
        except (AttributeError, KeyError, IndexError, TypeError):
            return None
    return value


def of_fields(cls: type[Any], fields: Mapping[str, Any]) -> Any:
    """A record with these fields. What its class does with them is not done.

    before:  a class whose __post_init__ divides the weights by their sum, and a
             gradient in these
    after:   a record of this class that holds the gradient as it is
    """
    if issubclass(cls, tuple):
        return tuple.__new__(cls, fields.values())
    made = object.__new__(cls)
    for name, one in fields.items():
        object.__setattr__(made, name, one)
    return made


def with_parts(value: Any, parts: Mapping[Keys, Any]) -> Any:
    """A container nested as the value is, with these parts and None for all others."""
    if () in parts:
        return parts[()]

    def below(key: object, count: int = 0) -> dict[Keys, Any]:
        same = (key, key - count) if isinstance(key, int) else (key,)
        return {keys[1:]: part for keys, part in parts.items() if keys[0] in same}

    if isinstance(value, Mapping):
        return {key: with_parts(one, below(key)) for key, one in value.items()}
    if is_record_class(type(value)):
        named = field_names(type(value))
        own = {name: with_parts(getattr(value, name), below(name)) for name in named}
        return of_fields(type(value), own)
    if isinstance(value, (tuple, list)):
        each = (with_parts(v, below(i, len(value))) for i, v in enumerate(value))
        return type(value)(each)
    named = [keys[0] for keys in parts if isinstance(keys[0], str)]
    if named and all(hasattr(value, name) for name in named):  # an instance
        own = {name: with_parts(getattr(value, name), below(name)) for name in named}
        return types.SimpleNamespace(**own)
    return None


def read_of(name: str, wrt: Iterable[str] | None) -> list[str]:
    """The attributes and keys on the ways to what is asked of an argument.

    before:  "self", ("self.layers[0].W", "x")
    after:   ["layers", "W"]
    """
    ways = (keys for base, keys in map(path_of, wrt or ()) if base == name)
    return [key for keys in ways for key in keys if isinstance(key, str)]
