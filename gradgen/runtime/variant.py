"""A text of one signature, and the lengths that it counts on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
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

    def holds(
        self, values: Iterable[object], told: Mapping[str, int] = MappingProxyType({})
    ) -> bool:
        """Whether the arguments of a call fulfil the equations of their lengths.

        `told` are the letters of facts, with their lengths in the call.
        """
        if not self.equations:
            return True
        given = (length for value in values for length in lengths(value))
        return hold(self.equations, {**told, **dict(zip(self.letters, given))})


def hold(equations: Iterable[tuple[Dim, Dim]], sizes: Mapping[str, int]) -> bool:
    """Whether equations of lengths hold at these sizes of their letters."""
    every = list(equations)
    known = all((x.names | y.names) <= sizes.keys() for x, y in every)
    return known and all(x.at(sizes) == y.at(sizes) for x, y in every)
