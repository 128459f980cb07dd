"""Sizes that would have to be equal for a text without a helper."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.cuts import cuts
from gradgen.facts.ends import ends
from gradgen.facts.sections import sections
from gradgen.ir.nodes import Function
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts


def sizes_alike(primal: Function, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """What arms and loops take for equal, and what meets at ends, splits and slices."""
    yield from facts.twins
    yield from sections(primal, facts)
    yield from ends(primal, facts)
    yield from cuts(primal, facts)
