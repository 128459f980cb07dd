"""The rules of the template files: text -> gast -> Rule, checked name by name.

Nothing in a template is imported or executed. A mistake in one is an error that
names its file and line.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from gradgen.errors import GradgenError
from gradgen.ir.operators import UFUNC_METHODS
from gradgen.lines import lines_of
from gradgen.rules.outer import outer_of
from gradgen.rules.places import Place, parsed, scanned, text_at
from gradgen.rules.reading import fail
from gradgen.rules.rule import Rule


# the module of operations that are copied into a text
HELPERS = "helper"


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

    def __init__(self, files: Iterable[tuple[Path, str]]) -> None:
        self._places: dict[str, Place] = {}
        self._rules: dict[str, Rule] = {}
        for path, name in files:
            own = path.parent == folder()
            for place in (scanned if own else parsed)(text_at(path, name), name):
                if not own and place.module.split(".")[0] == HELPERS:
                    told = (
                        "rules for a module called helper would be taken for gradgen's"
                    )
                    told += " own helpers: another name for it, or a package around it"
                    fail(name, place.row, told)
                for op in place.operations:
                    if op in self._places:
                        fail(name, place.row, f"{op} has two rules")
                    self._places[op] = place

    def __getitem__(self, op: str) -> Rule:
        if op not in self._rules:
            base = op.removesuffix(".outer")
            if op not in self._places and base in self._places:
                turned = outer_of(self[base], op)
                if turned is None:
                    raise KeyError(op)
                self._rules[op] = turned
            else:
                for rule in self._places[op].rules():
                    self._rules[rule.op] = rule
        return self._rules[op]

    def __contains__(self, op: object) -> bool:
        if op in self._places:
            return True
        return isinstance(op, str) and self.get(op) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


_own: ContextVar[tuple[Path, ...]] = ContextVar("own", default=())


def use(folders: Iterable[str | Path]) -> None:
    """Makes these the user's own folders of rules, beside the template files."""
    _own.set(tuple(map(Path, folders)))


def operations() -> Operations:
    """The rules of the template files, then those of the user's folders."""
    return _operations(_own.get())


@cache
def _operations(own: tuple[Path, ...]) -> Operations:
    files = [(path, f"templates/{path.name}") for path in sorted(folder().glob("*.py"))]
    for place in own:
        files += [(path, _named(path)) for path in sorted(place.glob("*.py"))]
    return Operations((path, name) for path, name in files if not _is_of_helpers(path))


def _is_of_helpers(path: Path) -> bool:
    """Whether a file holds what may be copied into emitted files, and no rules."""
    return path.stem == "helpers" or path.stem.startswith("helpers_")


def _named(path: Path) -> str:
    """How a user's file is called in messages: from here, where it is below."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if here in path.parents else str(path)


def text_of(rule: Rule) -> str:
    """The text of the file that a rule stands in."""
    for place in (folder().parent, Path.cwd()):
        if (place / rule.file).is_file():
            return (place / rule.file).read_text(encoding="utf-8")
    return (folder() / Path(rule.file).name).read_text(encoding="utf-8")


def helpers() -> dict[str, str]:
    """The text of every helper that may be copied into an emitted file."""
    return {
        k: v for place in (folder(), *_own.get()) for k, v in _helpers(place).items()
    }


@cache
def _helpers(place: Path) -> dict[str, str]:
    found = {}
    for path in filter(_is_of_helpers, sorted(place.glob("helpers*.py"))):
        text = path.read_text(encoding="utf-8")
        lines = lines_of(text)
        # Only the places of lines are asked for: gast would copy every node.
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    return found


def operation_of() -> dict[int, str]:
    """Operation names by the identity of the function object.

    numpy's aliases (np.absolute, np.acos) are the same objects. Other libraries are
    looked at once the user's module has imported them.
    """
    known = (m for m in _modules() if m in sys.modules)
    return _operations_in(tuple(known))


def own_operation(value: object) -> str | None:
    """The operation of a user's function that the user's own rules are for.

    By its name: a module that is loaded again has other objects.
    """
    name = getattr(value, "__qualname__", "")
    op = f"{getattr(value, '__module__', '')}.{name}"
    return op if _own.get() and op in operations() and not _is_library(op) else None


def _is_library(op: str) -> bool:
    return op.partition(".")[0] in ("numpy", "scipy") or "." not in op


def ufunc_method(ufunc: str | None, method: str) -> tuple[str, str] | None:
    """(operation, spelling) of np.add.reduce and its like; None without a rule."""
    op = f"{ufunc}.{method}"
    if op in UFUNC_METHODS:
        return UFUNC_METHODS[op], f"name:{op}"
    return (op, "") if op in operations() else None


@cache
def _modules() -> tuple[str, ...]:
    ops = _operations(())
    holders = {op.rpartition(".")[0] for op in ops} - {""}
    holders.discard(HELPERS)
    return tuple(sorted(holders.difference(ops)))  # not np.add of np.add.f


@cache
def _operations_in(modules: tuple[str, ...]) -> dict[int, str]:
    table: dict[int, str] = {}
    for op in _operations(()):
        module, _, name = op.rpartition(".")
        if module in modules:
            value = getattr(importlib.import_module(module), name, None)
            if value is not None:
                table.setdefault(id(value), op)
    return table


def read_rules(text: str, file: str) -> list[Rule]:
    """The rules of one template file, or an error naming its file and line."""
    places = parsed(text, f"templates/{file}")
    return [rule for place in places for rule in place.rules()]
