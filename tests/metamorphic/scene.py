"""Scene: a function while it is rewritten, and what its expressions are worth."""

from __future__ import annotations

import ast
import builtins
import copy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from tests.metamorphic.originals import Original, bound, loaded
from tests.wild.limits import TookTooLong, limited

NOTE = "_note_of_what_it_is"


@dataclass(frozen=True)
class Kind:
    """What an expression was each time: "array", "number", "int", or another word."""

    sort: str
    ndim: int = 0

    @staticmethod
    def of(value: Any) -> Kind:
        if isinstance(value, np.ndarray) and value.ndim:
            return Kind("array" if value.dtype.kind == "f" else "other", value.ndim)
        if isinstance(value, (float, np.floating)):
            return Kind("number")
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return Kind("int")
        return Kind("other")


class Scene:
    """A module's tree, the function in it, and a source of chance and new names."""

    def __init__(self, original: Original, rng: Random) -> None:
        self.original, self.rng = original, rng
        self.tree = ast.parse(original.text)
        self.taken = set(dir(builtins)) | {
            getattr(n, "id", getattr(n, "arg", getattr(n, "name", None)))
            for n in ast.walk(self.tree)
        }
        self.module_names = {"np"} | {
            name for statement in self.tree.body for name in bound(statement)
        }
        self.kinds: dict[int, Kind | None] = {}
        self.way = ""  # which way of its rewriting it has been rewritten by

    @property
    def is_a_def(self) -> bool:
        """Whether the name is that of a def: a lambda and the like stay as they are."""
        names = (getattr(n, "name", "") for n in ast.walk(self.tree))
        return self.original.name in names

    @property
    def function(self) -> ast.FunctionDef:
        """The function: the last that has its name, wherever it stands."""
        named = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef) and node.name == self.original.name
        ]
        return named[-1]

    @property
    def place(self) -> int:
        """Where in the module it stands, or what it stands in."""
        function = self.function
        inside = [function in ast.walk(node) for node in self.tree.body]
        return inside.index(True)

    def new(self, stem: str) -> str:
        """A name that nothing has yet."""
        name, k = stem, 1
        while name in self.taken:
            k += 1
            name = f"{stem}{k}"
        self.taken.add(name)
        return name

    def above(self, text: str) -> None:
        """Statements before the function, in its module."""
        place = self.place
        self.tree.body[place:place] = ast.parse(text).body

    def kind(self, node: ast.AST) -> Kind | None:
        return self.kinds.get(getattr(node, "mark", -1))

    def bodies(self) -> list[list[ast.stmt]]:
        """Every list of statements of the function, outer ones first."""
        found = []
        for node in ast.walk(self.function):
            for name in ("body", "orelse", "finalbody"):
                part = getattr(node, name, None)
                if isinstance(part, list) and part:
                    found.append(part)
        return found

    def written(self) -> Original:
        """What it is now, as a text."""
        ast.fix_missing_locations(self.tree)
        return replace(self.original, text=ast.unparse(self.tree) + "\n")

    def observe(self) -> None:
        """Marks every expression that is read, and notes of each what it is."""
        marked: dict[int, ast.AST] = {}
        for node in ast.walk(self.function):
            if isinstance(node, ast.expr):
                node.mark = len(marked)  # type: ignore[attr-defined]
                marked[node.mark] = node  # type: ignore[attr-defined]
        twin = Scene.__new__(Scene)
        twin.tree, twin.original = copy.deepcopy(self.tree), self.original
        Noting().watch(twin.function)
        seen: dict[int, Kind | None] = {}

        def note(mark: int, value: Any) -> Any:
            kind = Kind.of(value)
            seen[mark] = kind if seen.get(mark, kind) == kind else None
            return value

        text = ast.unparse(ast.fix_missing_locations(twin.tree)) + "\n"
        try:
            function = loaded(
                text, self.original.name, self.original.package, {NOTE: note}
            )
            with limited(2):
                function(*self.original.fresh())
        except (Exception, TookTooLong):
            pass
        self.kinds = seen


class Noting(ast.NodeTransformer):
    """Writes note(mark, e) for every expression e that is read."""

    def watch(self, function: ast.FunctionDef) -> None:
        function.body = [self.visit(statement) for statement in function.body]

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value:
            node.value = self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(word) for word in node.keywords]
        return self.noted(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node.value = self.visit(node.value)
        if not any(
            isinstance(n, (ast.Slice, ast.Starred)) for n in ast.walk(node.slice)
        ):
            node.slice = self.visit(node.slice)
        return self.noted(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            node.body = [self.visit(statement) for statement in node.body]
            return node
        node = super().generic_visit(node)
        return self.noted(node) if isinstance(node, ast.expr) else node

    def noted(self, node: ast.expr) -> ast.expr:
        if isinstance(node, (ast.Starred, ast.Slice)):
            return node
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return node
        mark = ast.Constant(getattr(node, "mark", -1))
        return ast.Call(ast.Name(NOTE, ast.Load()), [mark, node], [])
