"""What names in the text mean, and which names a piece of text assigns."""

from __future__ import annotations

import builtins
from functools import lru_cache
from typing import Any

import gast
import numpy

NO_VALUE = object()
# the module of functions of one line that call a library's (called.py)
CALLED = "gradgen_called"
PLAIN = (int, float, complex, bool, str, type(None))
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
# most of what a function is made of: binds nothing by itself
PLAIN_NODES = frozenset(
    getattr(gast, name)
    for name in (
        "Assign AugAssign Attribute BinOp Call Compare Constant Expr For If Load Return "
        "Slice Store Subscript Tuple UnaryOp USub While"
    ).split()
)
COMPREHENSIONS = (gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp)


def is_no_option(value: object) -> bool:
    """Whether a default is an empty dictionary, of which keys are read if one is given."""
    return type(value) is dict and not value


def is_plain(value: object) -> bool:
    """Whether a Python value may stand in a text as a constant."""
    return type(value) in PLAIN or (
        type(value) is tuple and all(type(item) in PLAIN for item in value)
    )


# the types of objects that stand for themselves alone
MARKS = (object, type(numpy._NoValue))


def is_mark(value: object) -> bool:
    """Whether an object stands for itself alone: missing = object(), np._NoValue."""
    return type(value) in MARKS


def canonical(value: type, text: str) -> str:
    """How a type is written in an emitted text."""
    if value.__module__ == "numpy":
        return f"np.{value.__name__}"
    if value is type(None):  # builtins has no NoneType
        return "type(None)"
    own = getattr(builtins, value.__name__, None) is value
    return value.__name__ if own else text


def looked_up(dotted: str) -> Any:
    """The object of numpy that a dotted name leads to, or None."""
    value: Any = numpy
    for part in dotted.split(".")[1:]:
        value = getattr(value, part, None)
    return value


def is_path(node: object) -> bool:
    """Whether an expression only reads names and fields: it may be read twice."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


def assigned(statements: list[Any]) -> list[str]:
    """The names that statements bind, in the order of the text."""
    found: dict[str, None] = {}

    def visit(node: gast.AST) -> None:
        kind = type(node)
        if kind in PLAIN_NODES:
            for child in gast.iter_child_nodes(node):
                visit(child)
        elif isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Store):
                found.setdefault(node.id)
        elif isinstance(node, SCOPES):
            if hasattr(node, "name"):
                found.setdefault(node.name)
        elif isinstance(node, COMPREHENSIONS):
            # Its own targets stay inside; a walrus binds outside.
            targets = {
                name.id
                for generator in node.generators
                for name in gast.walk(generator.target)
                if isinstance(name, gast.Name)
            }
            before = set(found)
            for child in gast.iter_child_nodes(node):
                visit(child)
            for name in targets - before:
                found.pop(name, None)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            for alias in node.names:
                found.setdefault((alias.asname or alias.name).partition(".")[0])
        else:
            if isinstance(node, gast.MatchAs) and node.name:
                found.setdefault(node.name)
            for child in gast.iter_child_nodes(node):
                visit(child)

    for statement in statements:
        visit(statement)
    return list(found)


def declared(node: Any) -> frozenset[str]:
    """The names that a function declares global."""
    return nonlocals(node, gast.Global)


@lru_cache(maxsize=1024)
def nonlocals(node: Any, kind: Any = gast.Nonlocal) -> frozenset[str]:
    """The names that a function binds in the function around it."""
    if not isinstance(node, gast.FunctionDef):
        return frozenset()
    found: set[str] = set()
    stack: list[gast.AST] = list(node.body)
    while stack:
        one = stack.pop()
        if isinstance(one, kind):
            found |= set(one.names)
        elif not isinstance(one, SCOPES):
            stack += gast.iter_child_nodes(one)
    return frozenset(found)


@lru_cache(maxsize=1024)
def own_names(node: Any) -> tuple[str, ...]:
    """The names that a function or a lambda binds for itself, in the order of the text."""
    body = [node.body] if isinstance(node, gast.Lambda) else node.body
    outer = nonlocals(node) | declared(node)
    return tuple(name for name in assigned(body) if name not in outer)
