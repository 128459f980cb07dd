"""Whether a committed text is still what gradgen writes for its source.

Two texts are the same when their syntax trees and their comments are: another
formatting is no drift, nor is another header. Comments quote the source, so that
its formatting shows in them; their spaces do not count either.
"""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_right

from gradgen.frozen import dataclass
from gradgen.printer.header import read_header, text_hash


@dataclass(frozen=True)
class Drift:
    """Why a committed text is not what would be emitted now.

    `moved` says that the source has changed since: the text is out of date, and
    nothing can be said of its numbers.
    """

    reason: str
    moved: bool = False


def drift(committed: str, fresh: str) -> Drift | None:
    """How the committed text differs from a fresh one, None when it does not.

    Both have a gradgen header.
    """
    old, new = read_header(committed), read_header(fresh)
    if old is None or new is None:
        raise ValueError("a text without a gradgen header has no drift")
    try:
        same = _same(meaning(old["body"]), meaning(new["body"]))
    except (SyntaxError, tokenize.TokenError) as error:
        return Drift(f"it is no longer Python: {error}")
    if same:
        return None
    if old["source"] != new["source"]:
        return Drift(f"{old['name']} has changed since", moved=True)
    if text_hash(old["body"].removeprefix("\n")) != old["text"]:
        return Drift("it was edited by hand")
    return Drift("gradgen writes it differently now")


@dataclass(frozen=True)
class Meaning:
    """All of a text but its formatting: its syntax tree, and its comments in place.

    The place of a comment is the number of statements that start before it, and
    whether it stands on a line of its own.
    """

    tree: str
    places: list[tuple[int, bool]]
    comments: list[str]


def meaning(text: str) -> Meaning:
    """What a module's text says."""
    tree = ast.parse(text)
    starts = sorted(n.lineno for n in ast.walk(tree) if isinstance(n, ast.stmt))
    places, comments = [], []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            own_line = not token.line[: token.start[1]].strip()
            places.append((bisect_right(starts, token.start[0]), own_line))
            comments.append("".join(token.string.lstrip("#").split()))
    return Meaning(ast.dump(tree), places, comments)


def _same(old: Meaning, new: Meaning) -> bool:
    if (old.tree, old.places) != (new.tree, new.places):
        return False
    return all(map(_same_comment, old.comments, new.comments))


def _same_comment(old: str, new: str) -> bool:
    """Whether two comments say the same, as far as the shorter one goes."""
    if old.endswith("...") or new.endswith("..."):
        # A quoted line that is too long was cut off, spaces counted.
        old, new = old.removesuffix("..."), new.removesuffix("...")
        return old.startswith(new) or new.startswith(old)
    return old == new
