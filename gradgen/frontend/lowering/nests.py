"""A loop in a loop: what its body changes was found when the outer one was last tried.

Each writing of an outer body writes the inner loop anew. Found anew as well, what the
inner body changes would take two writings each time, and 2 to the depth in a nest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradgen.frontend.lowering.guess import Guess
from gradgen.frontend.lowering.memory import Key, Memory, leaves
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Expr, Ref, Var

# A loop: the number of its call, and which of its statements it is.
Place = tuple[int, int]


@dataclass(frozen=True)
class Told:
    """What the last writing of a loop found, and the names that it started with."""

    guess: Guess
    names: Mapping[Key, Expr]


class Nests:
    """What the loops of a function were found to change when they were last written."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.told: dict[Place, Told] = {}

    def found(self, place: Place, guess: Guess, names: Mapping[Key, Expr]) -> None:
        """Notes what a loop was found to change."""
        self.told[place] = Told(guess, names)

    def begin(self, place: Place, guess: Guess, names: Mapping[Key, Expr]) -> None:
        """Adds to a first guess what was found of the same loop before.

        That is which values go from round to round, and which of them may share
        memory. Buffers are others in each writing: those that a name stands for
        are known by the name.
        """
        told = self.told.get(place)
        if told is None:
            return
        known = self._renamed(told.names, names)

        def now(buffer: Any) -> Any:
            return known.get(buffer) if isinstance(buffer, Var) else buffer

        def place_now(slot: tuple[Any, ...]) -> tuple[Any, ...]:
            return now(slot[0]), *slot[1:]

        for name in told.guess.names:
            guess.names.setdefault(name)
        for buffer in map(now, told.guess.buffers):
            if buffer is not None:
                guess.buffers.setdefault(buffer)
        for slot, others in told.guess.outside.items():
            slot = place_now(slot)
            reached = {other for other in map(now, others) if other is not None}
            if slot[0] is not None:
                guess.outside.setdefault(slot, set()).update(reached)
        for one, other in told.guess.pairs:
            pair = place_now(one), place_now(other)
            if pair[0][0] is not None and pair[1][0] is not None:
                guess.pairs.add(pair)

    def _renamed(
        self, before: Mapping[Key, Expr], now: Mapping[Key, Expr]
    ) -> dict[Var, Var]:
        """The buffers of the names, by the buffers that they had before."""
        found: dict[Var, Var] = {}
        several: set[Var] = set()
        for key in before.keys() & now.keys():
            for one, other in zip(leaves(before[key]), leaves(now[key])):
                if isinstance(one, Ref) and isinstance(other, Ref):
                    old, new = map(self.memory.buffer, (one.var, other.var))
                    if found.setdefault(old, new) != new:
                        several.add(old)
        return {old: new for old, new in found.items() if old not in several}
