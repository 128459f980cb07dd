"""What a loop's body is taken to change, and the values that go from round to round."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from gradgen.frontend.lowering.memory import Key, Poison
from gradgen.frozen import dataclass
from gradgen.ir.nodes import Expr, Var


@dataclass
class Guess:
    """What a body is taken to change. The sets only grow."""

    names: dict[Key, None] = field(default_factory=dict)
    buffers: dict[Var, None] = field(default_factory=dict)
    poisons: dict[Var, Poison] = field(default_factory=dict)
    # the nesting of a name's value, where it has none before the loop
    templates: dict[Key, Expr] = field(default_factory=dict)
    # names that are bound to another instance in each round, which is its fields
    valued: dict[Any, None] = field(default_factory=dict)
    broken: dict[Key | Var, Poison | None] = field(default_factory=dict)
    dynamic: set[Var] = field(default_factory=set)
    # places of slots whose rank, or kind, or being a number, does not stay
    unranked: set[Any] = field(default_factory=set)
    # places of slots that are None at the end of a round, by one way
    optional: set[Any] = field(default_factory=set)
    kinds: dict[Any, Any] = field(default_factory=dict)
    arrays: set[Any] = field(default_factory=set)
    pairs: set[Any] = field(default_factory=set)
    # buffers from before the loop that may share memory once a round has run
    overlaps: set[tuple[Var, Var]] = field(default_factory=set)
    # lists that were made before the loop, with what they hold
    entered: set[tuple[Var, Var]] = field(default_factory=set)
    # places of lists: the lists from before the loop that they may be, and pairs
    same: dict[Any, set[Var]] = field(default_factory=dict)
    twins: set[Any] = field(default_factory=set)
    # of lists: those that may hold another one from the next round on, by place, and
    # the lists from before the loop that they may hold
    holds: set[Any] = field(default_factory=set)
    held: set[Any] = field(default_factory=set)
    outside: dict[Any, Any] = field(default_factory=dict)
    # of a list: the shape of its entries, None where they differ
    entries: dict[Any, Any] = field(default_factory=dict)
    # of a name without a value before the loop: the rank of its values, and
    # whether they are numbers; None where that does not stay
    learned: dict[Any, Any] = field(default_factory=dict)
    # of an instance: all fields that it has at the end of a round
    fields: dict[Var, tuple[Any, ...]] = field(default_factory=dict)
    # places of lists that an instance holds, and a round puts others in place of
    rebound: set[Any] = field(default_factory=set)

    def size(self) -> tuple[Any, ...]:
        """Grows with the guess."""
        parts = (
            self.names, self.buffers, self.poisons, self.broken, self.dynamic,
            self.unranked, self.arrays, self.pairs, self.overlaps, self.twins,
            self.holds, self.held, self.optional, self.valued, self.rebound,
        )  # fmt: skip
        counts = [len(part) for part in parts]
        counts.append(sum(map(len, self.outside.values())))
        counts.append(sum(map(len, self.same.values())))
        counts.append(sum(map(len, self.fields.values())))
        counts.append(sum(kind + 1 for kind in self.kinds.values()))
        counts.append(sum(1 for _ in self.templates))
        counts.append(sum(1 + (known is None) for known in self.learned.values()))
        counts.append(sum(1 + (shape is None) for shape in self.entries.values()))
        return tuple(counts)


@dataclass
class Slot:
    """One value that goes from round to round."""

    place: tuple[Any, ...]
    inner: Var | None
    entry: Expr
    handle: Expr
    next: Expr | None = None
    end: Expr | None = None
    exit: Var | None = None
