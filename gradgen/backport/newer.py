"""What of a text is newer than a version of Python and its NumPy."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from gradgen.backport.table import Offered
from gradgen.frozen import dataclass

NDARRAY = "numpy.ndarray"


@dataclass(frozen=True)
class Newer:
    """A name or a keyword that came later, and where the text has it.

    `name` is its last part ("concat", "strict="), by which the primal's line is found;
    `module` is where it was looked for.
    """

    line: int
    name: str
    what: str
    module: str


def newer(text: str, table: Offered) -> list[Newer]:
    """The names and keywords in a text that the versions of a table do not have.

    text:   import numpy as np
            np.concat((x, y)) + np.std(x, correction=1)
    found:  line 2: np.concat, correction= of np.std
    """
    tree = ast.parse(text)
    modules = _modules(tree, table)
    bound = _bound(tree)
    found = [*_imported(tree, table)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found += _attribute(node, modules, table)
        elif isinstance(node, ast.Name) and node.id not in bound:
            if hasattr(builtins, node.id) and node.id not in table.names["builtins"]:
                found.append(Newer(node.lineno, node.id, node.id, "builtins"))
        elif isinstance(node, ast.Call):
            found += _keywords(node, modules, bound, table)
            found += _averages(node, modules, table)
    return sorted(set(found), key=lambda one: (one.line, one.what))


def _modules(tree: ast.Module, table: Offered) -> dict[str, str]:
    """What the modules are called in a text: {"np": "numpy"}."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                whole = one.name if one.asname else one.name.partition(".")[0]
                found[one.asname or whole] = whole
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for one in node.names:
                if f"{node.module}.{one.name}" in table.names:
                    found[one.asname or one.name] = f"{node.module}.{one.name}"
    return found


def _bound(tree: ast.Module) -> set[str]:
    """The names that a text gives a meaning to."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {one.asname or one.name.partition(".")[0] for one in node.names}
    return found


def _imported(tree: ast.Module, table: Offered) -> Iterator[Newer]:
    """from math import cbrt"""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in table.names:
            for one in node.names:
                within = f"{node.module}.{one.name}" in table.names
                if not within and one.name not in table.names[node.module]:
                    what = f"{node.module}.{one.name}"
                    yield Newer(node.lineno, one.name, what, node.module)


def _attribute(
    node: ast.Attribute, modules: dict[str, str], table: Offered
) -> Iterator[Newer]:
    owner = _dotted(node.value, modules)
    if owner in table.names:
        inner = f"{owner}.{node.attr}" in table.names
        if not inner and node.attr not in table.names[owner]:
            yield Newer(node.lineno, node.attr, ast.unparse(node), owner)
    elif owner is None and node.attr == "mT" and "mT" not in table.names[NDARRAY]:
        yield Newer(node.lineno, "mT", ast.unparse(node), NDARRAY)


def _keywords(
    node: ast.Call, modules: dict[str, str], bound: set[str], table: Offered
) -> Iterator[Newer]:
    function = _dotted(node.func, modules)
    if function is None and isinstance(node.func, ast.Name):
        function = "" if node.func.id in bound else f"builtins.{node.func.id}"
    elif function is None and isinstance(node.func, ast.Attribute):
        function = f"numpy.{node.func.attr}"  # a method of an array
    later = table.later.get(function or "", frozenset())
    for keyword in node.keywords:
        if keyword.arg in later:
            what = f"{keyword.arg}= of {ast.unparse(node.func)}"
            yield Newer(node.lineno, f"{keyword.arg}=", what, str(function))


def _averages(
    node: ast.Call, modules: dict[str, str], table: Offered
) -> Iterator[Newer]:
    """np.average(x, axis=(0, 1), weights=w): NumPy 1 takes weights of x's shape alone."""
    given = dict(zip(("a", "axis", "weights"), node.args))
    given |= {str(keyword.arg): keyword.value for keyword in node.keywords}
    several = isinstance(given.get("axis"), ast.Tuple) and "weights" in given
    if several and table.numpy < "2":
        if _dotted(node.func, modules) == "numpy.average":
            what = "np.average over several axes with weights of these axes"
            yield Newer(node.lineno, "average", what, "numpy")


def _dotted(node: ast.expr, modules: dict[str, str]) -> str | None:
    """The dotted name of what stands in a module: "numpy.linalg.norm"."""
    if isinstance(node, ast.Name):
        return modules.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value, modules)
        return owner and f"{owner}.{node.attr}"
    return None
