"""Python text as lines of HTML, its words in classes that the page colours."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from gradgen.quoting import visible

# the class of a kind of token, and of all the kinds below it
_CLASSES = (
    (Comment, "c"),
    (String, "s"),
    (Number, "m"),
    (Name.Function, "f"),
    (Operator.Word, "k"),
    (Keyword, "k"),
)


def coloured(text: str) -> list[str]:
    """The lines of a text as HTML, without their line ends."""
    lines = [""]
    for kind, value in _tokens(text):
        name = next((name for above, name in _CLASSES if kind in above), "")
        first, *rest = (_span(name, part) for part in value.split("\n"))
        lines[-1] += first
        lines += rest
    return lines


def words(text: str) -> list[list[str]]:
    """The names in each line of a text; no attributes, and none in strings.

    before:  h = np.tanh(X @ self.W)
    after:   h, np, X, self
    """
    lines: list[list[str]] = [[]]
    before = ""
    for kind, value in _tokens(text):
        if kind in Name and before != ".":
            lines[-1].append(value)
        lines += [[] for _ in range(value.count("\n"))]
        before = value
    return lines


def _tokens(text: str) -> Iterator[tuple[Any, str]]:
    return iter(PythonLexer(stripnl=False, ensurenl=False).get_tokens(text))


def _span(name: str, text: str) -> str:
    text = html.escape(visible(text))
    return f'<span class="{name}">{text}</span>' if name and text else text
