"""What a finished text may hold for a library: helpers, and names that it has."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.lines import lines_of
from gradgen.rules.load import helpers
from gradgen.target.forms_torch import TORCH_KEYWORDS, TORCH_NAMES
from gradgen.target.links import links, missing
from gradgen.target.table import Target


def refuse_helpers(needed: Iterable[str], target: Target) -> None:
    """Refuses helpers that a library cannot run: those that change arrays, say.

    Raises GradgenError.
    """
    for one in needed:
        if target.name == "torch" or target.library.pure and _changes(helpers()[one]):
            raise GradgenError(
                "GG708",
                f"the text needs the helper {one}, which is not written for {target.name}",
                advice='facts of shapes, as in --shape x="n d"',
            )


def _changes(text: str) -> bool:
    """Whether a helper stores to an array."""
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        for node in ast.walk(ast.parse(text))
    )


def refuse_missing(text: str, target: Target) -> None:
    """Refuses a text that names what its library does not have. Raises GradgenError."""
    if not target.table or target.name == "dask":
        return
    tree = ast.parse(text)
    imported = {
        alias.name: alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    if "numpy" in imported:
        raise GradgenError(
            "GG710",
            f"a constant of the module needs numpy, and the text is for {target.name}",
            advice="the constant as an argument",
        )
    table, library = links(target.table), target.library
    if target.name == "torch":  # its signatures cannot be read
        called = {name: [*words] for name, words in TORCH_KEYWORDS.items()}
        table = replace(table, names=called | {n: None for n in TORCH_NAMES.values()})
    alias = imported.get(library.module, library.alias)
    found = missing(text, table, alias, library.scipy)
    if found:
        first = found[0]
        lines = lines_of(text)
        raise GradgenError(
            "GG702",
            f"{target.name} has no {first.what} (as of {table.version}), which the text "
            f"needs: {lines[first.line - 1].strip()}",
            advice="--target numpy",
        )
