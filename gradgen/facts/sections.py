"""Sections of equal splits, gates of a cell for example: what they meet is as long."""

from __future__ import annotations

from collections.abc import Iterator

from gradgen.facts.stretching import dims_of, is_elementwise
from gradgen.ir.nodes import Apply, Function
from gradgen.ir.operators import MATRIX_PRODUCTS
from gradgen.ir.walk import lets
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts


def sections(primal: Function, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """What was split along an axis, and how long it is by what a section meets.

    before:  i, f = np.split(x @ W, 2, axis=1)        # W (d, q), c (n, k)
             f * c
    after:   q is 2 * k

    So are the wholes of two sections that meet, if there are as many of each.
    """
    for let in lets(primal.body) if facts.split else ():
        value = let.value
        if not isinstance(value, Apply):
            continue
        for one, size in met_in(value, facts):
            if one != size:
                yield from _wholes(one, size, facts)


def met_in(value: Apply, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The lengths that meet in an operation: entry by entry, or where it contracts."""
    given = [dims_of(arg, facts) for arg in value.args]
    if value.op in MATRIX_PRODUCTS and len(given) == 2 and all(given):
        left, right = given
        yield left[-1], right[-2 if len(right) > 1 else -1]
    elif is_elementwise(value):
        for i, dims in enumerate(given):
            for other in given[i + 1 :]:
                yield from zip(dims[::-1], other[::-1])


def _wholes(one: Dim, size: Dim, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The lengths of what sections of these lengths are of."""
    found = [facts.split.get(dim.symbol or "") for dim in (one, size)]
    if found[0] is not None and found[1] is not None:
        if found[0][1] == found[1][1]:
            yield found[0][0], found[1][0]
        return
    for part, other in zip(found, (size, one)):
        plain = other.number is None and not any("?" in name for name in other.names)
        if part is not None and plain:
            yield part[0], other * Dim.of(part[1])
