"""Which lines of the primal each line of an emitted text comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gradgen.frontend.source import OWN_HEADING, Source
from gradgen.ir.nodes import Note
from gradgen.printer.render import Rendered

_PSEUDO = ("Comment", "Blank")
_BLOCKS = ("body", "orelse", "finalbody")


def origins(
    text: str, functions: Iterable[Rendered], source: Source
) -> dict[int, tuple[int, ...]]:
    """Line of the text -> lines of the primal's file, both from 1.

    The statements of a function carry the lines that they come from; those of
    the printed text stand in the same order, so that the two are walked together.
    Comments belong to the statement below them.
    """
    known = range(source.first, source.first + len(source.lines))
    defined = {
        node.name: node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }
    rows = text.split("\n")
    found: dict[int, tuple[int, ...]] = {}
    for function in functions:
        for origin, first, last in _statements(
            function.node.body, defined[function.name].body
        ):
            lines = tuple(n for n in _numbers(origin, source) if n in known)
            while _is_heading(rows[first - 2]):
                first -= 1
            found.update(dict.fromkeys(range(first, last + 1), lines) if lines else {})
    return found


def _is_heading(row: str) -> bool:
    """Whether a row is a comment on the statement below; one heads a whole half."""
    text = row.strip()
    return text.startswith("# ") and text != f"# {OWN_HEADING}"


def _statements(
    ours: Sequence, theirs: Sequence[ast.stmt]
) -> Iterator[tuple[object, int, int]]:
    """(origin, first row, last row) of each statement; of a block its head's rows."""
    ours = [node for node in ours if type(node).__name__ not in _PSEUDO]
    for own, read in zip(ours, theirs, strict=True):
        inside = [(b, getattr(read, b)) for b in _BLOCKS if getattr(read, b, None)]
        last = read.end_lineno or read.lineno
        if inside:
            # the comments above its first statement belong to that one
            last = max(_rows_of_head(read), default=read.lineno)
        yield getattr(own, "origin", None), read.lineno, last
        for name, block in inside:
            yield from _statements(getattr(own, name), block)


def _rows_of_head(node: ast.stmt) -> Iterator[int]:
    for name, value in ast.iter_fields(node):
        if name not in _BLOCKS and isinstance(value, ast.AST):
            yield from (n.end_lineno for n in ast.walk(value) if hasattr(n, "lineno"))


def _numbers(origin: object, source: Source) -> Iterator[int]:
    if isinstance(origin, Note):
        if origin.place is None or origin.place.file == source.file:
            yield from (line.number for line in origin.lines if line.text)
    elif origin is not None:
        yield from origin


def statement_rows(source: Source) -> Mapping[int, int]:
    """Row of the primal's file -> the first row of the statement it belongs to."""
    found: dict[int, int] = {}

    def walk(body: Sequence) -> None:
        for node in body:
            blocks = [getattr(node, name, None) or [] for name in _BLOCKS]
            inner = [one for block in blocks for one in block]
            last = inner[0].lineno - 1 if inner else node.end_lineno
            for row in range(node.lineno, max(last, node.lineno) + 1):
                found[source.first + row - 1] = source.first + node.lineno - 1
            walk(inner)

    walk(source.node.body)
    return found
