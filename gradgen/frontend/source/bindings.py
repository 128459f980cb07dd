"""The statement that binds a name of a module, here or where it is imported from."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Mapping
from importlib.util import resolve_name
from typing import Any

from gradgen.frontend.source.spelling import module_text

Space = dict[Any, Any]


def bound_in(space: Space, name: str, value: Any) -> tuple[Space, ast.stmt] | None:
    """The one statement that binds a name, and the names around it.

    before:  from .constants import G      after:  G = np.array([0.0, 9.81])

    None where several statements bind it, or what it is imported from now has
    another value.
    """
    bound, imports = _statements(module_text(space))
    if name in bound:
        return (space, bound[name][0]) if len(bound[name]) == 1 else None
    for statement in reversed(imports):
        for alias in statement.names:
            original = name if alias.name == "*" else alias.name
            if name not in (alias.asname or original,):
                continue
            module = sys.modules.get(_named(statement, space))
            if module is not None and vars(module).get(original) is value:
                return bound_in(vars(module), original, value)
    return None


def _named(statement: ast.ImportFrom, space: Space) -> str:
    """The whole name of the module that a statement imports from."""
    name = "." * statement.level + (statement.module or "")
    try:
        return resolve_name(name, space.get("__package__") or "")
    except ImportError:
        return ""


@functools.lru_cache(maxsize=8)
def _statements(
    text: str,
) -> tuple[Mapping[str, tuple[ast.stmt, ...]], tuple[ast.ImportFrom, ...]]:
    """The statements of a module that bind each name, and those that import names.

    A big module is parsed once, however many of its names a function reads.
    """
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return {}, ()
    found: dict[str, list[ast.stmt]] = {}
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for part in ast.walk(statement):
                if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
                    found.setdefault(part.id, []).append(statement)
    imports = tuple(one for one in body if isinstance(one, ast.ImportFrom))
    return {name: tuple(some) for name, some in found.items()}, imports
