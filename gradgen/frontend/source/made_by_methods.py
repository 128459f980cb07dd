"""The class of what a method returns, as far as its text tells: a new instance.

before:  self.direction = direction.normalize()     of a direction: Vector
after:   (direction is a Vector, since `def normalize(self): ... return Vector(...)`)
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator
from typing import Any

from gradgen.frontend.source.class_texts import definition
from gradgen.frontend.source.lookup import is_method, looked_up
from gradgen.frontend.source.reach import is_users_class

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def class_made(cls: Any, name: str) -> type | None:
    """The user's class of which a method always returns a new instance, or None."""
    method = looked_up(cls, name) if isinstance(cls, type) else None
    if not isinstance(method, types.FunctionType) or not is_method(method):
        return None
    code = inspect.unwrap(method).__code__
    text = definition(code, code.co_filename)
    if text is None:
        return None
    made = {_called(one.value, method) for part in text.body for one in _returns(part)}
    found = made.pop() if len(made) == 1 else None
    return found if isinstance(found, type) and is_users_class(found) else None


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    """The return statements of a method's own."""
    if isinstance(node, ast.Return):
        yield node
    if not isinstance(node, SCOPES):
        for part in ast.iter_child_nodes(node):
            yield from _returns(part)


def _called(node: ast.expr | None, method: types.FunctionType) -> Any:
    """What an expression calls, by its name in the module."""
    func = node.func if isinstance(node, ast.Call) else None
    return method.__globals__.get(func.id) if isinstance(func, ast.Name) else None
