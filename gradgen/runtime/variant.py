"""A text of one signature, and what it counts on of the arguments of a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gradgen.shapes.dims import Dim
from gradgen.shapes.statics import static_fact
from gradgen.signature.abstract import lengths


@dataclass(frozen=True)
class Variant:
    """A text of one signature, and the equations of lengths that it counts on."""

    made: Any
    letters: tuple[str, ...]
    equations: tuple[tuple[Dim, Dim], ...]
    # the static facts of the arguments that it is made for one value of
    fixed: Mapping[str, str] = field(default_factory=dict)

    def holds(self, values: Mapping[str, object], given: Mapping[str, object]) -> bool:
        """Whether the arguments of a call fulfil the equations of their lengths.

        `given` are those that may be fixed as they were given.
        """
        if self.fixed:
            if any(static_fact(given[n]) != fact for n, fact in self.fixed.items()):
                return False
            values = {n: v for n, v in values.items() if n not in self.fixed}
        if not self.equations:
            return True
        each = (length for value in values.values() for length in lengths(value))
        return hold(self.equations, dict(zip(self.letters, each)))


def hold(equations: Iterable[tuple[Dim, Dim]], sizes: Mapping[str, int]) -> bool:
    return all(x.at(sizes) == y.at(sizes) for x, y in equations)
