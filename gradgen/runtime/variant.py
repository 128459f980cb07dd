"""A text of one signature, and the lengths that it counts on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gradgen.frozen import dataclass
from gradgen.shapes.dims import Dim
from gradgen.signature.abstract import lengths


@dataclass(frozen=True)
class Variant:
    """A text of one signature, and the equations of lengths that it counts on."""

    made: Any
    letters: tuple[str, ...]
    equations: tuple[tuple[Dim, Dim], ...]

    def holds(self, values: Iterable[object]) -> bool:
        """Whether the arguments of a call fulfil the equations of their lengths."""
        if not self.equations:
            return True
        given = (length for value in values for length in lengths(value))
        return hold(self.equations, dict(zip(self.letters, given)))


def hold(equations: Iterable[tuple[Dim, Dim]], sizes: Mapping[str, int]) -> bool:
    """Whether equations of lengths hold at these sizes of their letters."""
    return all(x.at(sizes) == y.at(sizes) for x, y in equations)
