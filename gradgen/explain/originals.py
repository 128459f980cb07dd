"""The functions that a text is made of: the one asked for, and those that it calls."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gradgen.frontend.source.source import Source
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Function, Line, Note
from gradgen.ir.walk import statements
from gradgen.lines import dedented

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
Keys = Callable[[Iterable[Line]], tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Original:
    """A function, or a line of a module, as it stands in its file.

    `lines` are dedented, the first of them is line `first` of `file`. `rows` leads from
    a line to the first one of the statement that it belongs to; what belongs to none,
    such as a decorator, belongs to the line `head` of the def. `prefix` is what
    the keys of its lines have in front of their numbers.
    """

    title: str
    file: str
    first: int
    lines: tuple[str, ...]
    rows: Mapping[int, int]
    head: int
    prefix: str = ""

    def key(self, number: int) -> str:
        """What a line of it is called in a page: 12, or 1.12 in a second file."""
        return f"{self.prefix}{number}"

    @property
    def name(self) -> str:
        """The name in its def."""
        return re.split(r"[.:]", self.title)[-1]

    def __contains__(self, number: int) -> bool:
        return self.first <= number < self.first + len(self.lines)


@dataclass(frozen=True)
class Originals:
    """The original of a text and those of the functions that it calls, in order.

    `places` tells of a line, by its number and its text, which one it stands in.
    """

    all: tuple[Original, ...]
    places: Mapping[tuple[int, str], Original]

    def keys(self, lines: Iterable[Line]) -> tuple[str, ...]:
        """The keys of the lines that stand in one of the originals, each once."""
        found: dict[str, None] = {}
        for line in lines:
            home = self.places.get((line.number, line.text))
            if home is not None:
                found[home.key(line.number)] = None
        return tuple(found)

    def head(self, name: str = "") -> str:
        """The key of the def of the function of that name; of the first one without."""
        named = (one for one in self.all if one.name == name)
        one = next(named, self.all[0])
        return one.key(one.head)


def originals(source: Source, functions: Iterable[Function]) -> Originals:
    """The function itself, and each that the lines of `functions` stand in.

    A statement tells of its line and of the file that it stands in. Where the file does
    not have that line, as one that was edited meanwhile, there is no original of it.
    """
    start = source.first - 1
    own = Original(
        source.name,
        source.file,
        source.first,
        source.lines,
        {row + start: first + start for row, first in _rows(source.node.body)},
        source.node.lineno + start,
    )
    found, files = [own], {source.file: ""}
    places: dict[tuple[int, str], Original] = {}
    parsed: dict[str, ast.Module | None] = {}
    for note in _notes(functions):
        if note.place is None:
            continue
        file = note.place.file
        for line in note.lines:
            if not line.text or (line.number, line.text) in places:
                continue
            if file == own.file and line.number in own:
                places[line.number, line.text] = own
                continue
            if not _stands(line, file):
                continue
            there = [one for one in found if one.file == file and line.number in one]
            if not there:
                prefix = files.setdefault(file, f"{len(files)}.")
                there = list(_around(file, line.number, prefix, parsed))
                found += there
            places.update({(line.number, line.text): one for one in there[:1]})
    return Originals(tuple(found), places)


def _notes(functions: Iterable[Function]) -> Iterator[Note]:
    for function in functions:
        yield from (stmt.note for stmt in statements(function.body))


def _stands(line: Line, file: str) -> bool:
    """Whether the file has such a statement, or such a head, in this line."""
    rows = linecache.getlines(file)
    if not 0 < line.number <= len(rows):
        return False
    there = re.sub(r"\s", "", rows[line.number - 1].partition("#")[0])
    told = re.sub(r"\s", "", line.text)
    return bool(there) and (told.startswith(there) or there.startswith(told))


def _around(
    file: str, number: int, prefix: str, parsed: dict[str, ast.Module | None]
) -> Iterator[Original]:
    """The def around a line of a file; outside of all of them the statement."""
    rows = linecache.getlines(file)
    if file not in parsed:
        try:
            parsed[file] = ast.parse("".join(rows))
        except (SyntaxError, ValueError):
            parsed[file] = None
    tree = parsed[file]
    node, names = _innermost(tree.body if tree is not None else (), number, ())
    if node is None:
        return
    inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    above = [one.lineno for one in getattr(node, "decorator_list", ())]
    first = min([node.lineno, *above])
    text = dedented("".join(rows[first - 1 : node.end_lineno]))
    head = node.lineno
    body = getattr(node, "body", []) if inside else [node]
    title = ".".join(names) if names else f"{file}:{node.lineno}"
    lines = tuple(text.rstrip("\n").split("\n"))
    yield Original(title, file, first, lines, dict(_rows(body)), head, prefix)


def _innermost(
    body: Sequence[ast.stmt], number: int, names: tuple[str, ...]
) -> tuple[Any, tuple[str, ...]]:
    """The outermost def around a line, below its classes, and its path of names."""
    for node in body:
        first = min(
            [node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]
        )
        if not first <= number <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, ast.ClassDef):
            return _innermost(node.body, number, (*names, node.name))
        named = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        return node, (*names, getattr(node, "name")) if named else names
    return None, names


def _rows(body: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """(row, first row of its statement) for each row of these statements."""
    for node in body:
        if not hasattr(node, "lineno"):  # a case of match
            yield from _rows(node.body)
            continue
        blocks = [getattr(node, name, None) or [] for name in BLOCKS]
        inner = [one for block in blocks if isinstance(block, list) for one in block]
        starts = [one.lineno for one in inner if hasattr(one, "lineno")]
        last = min(starts) - 1 if starts else node.end_lineno
        for row in range(node.lineno, max(last, node.lineno) + 1):
            yield row, node.lineno
        yield from _rows(inner)
