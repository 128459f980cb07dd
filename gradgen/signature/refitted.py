"""A fact that makes shapes fit: one that was told, with another size or one axis more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gradgen.errors import GradgenError, InternalError
from gradgen.frontend.source.source import Source
from gradgen.pipeline.run import run
from gradgen.request.options import Request
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import FITTING

# as many facts are tried: each makes a text
TRIED = 8


def refitted(asked: Request, source: Source, refusal: GradgenError) -> str:
    """The options of a command with which the shapes fit; "" where none were found.

    One fact with another size, else the size in all facts. What is told of has been
    tried.

    before:  W @ x with --shape W="h d" --shape x="n k"
    after:   --shape x="d k"
    """
    if refusal.advice != FITTING or len(refusal.problems) > 1:
        return ""
    for others in list(_others(asked, refusal.unequal))[:TRIED]:
        facts = tuple((name, others.get(name, old)) for name, old in asked.shapes)
        try:
            run(replace(asked, shapes=facts), source)
        except (GradgenError, InternalError):
            continue
        changed = [(name, text) for name, text in facts if name in others]
        return " ".join(f'--shape {name}="{text}"' for name, text in changed)
    return ""


def _others(
    asked: Request, unequal: tuple[Dim, Dim] | None
) -> Iterator[dict[str, str]]:
    """Other facts by name: one, of the fewest axes and the last ones first; then all."""
    plain = [(n, t.split()) for n, t in asked.shapes if re.fullmatch(r"[\w ]*", t)]
    plain = sorted(reversed(plain), key=lambda one: len(one[1]))
    taken = {size for _, sizes in plain for size in sizes}
    more = next(c for c in "nmkpqrstuvw" if c not in taken)
    for name, sizes in plain:
        if unequal is None:
            yield {name: " ".join([*sizes, more])}
            continue
        for old, new in (unequal, unequal[::-1]):
            yield from filter(None, [_with(new, old, [(name, sizes)])])
    for old, new in (unequal, unequal[::-1]) if unequal else ():
        found = _with(new, old, plain)
        if len(found) > 1:
            yield found


def _with(new: Dim, old: Dim, facts: Sequence[tuple[str, list[str]]]) -> dict[str, str]:
    """The facts that have a size, with another one in its place: d+m for d + m."""
    size, other = str(old), str(new).replace(" ", "")
    if not size.isalnum() or not re.fullmatch(r"[\w+*-]+", other):
        return {}
    return {
        name: " ".join(other if one == size else one for one in sizes)
        for name, sizes in facts
        if size in sizes
    }
