"""Attributes that properties hand on, as what is stored: wrt="atom.coords", of _coords."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from typing import Any

from gradgen.errors import GradgenError
from gradgen.frontend.source.class_texts import definition, is_of
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.lookup import getter, looked_up
from gradgen.frontend.source.source import Source
from gradgen.request.parts import Keys, path_of, spelled


def stored_keys(held: Held, keys: Keys) -> Keys:
    """The keys of what is stored, where a property hands on an attribute.

    before:  atom.coords           # @property
                                   # def coords(self): return self._coords
    after:   atom._coords
    """
    found: list[Any] = []
    tree: Held | None = held
    for key in keys:
        seen: set[Any] = set()
        while tree is not None and tree.kind == "object" and key not in tree.keys:
            behind = _handed_on(tree.cls, key)
            if behind is None or behind in seen:
                break
            seen.add(behind)
            key = behind
        found.append(key)
        tree = dict(tree.steps()).get(key) if tree is not None else None
    return tuple(found)


def behind_properties(source: Source, wrt: Any) -> Any:
    """The parts that a derivative is in, by the names that are stored."""
    trees = dict(source.objects)
    if source.receiver is not None and source.node.args.args:
        trees[source.node.args.args[0].id] = source.receiver
    if isinstance(wrt, str):
        return _label(trees, wrt)
    if isinstance(wrt, (list, tuple)):
        return tuple(_label(trees, x) if isinstance(x, str) else x for x in wrt)
    return wrt


def _label(trees: Mapping[str, Held], text: str) -> str:
    try:
        name, keys = path_of(text)
    except GradgenError:  # which the request tells
        return text
    if name not in trees or not keys:
        return text
    stored = stored_keys(trees[name], keys)
    if stored == keys:
        return text
    return spelled(name + "".join(f"[{key!r}]" for key in stored))


def _handed_on(cls: Any, name: Any) -> str | None:
    """The attribute that a property returns, and nothing else."""
    value = looked_up(cls, name) if isinstance(name, str) else None
    function = getter(value)
    code = getattr(function, "__code__", None)
    if function is None or code is None:
        return None
    text = definition(code, inspect.unwrap(function).__code__.co_filename)
    body = [one for one in text.body if not _is_said(one)] if text else []
    if text is None or len(body) != 1 or not isinstance(body[0], ast.Return):
        return None
    found = body[0].value
    return found.attr if found is not None and is_of(found, text.receiver) else None


def _is_said(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)
