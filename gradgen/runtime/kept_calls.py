"""A text in which a function that is called often is a function, where that is shorter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.frontend.source.called_often import calls_often
from gradgen.frontend.source.source import Source
from gradgen.pipeline.attempts import statements_in
from gradgen.pipeline.emitted import Emitted
from gradgen.request.options import Request

Found = tuple[Request, Emitted]
# a text with kept calls has at most so many of the statements, and is so much shorter
SHARE, FEWER = 0.85, 8


def with_kept_calls(
    asked: Request, source: Source, found: Found, emit: Callable[[Request], Found]
) -> Found:
    """What was found, or the text with --keep-calls where that is clearly shorter.

    before:  the eight lines of box_filter(x, k), and their adjoints, five times
    after:   vjp_box_filter, which five lines call
    """
    plain = asked.style == "joint" and asked.mode == "reverse" and not asked.fast
    plain = plain and asked.library == "numpy" and not asked.keep_calls
    if not plain or source.at_hand or not calls_often(source):
        return found
    before = statements_in(found[1].text)
    if before < 2 * FEWER:
        return found
    try:
        other = emit(replace(asked, keep_calls=True))
    except GradgenError:
        return found
    more = [one for one in other[1].assumed if one not in found[1].assumed]
    if any(one.rank >= 0 for one in more) or other[1].decided != found[1].decided:
        return found  # it is for other arguments
    after = statements_in(other[1].text)
    return other if after <= min(SHARE * before, before - FEWER) else found
