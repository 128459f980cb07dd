"""Tokens that stand on one line, and the line cut in three at a pair of brackets."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from gradgen.printer.tokens import CLOSERS, COMMA, OPENERS, Token, hugs, mark

WIDTH = 88


class Line:
    """Tokens at an indentation; `ranks` has the tokens after which it may break.

    `inside` says that the line stands in brackets of another, `explode` that it
    must be broken even where it fits; it may break among its `marked` tokens.
    """

    def __init__(
        self,
        tokens: list[Token],
        indent: int,
        inside: bool = False,
        explode: bool = False,
        marked: list[Token] | None = None,
    ) -> None:
        self.tokens, self.indent = tokens, indent
        self.inside, self.explode = inside, explode
        if tokens:
            tokens[0].gap = ""
        marked = tokens if marked is None else marked
        self.ranks = mark(marked)
        self.soft = [t for t in marked if t.side and not t.text]

    @property
    def text(self) -> str:
        return self._text([token.gap for token in self.tokens])

    @property
    def hugged(self) -> str:
        """The text as it is printed, with no spaces around a simple `**`."""
        tokens, gaps = self.tokens, [token.gap for token in self.tokens]
        for i in range(1, len(tokens) - 1):
            if tokens[i].text == "**" and hugs(tokens, i):
                gaps[i] = gaps[i + 1] = ""
        return self._text(gaps)

    def _text(self, gaps: list[str]) -> str:
        code = "".join([gap + t.text for gap, t in zip(gaps, self.tokens)])
        comments = [f"  {t.comment}" for t in self.tokens if t.comment]
        return "    " * self.indent + code + "".join(comments)

    def starts(self, *words: str) -> bool:
        return self.tokens[0].text in words

    def count(self, text: str) -> int:
        return sum(token.text == text for token in self.tokens)

    def fits(self, width: int = WIDTH) -> bool:
        return columns(self.text) <= width

    def shows_soft(self) -> bool:
        """Whether parentheses that were shown for a break stand on this line."""
        soft = [t for t in self.tokens if t.kind == "soft" and t.text]
        return any(t.opening in soft for t in soft)

    def copy(self) -> Line:
        """The same line as it was read, its brackets matched anew."""
        new: dict[Token, Token] = {}
        for t in self.tokens:
            opening = None if t.opening is None else new.get(t.opening)
            new[t] = Token(t.text, t.space, t.kind, t.side, opening, t.atom)
            new[t].rank, new[t].comment = t.rank, t.comment
        return Line(list(new.values()), self.indent, self.inside, self.explode)


class Cut(NamedTuple):
    """A line up to a bracket pair, inside it, and from its end on."""

    head: Line
    body: Line
    tail: Line
    opening: Token
    closing: Token

    def show(self) -> list[Line]:
        """The three lines, the brackets made visible."""
        self.opening.text, self.closing.text = self.opening.side, self.closing.side
        return [self.head, self.body, self.tail]


def cut(line: Line, start: int, stop: int) -> Cut:
    """The line cut at the brackets that stand at `start` and `stop`."""
    opening, closing = line.tokens[start], line.tokens[stop]
    head, body = line.tokens[: start + 1], line.tokens[start + 1 : stop]
    if line.starts("from") or _is_lone_parameter(line, opening, body):
        body.append(Token(","))
    inside = Line(body, line.indent + 1, True)
    ranks = [rank for token, rank in inside.ranks.items() if token is not body[-1]]
    comma = body[-1].text == ","
    inside.explode = max(ranks, default=0) == COMMA and (comma or opening.atom)
    paired: set[Token] = set()
    stack: list[list[Token]] = []
    for token in head:
        if token.side in OPENERS:
            stack.append([token])
        elif stack:
            stack[-1].append(token)
            if token.side in CLOSERS:
                paired.update(stack.pop())
    before = Line(head, line.indent, marked=[t for t in head if t in paired])
    after = Line(line.tokens[stop:], line.indent, marked=[])
    return Cut(before, inside, after, opening, closing)


def _is_lone_parameter(line: Line, opening: Token, body: list[Token]) -> bool:
    """Whether the brackets hold a definition's only parameter."""
    if not line.starts("def", "async") or opening.text != "(":
        return False
    annotation = False
    for token in body:
        if token.level == 1 and token.text in (":", "=", ","):
            annotation = token.text == ":"
        if token.text == "," and not annotation:
            return False
    return True


def columns(text: str) -> int:
    """The columns that a text fills on a screen."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)
