"""Whole numbers of an instance that a text reads where it runs, so that any will do.

before:  for i in range(self.steps):        self.steps is 3 while the text is made
             x = x - self.rate * x**2
after:   for i in reversed(range(self.steps)):       the text is that of any steps
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from gradgen.errors import GradgenError
from gradgen.frontend.source.holding import Held
from gradgen.frontend.source.source import Source
from gradgen.pipeline.attempts import Written

Text = TypeVar("Text", bound=Written)
# a field by the names that lead to it
Path = tuple[str, ...]


def with_open_counts(source: Source, emit: Callable[[Source], Text]) -> Source:
    """The source with the whole numbers told that a text does not depend on.

    It does not where the text in which a number is an argument, of which nothing is
    known, is the same.
    """
    held = source.receiver
    if held is None or source.instance is None or source.at_hand:
        return source
    paths = list(_counts(held))
    if not paths:
        return source
    name = source.node.args.args[0].id
    settled = replace(source, open_counts=frozenset(_label(name, p) for p in paths))
    try:
        text = emit(settled).text
    except GradgenError:
        return source

    def is_open(some: list[Path]) -> bool:
        tree = held
        for path in some:
            tree = _opened(tree, path)
        try:
            other = emit(replace(settled, receiver=tree)).text
        except GradgenError:
            return False
        return _body(other, name, some) == _body(text, name, some)

    found = paths if is_open(paths) else []
    if not found and len(paths) > 1:
        found = [path for path in paths if is_open([path])]
    return replace(source, open_counts=frozenset(_label(name, p) for p in found))


def _counts(held: Held, path: Path = ()) -> Iterator[Path]:
    """Where an instance, and those that it holds, have whole numbers as fields."""
    for key, part in held.steps() if held.kind == "object" else ():
        if part.kind == "object":
            yield from _counts(part, (*path, key))
        elif part.kind == "setting" and type(part.value.value) is int:
            yield (*path, key)


def _opened(held: Held, path: Path) -> Held:
    """The tree with one whole number as an argument."""
    if not path:
        return Held("unknown", fact=":int")
    parts = (
        _opened(part, path[1:]) if key == path[0] else part
        for key, part in held.steps()
    )
    return replace(held, parts=tuple(parts))


def _label(name: str, path: Path) -> str:
    return ".".join((name, *path))


def _body(text: str, name: str, paths: list[Path]) -> list[str]:
    """What the functions of a text do, where names for these numbers are the numbers."""
    labels = {_label(name, path) for path in paths}
    found = []
    for top in ast.parse(text).body:
        if not isinstance(top, ast.FunctionDef):
            continue
        body = top.body[1:] if ast.get_docstring(top) is not None else top.body
        names = {
            one.targets[0].id: one.value
            for one in body
            if isinstance(one, ast.Assign)
            and isinstance(one.targets[0], ast.Name)
            and ast.unparse(one.value) in labels
        }
        top.body = [
            one
            for one in body
            if not (isinstance(one, ast.Assign) and one.value in names.values())
        ]
        stored = {
            one.id
            for one in ast.walk(top)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        inlined = _Inlined(names, stored)
        found += [ast.unparse(inlined.visit(_plain(one))) for one in top.body]
    return found


def _plain(stmt: ast.stmt) -> ast.stmt:
    """t += 1 as t = t + 1"""
    if not isinstance(stmt, ast.AugAssign) or not isinstance(stmt.target, ast.Name):
        return stmt
    old = ast.Name(stmt.target.id, ast.Load())
    value = ast.BinOp(old, stmt.op, stmt.value)
    return ast.copy_location(ast.Assign([stmt.target], value, lineno=1), stmt)


class _Inlined(ast.NodeTransformer):
    """Expressions in the place of names, and numbers in that of the other locals."""

    def __init__(self, names: dict[str, ast.expr], stored: set[str]) -> None:
        self.names, self.stored = names, stored
        self.numbers: dict[str, str] = {}

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """A name that is bound anew is a local one from then on."""
        node.value = self.visit(node.value)
        for target in node.targets:
            self.names.pop(getattr(target, "id", ""), None)
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.names:
            return self.names[node.id]
        if node.id not in self.stored:
            return node
        number = self.numbers.setdefault(node.id, f"v{len(self.numbers)}")
        return ast.copy_location(ast.Name(number, node.ctx), node)
