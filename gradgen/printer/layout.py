"""One logical line, broken over several as black breaks it past 88 columns.

Black tries its splits in a fixed order and keeps state between the tries (an
invisible parenthesis, once shown, stays). The functions below keep that order
and that state. `lay_out` is the way in.
"""

from __future__ import annotations

import unicodedata
from typing import Iterator, NamedTuple

from gradgen.printer.tokens import CLOSERS, COMMA, DOT, OPENERS, Token
from gradgen.printer.tokens import mark, read, soften

WIDTH = 88


class _CannotSplit(Exception):
    """This way of splitting does not apply to the line."""


class _Line:
    """Tokens that stand on one line, and the ranks of its places to split."""

    def __init__(self, tokens, indent, inside=False, explode=False, marked=None):
        self.tokens, self.indent = tokens, indent
        self.inside, self.explode = inside, explode
        if tokens:
            tokens[0].gap = ""
        marked = tokens if marked is None else marked
        self.ranks = mark(marked)
        self.soft = [t for t in marked if t.side and not t.text]

    @property
    def text(self) -> str:
        code = "".join([t.gap + t.text for t in self.tokens])
        comments = "".join([f"  {t.comment}" for t in self.tokens if t.comment])
        return "    " * self.indent + code + comments

    def starts(self, *words: str) -> bool:
        return self.tokens[0].text in words

    def count(self, text: str) -> int:
        return sum(t.text == text for t in self.tokens)

    def fits(self, width: int = WIDTH) -> bool:
        return _columns(self.text) <= width

    def copy(self) -> _Line:
        """The same line as it was read, its brackets matched anew."""
        new: dict[Token, Token] = {}
        for t in self.tokens:
            opening = new.get(t.opening)
            new[t] = Token(t.text, t.space, t.kind, t.side, opening, t.atom)
            new[t].rank, new[t].comment = t.rank, t.comment
        return _Line(list(new.values()), self.indent, self.inside, self.explode)


class _Cut(NamedTuple):
    """A line cut at a pair of brackets: up to it, inside it, from its end on."""

    head: _Line
    body: _Line
    tail: _Line
    opening: Token
    closing: Token

    def lines(self) -> list[_Line]:
        return [line for line in self[:3] if line.tokens]


def lay_out(code: str, indent: int, comment: str = "") -> str:
    """The lines of one logical line, indented, with a comment after the last."""
    tokens = read(code)
    tokens[-1].comment = comment
    line = _Line(tokens, indent)
    if _columns(_hugged(line)) <= WIDTH:
        return _hugged(line)
    tokens[-1].comment = ""
    tokens = soften(tokens)
    holds_one = not tokens[-1].text and tokens[-1].opening is tokens[-3]
    tokens[-2 if holds_one else -1].comment = comment
    return "\n".join(_split(_Line(tokens, indent)))


def _columns(text: str) -> int:
    """The columns that a text fills on a screen."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def _hugged(line: _Line) -> str:
    """The line's text, with no space around `**` between simple operands."""
    tokens, gaps = line.tokens, [t.gap for t in line.tokens]
    for i in range(1, len(tokens) - 1):
        if tokens[i].text == "**" and _is_simple(tokens, i):
            gaps[i] = gaps[i + 1] = ""
    code = "".join([gap + t.text for gap, t in zip(gaps, tokens)])
    comments = "".join([f"  {t.comment}" for t in tokens if t.comment])
    return "    " * line.indent + code + comments


def _is_simple(tokens: list[Token], i: int) -> bool:
    """Whether names, dotted names or numbers stand on both sides of a `**`."""
    base = tokens[i - 1]
    if base.kind not in ("name", "number") or base.text == "lambda":
        return False
    if i > 2 and tokens[i - 2].text == "." and tokens[i - 3].text in (")", "]"):
        return False
    i += 1 + (tokens[i + 1].text in ("+", "-", "~"))
    if tokens[i].kind not in ("name", "number"):
        return False
    for token in tokens[i:]:
        if token.side in ("(", "["):
            return False
        if token.kind != "name" and token.text != "." or token.text == "for":
            break
    return True


def _split(line: _Line, force: bool = False) -> list[str]:
    """The texts of the lines that a line becomes."""
    text = _hugged(line)
    if _columns(text) <= WIDTH and not line.explode:
        return [text]
    if line.starts("def") or line.starts("async") and line.tokens[1].text == "def":
        ways = [_at_parameters]
    else:
        ways = [_at_delimiters] * line.inside + [_at_last_bracket]
    for way in ways:
        try:
            return _tried(line, way, force)
        except _CannotSplit:
            continue
    return [text]


def _tried(line: _Line, way, force: bool) -> list[str]:
    """The line split one way and its parts split on; shown parentheses if better."""
    text, result = line.text, []
    soft = [t for t in line.soft if t.level == 0]
    for part in way(line, force):
        if part.text == text:
            raise _CannotSplit
        result += _split(part, force)
    if force or way is not _at_last_bracket or not line.soft:
        return result
    if any(t.text for t in soft) or _columns(result[0]) <= WIDTH:
        return result
    forced = _tried(line.copy(), way, True)
    return forced if all(_columns(text) <= WIDTH for text in forced) else result


def _at_parameters(line: _Line, force: bool) -> list[_Line]:
    """A definition split at the parentheses of its parameters."""
    start = next(i for i, t in enumerate(line.tokens) if t.text == "(")
    opening = line.tokens[start]
    stop = next(i for i, t in enumerate(line.tokens) if t.opening is opening)
    if stop == start + 1:
        raise _CannotSplit
    return _cut(line, start, stop).lines()


def _at_delimiters(line: _Line, force: bool) -> list[_Line]:
    """A line inside brackets, split at all its delimiters of the highest rank."""
    last = line.tokens[-1]
    ranks = [rank for token, rank in line.ranks.items() if token is not last]
    top = max(ranks, default=0)
    if not ranks or top == DOT and ranks.count(DOT) == 1:
        raise _CannotSplit
    parts: list[list[Token]] = [[]]
    for token in line.tokens:
        parts[-1].append(token)
        if line.ranks.get(token) == top and token is not last:
            parts.append([])
    if top == COMMA and last.text != ",":
        parts[-1].append(Token(","))
    return [_Line(part, line.indent, line.inside) for part in parts]


def _at_last_bracket(line: _Line, force: bool) -> list[_Line]:
    """A line split at its last bracket pair that leaves a first line which fits."""
    columns, offsets = 4 * line.indent, {}
    for token in line.tokens:
        offsets[token] = columns
        columns += len(token.gap) + len(token.text)
    first = None
    for omit in _trailers_to_omit(line):
        if omit:
            ends = (t for t in reversed(line.tokens) if t.side in CLOSERS)
            opening = next((t.opening for t in ends if t not in omit), None)
            if opening and opening.text and offsets.get(opening, 0) > WIDTH:
                continue
        lines = _without_soft(_last_cut(line, omit), line, force, omit)
        if lines[0].fits():
            return lines
        first = first or (None if omit else lines)
    return first or _without_soft(_last_cut(line, set()), line, force, set())


def _trailers_to_omit(line: _Line) -> Iterator[set[Token]]:
    """Growing sets of closing brackets that may stay glued to what follows them."""
    omit: set[Token] = set()
    yield omit
    length, opening, closing = 4 * line.indent, None, None
    inner: set[Token] = set()
    for i in range(len(line.tokens) - 1, -1, -1):
        token = line.tokens[i]
        length += token.length
        if length > WIDTH or token.comment:
            break
        if opening:
            if token is opening:
                opening = None
            elif token.side in CLOSERS:
                inner.add(token)
        elif token.side in CLOSERS:
            if i and line.tokens[i - 1].side in OPENERS:
                inner.add(token)
                continue
            if closing:
                omit.add(closing)
                omit |= inner
                inner.clear()
                yield omit
            if token.text:
                opening, closing = token.opening, token


def _last_cut(line: _Line, omit: set[Token]) -> _Cut:
    """The line cut at its last bracket pair that holds something, less `omit`."""
    stop = len(line.tokens) - 1
    while stop >= 0:
        closing = line.tokens[stop]
        if closing.side in CLOSERS and closing not in omit:
            start = stop - 1
            while start >= 0 and line.tokens[start] is not closing.opening:
                start -= 1
            if start < 0:
                break
            if start < stop - 1:
                return _cut(line, start, stop)
            stop = start
        stop -= 1
    raise _CannotSplit


def _cut(line: _Line, start: int, stop: int) -> _Cut:
    """The line cut at the brackets that stand at `start` and `stop`."""
    opening, closing = line.tokens[start], line.tokens[stop]
    head, body = line.tokens[: start + 1], line.tokens[start + 1 : stop]
    if line.starts("from") or _is_lone_parameter(line, opening, body):
        body.append(Token(","))
    paired: set[Token] = set()
    stack: list[list[Token]] = []
    for token in head:
        if token.side in OPENERS:
            stack.append([token])
        elif stack:
            stack[-1].append(token)
            if token.side in CLOSERS:
                paired.update(stack.pop())
    inside = _Line(body, line.indent + 1, True)
    ranks = [rank for token, rank in inside.ranks.items() if token is not body[-1]]
    comma = body[-1].text == ","
    inside.explode = max(ranks, default=0) == COMMA and (comma or opening.atom)
    marked = [token for token in head if token in paired]
    tail = _Line(line.tokens[stop:], line.indent, marked=())
    return _Cut(_Line(head, line.indent, marked=marked), inside, tail, opening, closing)


def _is_lone_parameter(line: _Line, opening: Token, body: list[Token]) -> bool:
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


def _without_soft(cut: _Cut, line: _Line, force: bool, omit: set) -> list[_Line]:
    """The cut's lines, or those of a cut that leaves its soft parentheses out."""
    soft = not cut.opening.text and not cut.closing.text
    if soft and not force and not line.starts("from", "import") and _can_omit(cut):
        try:
            inner = _last_cut(line, {cut.closing, *omit})
            if _is_preferred(inner, cut):
                return _without_soft(inner, line, force, {cut.closing, *omit})
        except _CannotSplit:
            if line.count("=") < 2 and len(cut.body.tokens) < 2 and not cut.body.fits():
                raise
    cut.opening.text, cut.closing.text = cut.opening.side, cut.closing.side
    return cut.lines()


def _is_preferred(inner: _Cut, cut: _Cut) -> bool:
    """Whether a cut reads better than the soft parentheses after an `=`."""
    head, inner_head = cut.head, inner.head
    if len(head.tokens) < 2 or head.tokens[-2].text != "=":
        return True
    if not any(t.side for t in head.tokens[:-1]) or not head.fits(WIDTH - 1):
        return True
    if head.count("=") > 1 and head.count("=") > inner_head.count("="):
        return False
    for token in reversed(inner_head.tokens):
        if token.text == "=":
            return inner_head.fits()
        if token.side in CLOSERS:
            return True
    return False


def _can_omit(cut: _Cut) -> bool:
    """Whether what stands in the soft parentheses splits well without them."""
    tokens, ranks = cut.body.tokens, list(cut.body.ranks.values())
    if not ranks:
        return True
    top = max(ranks)
    if ranks.count(top) > 1 or top == COMMA and cut.head.starts("with"):
        return False
    if top == DOT:
        return True
    if tokens[0].side in OPENERS and tokens[1].side not in CLOSERS:
        if _opening_suffices(cut.body):
            return True
    last = tokens[-1]
    if last.side not in (")", "}") and not (last.side == "]" and last.opening.atom):
        return False
    return tokens[-2].side not in OPENERS and _closing_suffices(cut.body)


def _opening_suffices(line: _Line) -> bool:
    """Whether all that follows the first bracket pair fits, up to a next bracket."""
    rest, length = False, 4 * line.indent
    for token in line.tokens:
        rest = rest or token.opening is line.tokens[0]
        if rest:
            length += token.length
            if length > WIDTH:
                return False
            rest = token.side not in OPENERS
    return True


def _closing_suffices(line: _Line) -> bool:
    """Whether the line up to its last bracket pair fits, or has brackets itself."""
    length, brackets = 4 * line.indent, False
    for token in line.tokens:
        length += token.length
        if token is line.tokens[-1].opening:
            return brackets or length <= WIDTH
        brackets = brackets or token.side in OPENERS
    return False
