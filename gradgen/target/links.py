"""What a library offers under NumPy's names: tables made from the real packages.

tools/link_tables.py writes them; a name that is not in its library's table is
refused, and so is a keyword.
"""

from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

from gradgen.frozen import dataclass

FOLDER = Path(__file__).parent / "names"


@dataclass(frozen=True)
class Links:
    """The names of one library, each with its keywords, None for unknown ones."""

    library: str
    version: str
    names: dict[str, list[str] | None]
    methods: frozenset[str]

    def has(self, name: str) -> bool:
        """Whether there is a function of this name: "sum", "scipy.special.erf"."""
        return name in self.names

    def takes(self, name: str, keyword: str) -> bool:
        """Whether the function takes a keyword, as far as is known."""
        keywords = self.names[name]
        return keywords is None or keyword in keywords


@cache
def links(library: str) -> Links:
    """The table of a library."""
    table = json.loads((FOLDER / f"{library}.json").read_text(encoding="utf-8"))
    names, methods = table["names"], frozenset(table["methods"])
    return Links(table["library"], table["version"], names, methods)


@dataclass(frozen=True)
class Missing:
    """A name or a keyword of a text that its library does not have."""

    line: int
    column: int
    what: str


def missing(text: str, table: Links, alias: str, scipy: str = "scipy") -> list[Missing]:
    """The names `alias.a.b` and their keywords in a text that the table lacks.

    text:   import cupy as cp
            cp.vecdot(x, y) + cp.sum(x, where=x > 0) + cp.exp(x)
    found:  2: cp.vecdot, 2: where= of cp.sum
    """
    tree = ast.parse(text)
    modules = _scipy_modules(tree, scipy)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = _name(node, alias, modules)
            inside = any(other.startswith(f"{name}.") for other in table.names)
            if name and not table.has(name) and not inside:
                found.append(
                    Missing(node.lineno, node.col_offset + 1, ast.unparse(node))
                )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = _name(node.func, alias, modules)
            if name and table.has(name):
                for keyword in node.keywords:
                    if keyword.arg and not table.takes(name, keyword.arg):
                        what = f"{keyword.arg}= of {ast.unparse(node.func)}"
                        place = keyword.value
                        found.append(Missing(place.lineno, place.col_offset + 1, what))
    return sorted(set(found), key=lambda one: (one.line, one.column))


def _scipy_modules(tree: ast.Module, scipy: str) -> dict[str, str]:
    """What the modules of scipy are called in a text: special -> scipy.special."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == scipy:
            for one in node.names:
                found[one.asname or one.name] = f"scipy.{one.name}"
    return found


def _name(node: ast.Attribute, alias: str, modules: dict[str, str]) -> str:
    """The name in the table that an attribute stands for, "" for none."""
    parts = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return ""
    dotted = ".".join(parts[::-1])
    if inner.id in modules:
        return f"{modules[inner.id]}.{dotted}"
    return dotted if inner.id == alias else ""
