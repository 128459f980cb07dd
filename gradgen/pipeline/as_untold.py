"""What is assumed of the others where a caller tells of some arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.facts.assumed import Assumed
from gradgen.frontend.source.source import Source
from gradgen.ir.nodes import Function
from gradgen.pipeline.readings import Readings
from gradgen.request.options import Request
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Tables
from gradgen.shapes.shape import ShapeConflict

Ask = Callable[[Function, Facts, Tables], tuple[Assumed, ...]]


def as_untold(
    source: Source,
    request: Request,
    readings: Readings,
    primal: Function,
    facts: Facts,
    found: Sequence[Assumed],
    ask: Ask,
) -> tuple[Assumed, ...]:
    """What is assumed, with what would be if nothing were told.

    before:  W is a matrix                   # P = W @ H; V * P with V told: (n, d)
    after:   W is a matrix, H is a matrix

    Only where that agrees with what is told: V would be a matrix. Whoever tells of one
    argument means no other text for the rest.
    """
    if not request.shapes or any(param.bundle for param in primal.params):
        return tuple(found)  # without its parts a container tells nothing
    bare = replace(request, shapes=())
    try:
        untold = readings.marked(source, bare)
        every = ask(*readings.uncast(untold, bare))
    except (GradgenError, ShapeConflict):
        return tuple(found)
    ranks = {param.label: facts.shapes[param.var].rank for param in primal.params}
    known = {name for name, rank in ranks.items() if rank is not None}
    told = known | dict(request.shapes).keys()  # "*s" tells of any rank
    if any(ranks[one.name] != one.rank for one in every if one.name in known):
        return tuple(found)
    sure = {one.name: one for one in found if one.asked}
    rest = {one.name: one for one in (*found, *every) if one.name not in told}
    rest.update(sure)
    order = [param.label for param in primal.params]
    return tuple(rest[name] for name in order if name in rest)
