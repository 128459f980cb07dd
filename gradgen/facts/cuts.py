"""Slices that meet other axes: how long what they are cut from is, if they are whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gradgen.facts.sections import met_in
from gradgen.ir.nodes import Apply, Function
from gradgen.ir.walk import lets
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.spec import read_size

# a slice that may go beyond the axis's end, as shapes/slices.py calls its length
CUT = re.compile(r"\?[^?\[\]]+\[([^?\[\]:]+):([^?\[\]:]+)\]")


def cuts(primal: Function, facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The lengths of slices within their arrays, and of what they meet.

    before:  m = len(A); A @ (x[:m] * np.cos(x[m:]))        # x (n), A (m, m)
    after:   m and n - m: n is 2 * m
    """
    for let in lets(primal.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        for pair in met_in(value, facts):
            one, other = map(_whole, pair)
            if (one, other) != pair and one != other:
                yield one, other


def _whole(length: Dim) -> Dim:
    """How long a slice is where the axis goes on to its end."""
    found = CUT.fullmatch(length.symbol or "")
    ends = [read_size(end.replace(" ", "")) for end in found.groups()] if found else []
    first, last = ends if len(ends) == 2 else (None, None)
    return length if first is None or last is None else last - first
