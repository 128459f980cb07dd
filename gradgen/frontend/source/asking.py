"""What a wrapper asks of the way it is called: which arguments are given, and how.

def wrapper(*args, **kwargs):
    kwargs.setdefault("k", 3.0)     k is asked about
    return f(*args, **kwargs)

A text that hands on every default, by place, is another call then.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from typing import Any

from gradgen.lines import dedented

STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
BY_KEY = ("get", "pop", "setdefault")
COPIES = ("list", "tuple", "dict")


def asked(function: Any, wrapped: Any, parameters: Any) -> frozenset[str]:
    """The parameters whose being given a chain of wrappers may ask about.

    From a wrapper to the function that has the parameters; without a wrapper's text all.
    """
    found: set[str] = set()
    while isinstance(function, types.FunctionType) and function is not wrapped:
        inner = getattr(function, "__wrapped__", None)
        if inner is None:
            break
        if function.__code__.co_flags & STARRED:
            found |= _asked_by(function, parameters)
        function = inner
    return frozenset(found & parameters.keys())


def _asked_by(wrapper: Any, parameters: Any) -> set[str]:
    every = set(parameters)
    try:
        node = ast.parse(dedented(inspect.getsource(wrapper.__code__))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return every
    if not isinstance(node, ast.FunctionDef):
        return every
    needed = [p for p in parameters.values() if p.default is p.empty]
    held = inspect.getclosurevars(wrapper).nonlocals
    reading = _Reading(
        {name for name, value in held.items() if value is wrapper.__wrapped__},
        _aliases(node, node.args.vararg),
        _aliases(node, node.args.kwarg),
        len(needed) - len(node.args.args),
        _with_defaults(node),
    )
    parents = {
        child: parent
        for parent in ast.walk(node)
        for child in ast.iter_child_nodes(parent)
    }
    for name in ast.walk(node):
        if isinstance(name, ast.Name):
            words = reading.asked(name, parents)
            if words is None:
                return every
            found = reading.found
            found |= words
    return reading.found


def _aliases(node: ast.FunctionDef, star: ast.arg | None) -> set[str]:
    """The names of *args, or of **kwargs: args = list(args)."""
    if star is None:
        return set()
    names = {star.arg}
    for one in ast.walk(node):
        if isinstance(one, ast.Assign) and len(one.targets) == 1:
            value, target = one.value, one.targets[0]
            if isinstance(value, ast.Call) and len(value.args) == 1:
                if getattr(value.func, "id", "") in COPIES:
                    value = value.args[0]
            if isinstance(target, ast.Name) and getattr(value, "id", "") in names:
                names.add(target.id)
    return names


def _with_defaults(node: ast.FunctionDef) -> list[ast.Call]:
    """The calls that bind the stars, where defaults are filled in at once.

    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    """
    found = []
    for around in ast.walk(node):
        body = getattr(around, "body", None)
        for one, after in zip(body, body[1:]) if isinstance(body, list) else ():
            if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call):
                wanted = f"{ast.unparse(one.targets[0])}.apply_defaults()"
                binds = getattr(one.value.func, "attr", "") == "bind"
                if binds and ast.unparse(after) == wanted:
                    found.append(one.value)
    return found


class _Reading:
    """The names of a wrapper's stars, and what they are asked."""

    def __init__(
        self,
        inner: set[str],
        places: set[str],
        words: set[str],
        needed: int,
        bound: list[ast.Call],
    ) -> None:
        self.inner, self.places, self.words = inner, places, words
        self.needed, self.bound = needed, bound
        self.found: set[str] = set()

    def asked(self, name: ast.Name, parents: dict[Any, Any]) -> set[str] | None:
        """The parameters that one reading of a name asks about; None for all."""
        if name.id not in self.places | self.words or isinstance(name.ctx, ast.Store):
            return set()
        ways = list(_outwards(name, parents))
        parent, around = ways[0], ways[1]
        if isinstance(parent, (ast.Starred, ast.keyword)):
            func = around.func if isinstance(around, ast.Call) else None
            handed = getattr(func, "id", "") in self.inner or around in self.bound
            return set() if handed else None
        if self._is_renamed(name, ways):
            return set()
        if name.id in self.places:
            return self._of_places(parent)
        return self._of_words(name, parent, around)

    def _is_renamed(self, name: ast.AST, ways: list[Any]) -> bool:
        """Whether a star only gets another name: args = list(args)."""
        if isinstance(ways[0], ast.Call) and ways[0].args == [name]:
            name, ways = ways[0], ways[1:]
            if getattr(ways and name.func, "id", "") not in COPIES:
                return False
        return isinstance(ways[0], ast.Assign) and ways[0].value is name

    def _of_places(self, parent: Any) -> set[str] | None:
        """args[0] of an argument that each call gives asks nothing."""
        key = getattr(getattr(parent, "slice", None), "value", None)
        return set() if isinstance(key, int) and 0 <= key < self.needed else None

    def _of_words(self, name: ast.Name, parent: Any, around: Any) -> set[str] | None:
        key: Any = None
        if isinstance(parent, ast.Attribute) and parent.attr in BY_KEY:
            key = (
                around.args[0] if isinstance(around, ast.Call) and around.args else None
            )
        elif isinstance(parent, ast.Subscript):
            key = parent.slice
        elif isinstance(parent, ast.Compare) and parent.comparators == [name]:
            key = parent.left
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return {key.value}
        return None


def _outwards(node: Any, parents: dict[Any, Any]) -> Iterator[Any]:
    """What stands around a node, from the inside out, and nothing around that."""
    while node in parents:
        node = parents[node]
        yield node
    yield from (None, None)
