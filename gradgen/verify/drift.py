"""Whether a committed text is still what gradgen writes for its source.

Two texts are the same when their syntax trees and their comments are: another
formatting is no drift, nor is another header.
"""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_right
from dataclasses import dataclass

from gradgen.printer.header import read_header, text_hash


@dataclass(frozen=True)
class Drift:
    """Why a committed text is not what would be emitted now."""

    reason: str


def drift(committed: str, fresh: str) -> Drift | None:
    """How the committed text differs from a fresh one, None when it does not.

    Both have a gradgen header.
    """
    old, new = read_header(committed), read_header(fresh)
    if old is None or new is None:
        raise ValueError("a text without a gradgen header has no drift")
    try:
        same = meaning(old["body"]) == meaning(new["body"])
    except (SyntaxError, tokenize.TokenError) as error:
        return Drift(f"it is no longer Python: {error}")
    if same:
        return None
    if old["source"] != new["source"]:
        return Drift(f"{old['name']} has changed since")
    if text_hash(old["body"].removeprefix("\n")) != old["text"]:
        return Drift("it was edited by hand")
    return Drift("gradgen writes it differently now")


def meaning(text: str) -> tuple[str, list[tuple[int, bool, str]]]:
    """All of a text but its formatting: its syntax tree, and its comments in place.

    The place of a comment is the number of statements that start before it, and
    whether it stands on a line of its own.
    """
    tree = ast.parse(text)
    starts = sorted(n.lineno for n in ast.walk(tree) if isinstance(n, ast.stmt))
    comments = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            own_line = not token.line[: token.start[1]].strip()
            words = token.string.lstrip("#").strip()
            comments.append((bisect_right(starts, token.start[0]), own_line, words))
    return ast.dump(tree), comments
