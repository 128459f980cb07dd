"""The words of a logical line, and the unseen parentheses black holds ready in it.

`read` gives the tokens of a line's text, each with the rank of a break there;
`soften` adds the parentheses that black may show around parts of a statement;
`mark` says after which tokens of a line it may break.
"""

from __future__ import annotations

import re
from keyword import kwlist
from typing import Any, Iterable, Iterator

CLOSERS = frozenset(")]}")
OPENERS = frozenset("([{")
DOT, TERNARY, COMMA, CLAUSE = 1, 16, 18, 20

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>[bBfFrRuU]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"
        |'''(?:[^\\]|\\.)*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))
    |(?P<number>0[xob]\w+|\d[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?j?)
    |(?P<name>\w+)
    |(?P<op>\.\.\.|->|(?:\*\*|//|>>|<<|[-+*/%@&|^=<>!:])=|\*\*|//|>>|<<|\S))""",
    re.VERBOSE | re.DOTALL,
)
_RANKS = {"|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5, "*": 4, "/": 4}
_RANKS |= {"//": 4, "%": 4, "@": 4, "**": 2, "and": 14, "or": 14}
_RANKS |= dict.fromkeys(["<", ">", "==", "!=", "<=", ">=", "is", "in", "not"], 10)
_RANKS |= {"if": TERNARY, "else": TERNARY}
_OPERATOR_WORDS = frozenset(kwlist) - {"None", "True", "False"}
_ASSIGNMENTS = frozenset("= += -= *= /= //= %= @= &= |= ^= >>= <<= **= :".split())


class Token:
    """A word and the space before it; `side` is the bracket it is, seen or not."""

    __slots__ = "text space gap kind side opening atom rank level comment".split()

    def __init__(
        self,
        text: str,
        space: str = "",
        kind: str = "op",
        side: str = "",
        opening: Token | None = None,
        atom: bool = False,
    ) -> None:
        self.text, self.kind, self.side = text, kind, side
        self.space = self.gap = space  # as read; as it stands on its line now
        self.opening, self.atom = opening, atom  # an atom's bracket, not a call's
        self.rank, self.level, self.comment = 0, 0, ""

    @property
    def length(self) -> int:
        return len(self.gap) + len(self.text) + len(self.comment)


def read(code: str) -> list[Token]:
    """The tokens of a line, brackets matched, with the rank of a break at each."""
    tokens: list[Token] = []
    outer: list[tuple[Any, ...]] = []
    opening: Token | None = None
    clauses, target, operand_next = False, False, True
    for match in _TOKEN.finditer(code):
        kind = match.lastgroup
        assert kind is not None  # each alternative has a name
        text = match[kind]
        token = Token(text, code[match.start() : match.start(kind)], kind)
        if text in CLOSERS:
            token.side, token.opening = text, opening
            opening, clauses, target = outer.pop()
        elif text in OPENERS:
            token.side, token.atom = text, operand_next or text == "{"
            outer.append((opening, clauses, target))
            opening, clauses, target = token, False, False
        elif text == ",":
            token.rank = 0 if target and clauses else COMMA
        elif text == ".":
            token.rank = DOT
        elif text == "for":
            token.rank = CLAUSE if tokens else 0
            clauses, target = bool(tokens), True
        elif text == "in" and target:
            target = False
        elif text in _RANKS and not operand_next:
            token.rank = CLAUSE if text == "if" and clauses else _RANKS[text]
        tokens.append(token)
        if kind == "op":
            operand_next = text not in CLOSERS and text != "..."
        else:
            operand_next = text in _OPERATOR_WORDS
    return tokens


def hugs(tokens: list[Token], i: int) -> bool:
    """Whether black sets the `**` at `i` without spaces: between names or numbers."""
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


def set_apart(tokens: list[Token]) -> list[Token]:
    """The tokens, with parentheses around `x**n` before a word and a bracket.

    Black then reads the bracket as part of the exponent, and ruff does not:
    `x**n if f(y) else z` has one form for each, `(x**n) if f(y) else z` for both.
    """
    for i in range(len(tokens) - 2, 0, -1):
        if tokens[i].text != "**" or hugs(tokens, i):
            continue
        start, stop = i - 1, i + 2 + (tokens[i + 1].text in ("+", "-", "~"))
        while start > 1 and tokens[start - 1].text == ".":
            start -= 2
        while stop < len(tokens) and tokens[stop].text == ".":
            stop += 2
        ends = tokens[start], tokens[min(stop, len(tokens)) - 1]
        simple = all(t.kind in ("name", "number") for t in ends)
        word = stop < len(tokens) and tokens[stop].text in _OPERATOR_WORDS
        if simple and word and ends[0].text != "lambda":
            opening = Token("(", ends[0].space, "op", "(", None, True)
            ends[0].space = ends[0].gap = ""
            tokens.insert(stop, Token(")", "", "op", ")", opening))
            tokens.insert(start, opening)
    return tokens


def soften(tokens: list[Token]) -> list[Token]:
    """The tokens of a statement, with the parentheses that black may show in it."""
    mark(tokens)
    spans = [span for span in _statement_spans(tokens) if span[0] < span[1]]
    starts = {start for start, _ in spans}
    spans += [span for span in _conditional_spans(tokens, starts) if span not in spans]
    before: dict[int, list[Token]] = {}
    after: dict[int, list[Token]] = {}
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        first, last = tokens[start], tokens[stop - 1]
        closed = tokens[stop].opening if stop < len(tokens) else None
        if first.text == "(" and last.opening is first:
            continue
        if closed and closed is tokens[start - 1] and closed.text == "(":
            continue
        # ruff wants to see a long tuple's parentheses, and black does not mind
        shown = stop == len(tokens) and tokens[start - 1].text in ("=", "return")
        commas = [t for t in tokens[start:stop] if t.text == "," and not t.level]
        opening, closing = "()" if shown and commas else ("", "")
        soft = Token(opening, first.space, "soft", "(", None, start in starts)
        first.space = first.gap = ""
        before.setdefault(start, []).append(soft)
        after.setdefault(stop, []).insert(0, Token(closing, "", "soft", ")", soft))
    result: list[Token] = []
    for i, token in enumerate(tokens):
        result += [*after.get(i, ()), *before.get(i, ()), token]
    return result + after.get(len(tokens), [])


def _statement_spans(tokens: list[Token]) -> list[tuple[int, int]]:
    """Where black wraps the parts of a statement: their first token, and the next."""
    first, end = tokens[0].text, len(tokens)
    outer = [(i, t.text) for i, t in enumerate(tokens) if t.level == 0]
    if first == "return":
        return [(1, end)]
    if first in ("if", "elif", "while"):
        return [(1, end - 1)]
    if first in ("assert", "for"):
        word, end = ("in", end - 1) if first == "for" else (",", end)
        cut = next((i for i, text in outer if text == word), end)
        return [(1, cut), (cut + 1, end)]
    if first == "from":
        return [(i + 1, end) for i, text in outer if text == "import"]
    if first in ("def", "async", "class", "with", "except", "del"):
        return []
    cuts = [i for i, text in outer if text in _ASSIGNMENTS]
    cuts = cuts[:1] + [i for i in cuts[1:] if tokens[i].text != ":"]  # not a lambda's
    spans = [(a + 1, b) for a, b in zip(cuts, cuts[1:] + [end])]
    if cuts and any(text == "," for i, text in outer if i < cuts[0]):
        spans.append((0, cuts[0]))
    return spans


def _conditional_spans(
    tokens: list[Token], starts: set[int]
) -> Iterator[tuple[Any, ...]]:
    """Where each conditional expression starts, and the token after it."""
    outer: list[tuple[int, list[int], str]] = []
    start = 0
    begun: list[int] = []
    for i, token in enumerate(tokens):
        start = i if i in starts else start
        if token.side in OPENERS or token.text == "lambda":
            outer.append((start, begun, ":" if token.text == "lambda" else ""))
            start, begun = i + 1, []
        elif token.text == ":" and outer and outer[-1][2]:
            begun, start = outer.pop()[1], i + 1
        elif token.side or token.text in (",", "for") or token.text in _ASSIGNMENTS:
            yield from [(begin, i) for begin in begun]
            start, begun = i + 1, []
            if token.side:
                start, begun, _ = outer.pop()
        elif token.text == "if" and token.rank == TERNARY:
            begun.append(start)
        elif token.text == "else":
            start = i + 1
    yield from [(begin, len(tokens)) for begin in begun]


def mark(tokens: Iterable[Token]) -> dict[Token, int]:
    """The tokens after which a line may break, with their ranks; sets the levels."""
    ranks: dict[Token, int] = {}
    level, previous = 0, None
    ends: list[tuple[str, int]] = []  # of `for ... in` and of `lambda ...:`
    for token in tokens:
        closes = token.side in CLOSERS
        if closes and level == 0:
            continue
        if ends and ends[-1] == (token.text, level):
            ends.pop()
            level -= 1
        level -= closes
        token.level = level
        if level == 0 and token.rank == COMMA:
            ranks[token] = COMMA
        elif level == 0 and token.rank and previous:
            if token.rank != DOT or previous.side in CLOSERS:
                ranks[previous] = token.rank
        level += token.side in OPENERS
        previous = token
        if token.text in ("for", "lambda"):
            level += 1
            ends.append(("in" if token.text == "for" else ":", level))
    return ranks
