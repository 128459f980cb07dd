"""The rules of the template files: text -> gast -> Rule, checked name by name.

Nothing in a template is imported or executed. A mistake in one is an error that
names its file and line.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import gast

from gradgen.errors import GradgenError
from gradgen.ir.operators import UFUNC_METHODS
from gradgen.rules.outer import outer_of
from gradgen.rules.reading import RuleReader, fail
from gradgen.rules.rule import Rule

@cache
def folder() -> Path:
    """The template files: beside the package in a checkout, inside it in a wheel."""
    package = Path(__file__).resolve().parents[1]
    for place in (package / "templates", package.parent / "templates"):
        if place.is_dir():
            return place
    raise GradgenError("GG901", "the template files are missing from this installation")


class Operations(Mapping[str, Rule]):
    """Every rule by operation name ("numpy.sum"), in the order of the files.

    The files are looked through at once, and a rule is read when it is asked for.
    """

    def __init__(self, files: Iterable[Path]):
        self._places: dict[str, _Place] = {}
        self._rules: dict[str, Rule] = {}
        for path in files:
            text = path.read_text(encoding="utf-8")
            for place in _places(text, path.name):
                for op in place.operations:
                    if op in self._places:
                        fail(path.name, place.node.lineno, f"{op} has two rules")
                    self._places[op] = place

    def __getitem__(self, op: str) -> Rule:
        base = op.removesuffix(".outer")
        if op not in self._places and base in self._places:
            rule = outer_of(self[base], op)
            if rule is None:
                raise KeyError(op)
            return self._rules.setdefault(op, rule)
        if op not in self._rules:
            for rule in self._places[op].rules():
                self._rules[rule.op] = rule
        return self._rules[op]

    def __contains__(self, op: object) -> bool:
        return op in self._places or self.get(op) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@cache
def operations() -> Operations:
    """The rules of the template files."""
    files = sorted(folder().glob("*.py"))
    return Operations(path for path in files if path.name != "helpers.py")


@cache
def helpers() -> dict[str, str]:
    """The text of every helper that may be copied into an emitted file."""
    text = (folder() / "helpers.py").read_text(encoding="utf-8")
    lines = text.splitlines()
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in gast.parse(text).body
        if isinstance(node, gast.FunctionDef)
    }


def operation_of() -> dict[int, str]:
    """Operation names by the identity of the function object.

    numpy's aliases (np.absolute, np.acos) are the same objects. Other libraries are
    looked at once the user's module has imported them.
    """
    known = (m for m in _modules() if m[:5] == "numpy" or m in sys.modules)
    return _operations_in(tuple(known))


def ufunc_method(ufunc: str | None, method: str) -> tuple[str, str] | None:
    """(operation, spelling) of np.add.reduce and its like; None without a rule."""
    op = f"{ufunc}.{method}"
    if op in UFUNC_METHODS:
        return UFUNC_METHODS[op], f"name:{op}"
    return (op, "") if op in operations() else None


@cache
def _modules() -> tuple[str, ...]:
    holders = {op.rpartition(".")[0] for op in operations()} - {""}
    return tuple(sorted(holders.difference(operations())))  # not np.add of np.add.f


@cache
def _operations_in(modules: tuple[str, ...]) -> dict[int, str]:
    table: dict[int, str] = {}
    for op in operations():
        module, _, name = op.rpartition(".")
        if module in modules:
            value = getattr(importlib.import_module(module), name, None)
            if value is not None:
                table.setdefault(id(value), op)
    return table


@dataclass(frozen=True)
class _Place:
    """A function of a template file, not read yet."""

    node: ast.FunctionDef
    file: str
    module: str
    lines: list[str]

    @property
    def operations(self) -> list[str]:
        """The operations that the rule is for, by its name and its decorators."""
        names = [self.node.name]
        for decorator in self.node.decorator_list:
            if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name):
                given = [arg.value for arg in decorator.args]
                if decorator.func.id == "like":
                    names += given
                elif decorator.func.id == "named":
                    names = given
        return [f"{self.module}.{name}" if self.module else name for name in names]

    def rules(self) -> list[Rule]:
        """The rule, once for each operation."""
        node = gast.ast_to_gast(self.node)
        return RuleReader(node, self.file, self.module, self.lines).rules()


def _places(text: str, file: str) -> Iterator[_Place]:
    module, lines = "numpy", text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "module":
            module = node.value.value
        elif isinstance(node, ast.FunctionDef):
            yield _Place(node, file, module, lines)


def read_rules(text: str, file: str) -> list[Rule]:
    """The rules of one template file, or an error naming its file and line."""
    return [rule for place in _places(text, file) for rule in place.rules()]
