"""One logical line, broken over several as black breaks it past 88 columns.

Black tries its splits in a fixed order and keeps state between the tries (an
invisible parenthesis, once shown, stays). The functions below keep that order
and that state. `lay_out` is the way in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gradgen.printer.line import WIDTH, Cut, Line, columns, cut
from gradgen.printer.tokens import (
    CLOSERS,
    COMMA,
    DOT,
    OPENERS,
    Token,
    read,
    set_apart,
    soften,
)


# splits a line into parts, or does not apply; forced, it shows parentheses
Way = Callable[[Line, bool], list[Line]]


class _CannotSplit(Exception):
    """This way of splitting does not apply to the line."""


def lay_out(code: str, indent: int, comment: str = "") -> str:
    """The lines of one logical line, indented, with a comment after the last."""
    tokens = set_apart(read(code))
    tokens[-1].comment = comment
    line = Line(tokens, indent)
    if columns(line.hugged) <= WIDTH:
        return line.hugged
    tokens[-1].comment = ""
    tokens = soften(tokens)
    holds_one = not tokens[-1].text and tokens[-1].opening is tokens[-3]
    tokens[-2 if holds_one else -1].comment = comment
    return "\n".join(_split(Line(tokens, indent)))


def breaks_at_sums(text: str) -> bool:
    """Whether lines that were laid out break in brackets of arithmetic, at + and -.

    They do not where one breaks inside of a call or a subscript, or at a product, or
    is still too long.
    """
    lines = text.split("\n")
    for line in lines:
        if len(line) > WIDTH or line.endswith(","):
            return False
        before = line[:-1].rstrip(" ")[-1:] if line.endswith(("(", "[")) else ""
        if before and line[-2] != " " and line[-2] not in "([":
            return False
        if line.lstrip().startswith(("*", "/", "@", "%")):
            return False
    return len(lines) > 1


def breaks_once(text: str) -> bool:
    """Whether lines that were laid out are one call around its arguments, on a line.

    Or they are a product of two in brackets, a factor on each line.
    """
    lines = text.split("\n")
    if any(len(line) > WIDTH for line in lines) or lines[-1].strip() != ")":
        return False
    target, _, start = lines[0].partition(" = ")
    if len(lines) == 3:
        called = start[:-1].replace(".", "")
        return start.endswith("(") and called.isidentifier() and lines[1][-1] != ","
    product = lines[2].lstrip().startswith(("@ ", "* ")) if len(lines) == 4 else False
    return product and start == "(" and not lines[1].endswith(tuple("([{"))


def _split(line: Line, force: bool = False) -> list[str]:
    """The texts of the lines that a line becomes."""
    text = line.hugged
    if columns(text) <= WIDTH and not line.explode and not line.shows_soft():
        return [text]
    ways: Sequence[Way]
    if line.starts("def") or line.starts("async") and line.tokens[1].text == "def":
        ways = [_at_parameters]
    else:
        ways = [_at_delimiters] * line.inside + [_at_last_bracket]
    for way in ways:
        try:
            return _tried(line, way, force)
        except _CannotSplit:
            continue
    return _strings(line) or [text]


def _strings(line: Line) -> list[str]:
    """A string that stands alone in brackets, as several that fit; else nothing.

    before:  "expected rvec (3), tvec (3), points (n, 3), ...)"
    after:   "expected rvec (3), tvec (3), "
             "points (n, 3), ..."
    """
    first, *rest = (token.text for token in line.tokens)
    quote = first[0]
    plain = quote in "\"'" and first[:3] != 3 * quote and rest in ([], [","])
    between = next(sign for sign in ("), ", ", ", " ", "") if sign in first)
    if not line.inside or not plain or not between:
        return []
    margin = "    " * line.indent
    own, *words = first[1:-1].split(between)
    found = []
    for word in words:
        if columns(f"{margin}{quote}{own}{between}{word}{between}{quote}") > WIDTH:
            found.append(f"{margin}{quote}{own}{between}{quote}")
            own = word
        else:
            own += between + word
    found.append(f"{margin}{quote}{own}{quote}{''.join(rest)}")
    return found


def _tried(line: Line, way: Way, force: bool) -> list[str]:
    """The line split one way and its parts split on; shown parentheses if better."""
    text, result = line.text, []
    soft = [t for t in line.soft if t.level == 0]
    for part in way(line, force):
        if part.text == text:
            raise _CannotSplit
        result += _split(part, force)
    if force or way is not _at_last_bracket or not line.soft:
        return result
    if any(t.text for t in soft) or columns(result[0]) <= WIDTH:
        return result
    forced = _tried(line.copy(), way, True)
    return forced if all(columns(text) <= WIDTH for text in forced) else result


def _at_parameters(line: Line, force: bool) -> list[Line]:
    """A definition split at the parentheses of its parameters."""
    start = next(i for i, t in enumerate(line.tokens) if t.text == "(")
    opening = line.tokens[start]
    stop = next(i for i, t in enumerate(line.tokens) if t.opening is opening)
    if stop == start + 1:
        raise _CannotSplit
    return cut(line, start, stop).show()


def _at_delimiters(line: Line, force: bool) -> list[Line]:
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
    return [Line(part, line.indent, line.inside) for part in parts]


def _at_last_bracket(line: Line, force: bool) -> list[Line]:
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


def _trailers_to_omit(line: Line) -> Iterator[set[Token]]:
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


def _last_cut(line: Line, omit: set[Token]) -> Cut:
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
                return cut(line, start, stop)
            stop = start
        stop -= 1
    raise _CannotSplit


def _without_soft(at: Cut, line: Line, force: bool, omit: set[Any]) -> list[Line]:
    """The cut's lines, or those of a cut that leaves its soft parentheses out."""
    soft = not at.opening.text and not at.closing.text
    if soft and not force and not line.starts("from", "import") and _can_omit(at):
        try:
            inner = _last_cut(line, {at.closing, *omit})
            if _is_preferred(inner, at):
                return _without_soft(inner, line, force, {at.closing, *omit})
        except _CannotSplit:
            words = at.body.tokens[:2]
            whole = len(words) < 2 or words[0].kind == "string" and words[1].text == "."
            if whole and line.count("=") < 2 and not at.body.fits():
                raise
    return at.show()


def _is_preferred(inner: Cut, at: Cut) -> bool:
    """Whether a cut reads better than the soft parentheses after an `=`."""
    head, inner_head = at.head, inner.head
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


def _can_omit(at: Cut) -> bool:
    """Whether what stands in the soft parentheses splits well without them."""
    tokens, ranks = at.body.tokens, list(at.body.ranks.values())
    if not ranks:
        return True
    top = max(ranks)
    if ranks.count(top) > 1 or top == COMMA and at.head.starts("with"):
        return False
    if top == DOT:
        return True
    if tokens[0].side in OPENERS and tokens[1].side not in CLOSERS:
        if _opening_suffices(at.body):
            return True
    last = tokens[-1]
    whole = last.opening is not None and last.opening.atom
    if last.side not in (")", "}") and not (last.side == "]" and whole):
        return False
    return tokens[-2].side not in OPENERS and _closing_suffices(at.body)


def _opening_suffices(line: Line) -> bool:
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


def _closing_suffices(line: Line) -> bool:
    """Whether the line up to its last bracket pair fits, or has brackets itself."""
    length, brackets = 4 * line.indent, False
    for token in line.tokens:
        length += token.length
        if token is line.tokens[-1].opening:
            return brackets or length <= WIDTH
        brackets = brackets or token.side in OPENERS
    return False
