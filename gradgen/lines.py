"""The lines of a source text as Python splits them, and what stands at a node.

Python ends a line at "\\n", "\\r\\n" or "\\r". str.splitlines ends one at ten more
characters, which may stand in any comment and any string: whoever slices by it reads
other lines than Python runs. Columns of nodes count bytes of UTF-8.
"""

from __future__ import annotations

import hashlib
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from typing import Any

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LEAD = re.compile(r"[ \t\f]*")
# names of the tokens that begin and end formatted strings, in Pythons that have them
_BEGINS = ("FSTRING_START", "TSTRING_START")
_ENDS = ("FSTRING_END", "TSTRING_END")
_NO_CODE = frozenset(
    [tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT]
    + [tokenize.DEDENT, tokenize.ENDMARKER]
)


def text_name(name: str, text: str) -> str:
    """What the file of a text without one is called: the same for the same text."""
    return f"<gradgen {name} {hashlib.sha256(text.encode()).hexdigest()[:12]}>"


def is_of_a_call(file: str) -> bool:
    """Whether a file is the text of a call with what is known in it (runtime/fixed.py)."""
    return file.startswith("<gradgen fixed ")


def lines_of(text: str, ends: bool = False) -> list[str]:
    """The lines of a text, without their ends; with them where `ends` says so.

    before:  "x = 1  # a<form feed>b\\r\\ny = 2"
    after:   ["x = 1  # a<form feed>b", "y = 2"]
    """
    found = _LINE.findall(text)
    return found if ends else [line.rstrip("\r\n") for line in found]


def segment(lines: Sequence[str], node: Any) -> str:
    """The text of a node, whose rows count from 1 in these lines."""
    first, last = node.lineno - 1, node.end_lineno - 1
    found = [line.encode("utf-8", "surrogatepass") for line in lines[first : last + 1]]
    found[-1] = found[-1][: node.end_col_offset]
    found[0] = found[0][node.col_offset :]
    return b"\n".join(found).decode("utf-8", "surrogatepass")


def dedented(text: str) -> str:
    """A definition that is indented, as it would stand at the top.

    before:      def f(x):
                     return g(x, \"\"\"a
            b\"\"\")
    after:   def f(x):
                 return g(x, \"\"\"a
            b\"\"\")

    What stands in a string stays: it is part of the value. A form feed before a line
    begins its columns anew, and goes.
    """
    lines = text.split("\n")
    first = _LEAD.match(lines[0])
    margin = first[0].rpartition("\f")[2] if first else ""
    if not margin and "\f" not in text:
        return text
    try:
        kept = set(_rows_in_strings(text))
    except (tokenize.TokenError, SyntaxError):
        return text
    for row, line in enumerate(lines):
        found = _LEAD.match(line)
        if row in kept or found is None:
            continue
        lead = found[0].rpartition("\f")[2]
        lead = lead.removeprefix(margin) if lead.startswith(margin) else ""
        lines[row] = lead + line[found.end() :]
    return "\n".join(lines)


def _rows_in_strings(text: str) -> Iterator[int]:
    """The rows, from 0, that begin inside of a string."""
    for _, (start, _), (end, _) in words(text):
        yield from range(start, end)


def words(text: str) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """The words of a text that are code, with their places; a string is one word.

    Rows count from 1. Raises TokenError where the text ends too early.
    """
    rows = lines_of(text)
    begun: list[tuple[int, int]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name in _BEGINS:
            begun.append(token.start)
        elif name in _ENDS:
            start = begun.pop()
            if not begun:
                yield _between(rows, start, token.end), start, token.end
        elif not begun and token.type not in _NO_CODE:
            yield token.string, token.start, token.end


def _between(rows: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    found = list(rows[start[0] - 1 : end[0]])
    found[-1] = found[-1][: end[1]]
    found[0] = found[0][start[1] :]
    return "\n".join(found)


def on_one_line(text: str) -> str:
    """A statement on one line: its comments dropped, its lines joined.

    before:  x = f(
                 a,  # the first
                 "# no comment",
             )
    after:   x = f(a, "# no comment")
    """
    try:
        found = list(words(text + "\n"))
    except (tokenize.TokenError, SyntaxError):
        return " ".join(text.split())
    rows, joined = lines_of(text), ""
    row, column = 1, 0
    for word, start, end in found:
        same = start[0] == row
        gap = rows[row - 1][column : start[1]] if same else " " * bool(joined)
        if word in (")", "]", "}") and gap:
            joined, gap = joined.removesuffix(","), ""
        elif joined[-1:] in ("(", "[", "{"):
            gap = ""
        joined += gap + word.replace("\n", "\\n")
        row, column = end
    return joined
