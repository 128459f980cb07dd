"""An entry of a list by a key that is not known: it is one of those that the list holds.

The text reads it from an array of all of them, which is a copy: what changes in place by
one way is not seen by the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Home, is_structure
from gradgen.ir.nodes import Apply, Expr, Ref


def one_of(lowering: Lowering, found: Ref, known: Apply) -> None:
    """Notes that an object is one of those that a list holds, at any depth.

    before:  items = [a, b]; v = items[k]; v *= 2
    after:   v is an object of its own; of a and b nothing is known
    """
    memory = lowering.memory
    if all(lowering.is_number(entry) for entry in _entries(lowering, known)):
        return
    memory.numbers.discard(found.var)
    memory.homes[found.var] = Home(found.var)
    memory.chosen.add(found.var)
    for entry in _entries(lowering, known):
        if isinstance(entry, Ref):
            memory.join(found.var, memory.reach(entry.var))


def refuse_one_of(lowering: Lowering, target: Ref, node: Any) -> None:
    """Refuses a store into such an entry."""
    if target.var in lowering.memory.chosen:
        lowering.fail(
            "GG231",
            "a store into an entry of a list by a key that is not known here is not "
            "supported: other names may have the entry as well",
            node,
            "y = items[k].copy(); y[j] = ...; items[k] = y, or an array",
        )


def refuse_unlike(lowering: Lowering, known: Apply, node: Any) -> None:
    """Refuses a list whose entries make no array: their shapes surely differ."""
    shapes = [lowering.facts.of(lowering.current(entry)) for entry in known.args]
    dims = [shape.dims for shape in shapes if shape.dims is not None]
    for one, other in pairwise(dims):
        apart = ((a - b).number for a, b in zip(one, other))
        if len(one) != len(other) or any(apart):
            lowering.fail(
                "GG302",
                "no gradient for an entry of a list by a key that is not known here: "
                "the entries have several shapes",
                node,
                "a branch for each entry: v = a if k == 0 else b",
            )


def _entries(lowering: Lowering, known: Apply) -> Iterator[Expr]:
    """The entries of a list that is known, and those of the lists among them."""
    for entry in known.args:
        yield entry
        held = lowering.state.held(entry)
        inner = held if isinstance(held, Apply) else entry
        if is_structure(inner):
            yield from _entries(lowering, inner)
