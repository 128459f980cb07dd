"""The statement that binds a name of a module, here or where it is imported from."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Mapping, Sequence
from importlib.util import resolve_name
from typing import Any

from gradgen.frontend.source.spelling import module_text
from gradgen.lines import segment

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


def assignment(
    statement: ast.stmt, name: str, lines: Sequence[str]
) -> tuple[str, int] | None:
    """The text that gives a name alone its value, and the row that the value stands in.

    before:  W: NDArray = np.array([0.25, 0.5])     T, V = np.zeros(3), np.ones(3)
    after:   W = np.array([0.25, 0.5])              V = np.ones(3)

    Of what a call returns several parts of, one: V = np.meshgrid(T, W)[1].
    """
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets: list[ast.expr] = [statement.target]
    elif isinstance(statement, ast.Assign):
        targets = statement.targets
    else:
        return None
    if len(targets) == 1 and isinstance(targets[0], ast.Name):
        if isinstance(statement, ast.Assign):
            return segment(lines, statement), statement.lineno
    for target in targets:
        found = _part(target, statement.value, name)
        if found is not None:
            value, places = found
            text = segment(lines, value) + "".join(f"[{i}]" for i in places)
            return _on_its_own(name, text), value.lineno
    return None


def _part(
    target: ast.expr, value: Any, name: str
) -> tuple[ast.expr, tuple[int, ...]] | None:
    """The expression of which a target's name is a part, and the places of that."""
    if isinstance(target, ast.Name):
        return (value, ()) if target.id == name else None
    parts = getattr(target, "elts", [])
    if not parts or any(isinstance(one, ast.Starred) for one in parts):
        return None
    values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
    for i, part in enumerate(parts):
        if len(values) == len(parts) and not isinstance(values[i], ast.Starred):
            found = _part(part, values[i], name)
        elif isinstance(value, ast.Call):
            inner = _part(part, value, name)
            found = inner and (value, (i, *inner[1]))
        else:
            return None
        if found is not None:
            return found
    return None


def _on_its_own(name: str, text: str) -> str:
    """A statement whose value may go on over several rows in brackets alone."""
    line = f"{name} = {text}"
    try:
        ast.parse(line)
    except SyntaxError:
        return f"{name} = ({text})"
    return line


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
