"""A fact that makes shapes fit: one that was told, with another size or one axis more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gradgen.errors import GradgenError, InternalError
from gradgen.frontend.source import Source
from gradgen.pipeline.run import run
from gradgen.request.options import Request
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import FITTING

# as many facts are tried: each makes a text
TRIED = 8


def refitted(asked: Request, source: Source, refusal: GradgenError) -> str:
    """The option of a command with which the shapes fit; "" where one fact does not do.

    Each that is told of has been tried.

    before:  W @ x with --shape W="h d" --shape x="n k"
    after:   --shape x="d k"
    """
    if refusal.advice != FITTING or len(refusal.problems) > 1:
        return ""
    for name, text in list(_others(asked, refusal.unequal))[:TRIED]:
        facts = tuple((n, text if n == name else old) for n, old in asked.shapes)
        try:
            run(replace(asked, shapes=facts), source)
        except (GradgenError, InternalError):
            continue
        return f'--shape {name}="{text}"'
    return ""


def _others(
    asked: Request, unequal: tuple[Dim, Dim] | None
) -> Iterator[tuple[str, str]]:
    """Names with other facts, those of the fewest axes and the last ones first."""
    plain = [(n, t.split()) for n, t in asked.shapes if re.fullmatch(r"[\w ]*", t)]
    plain = sorted(reversed(plain), key=lambda one: len(one[1]))
    taken = {size for _, sizes in plain for size in sizes}
    more = next(c for c in "nmkpqrstuvw" if c not in taken)
    for name, sizes in plain:
        if unequal is None:
            yield name, " ".join([*sizes, more])
            continue
        for old, new in (unequal, unequal[::-1]):
            if str(old) in sizes and str(new).isalnum():
                other = [str(new) if size == str(old) else size for size in sizes]
                yield name, " ".join(other)
