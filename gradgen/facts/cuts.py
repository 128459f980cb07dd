"""Slices that meet other axes: how long what they are cut from is, if they are whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gradgen.facts.sections import met_in
from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref
from gradgen.ir.walk import lets
from gradgen.shapes.dims import ONE, Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.spec import read_size

# a slice that may go beyond the axis's end, as shapes/slices.py calls its length
CUT = re.compile(r"\?([^?\[\]]+)\[([^?\[\]:]+):([^?\[\]:]+)\]")


def cuts(
    primal: Function, facts: Facts, to_the_end: bool = True
) -> Iterator[tuple[Dim, Dim]]:
    """The lengths of slices within their arrays, and of what they meet.

    Where they would be as long anyway, one may go on `to_the_end` of the axis.

    before:  m = len(A); A @ (x[:m] * np.cos(x[m:]))        # x (n), A (m, m)
    after:   m and n - m: n is 2 * m
    """
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        for pair in met_in(value, facts):
            if ONE in pair:
                continue  # an axis of length 1 is made to be stretched
            parts = [_cut(length) for length in pair]
            one, other = (p[2] - p[1] if p else x for p, x in zip(parts, pair))
            if one != other and any(parts):
                yield one, other
            elif one == other and to_the_end:
                for part in parts:
                    if part is not None and part[1].number != 0:
                        yield part[0], part[2]


def whole_cuts(primal: Function, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """An axis that slices are cut from, and how long it is as they meet.

    before:  m = len(A); A @ (x[:m] * np.cos(x[m:]))        # x (n), A (m, m)
    after:   n and 2 * m

    Sections that follow one another, W[:, :n] and W[:, n : 2 * n], are all of it.
    """
    found = [(let, list(_cuts_of(let, facts))) for let in lets(primal.body)]
    axes = {part[0].symbol for _, some in found for part in some}
    for name in sorted(filter(None, axes)):
        own = [
            (let, part[1:])
            for let, some in found
            for part in some
            if _is_of(part, name)
        ]
        arrays = {_array_of(let) for let, _ in own} - {None}
        reads = [some for let, some in found if _array_of(let) in arrays]
        end = _end_of({ends for _, ends in own})
        if end is not None and all(reads):
            yield Dim.of(name), end
    for one, other in cuts(primal, facts, to_the_end=False):
        zero = one - other
        for names, factor in zero.terms:
            if len(names) == 1 and names[0] in axes and abs(factor) == 1:
                axis = Dim.of(names[0])
                rest = zero - axis * Dim.of(factor)
                if names[0] not in rest.names:
                    yield axis, rest * Dim.of(-factor)


def _is_of(part: tuple[Dim, Dim, Dim], name: str) -> bool:
    """Whether a slice is cut from an axis of this length."""
    return part[0].symbol == name


def _end_of(sections: set[tuple[Dim, ...]]) -> Dim | None:
    """Where the last of sections ends that begin where others end, the first at 0."""
    ends = {start: end for start, end in sections}
    at, count = Dim.of(0), 0
    while at in ends and count < len(ends):
        at, count = ends[at], count + 1
    # of two that begin at one place neither is told to be one of all
    return at if count == len(sections) > 1 else None


def _array_of(let: Let) -> Expr | None:
    """The array that entries are read of."""
    value = let.value
    is_read = isinstance(value, Apply) and value.op == "getitem"
    return value.args[0] if is_read and isinstance(value, Apply) else None


def _cuts_of(let: Let, facts: Facts) -> Iterator[tuple[Dim, Dim, Dim]]:
    """The slices that the axes of a value are."""
    for length in facts.of(Ref(let.var)).dims or ():
        part = _cut(length)
        if part is not None:
            yield part


def _cut(length: Dim) -> tuple[Dim, Dim, Dim] | None:
    """The axis that a slice is cut from, and its ends."""
    found = CUT.fullmatch(length.symbol or "")
    sizes = [_size(part) for part in found.groups()] if found else []
    known = tuple(size for size in sizes if size is not None)
    return (known[0], known[1], known[2]) if len(known) == 3 else None


def _size(text: str) -> Dim | None:
    text = text.replace(" ", "")
    return Dim.of(0) if text == "0" else read_size(text)
