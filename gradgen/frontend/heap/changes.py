"""What a change in place changes: an object and all that share memory with it."""

from __future__ import annotations

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Home, Poison
from gradgen.ir.nodes import Ref, Var


def advance(
    lowering: Lowering,
    buffer: Var,
    var: Var,
    node: gast.AST | None = None,
    name: str = "",
) -> None:
    """Makes a variable the buffer's version; what may overlap it is not known."""
    name = name if name.isidentifier() else lowering.known_name(buffer)
    var = lowering.wish(var, name).var
    lowering.memory.homes[var] = Home(lowering.memory.home(buffer).buffer)
    lowering.state.versions[buffer] = Ref(var)
    for other in lowering.memory.overlaps.get(buffer, ()):
        poison(lowering, other, name)


def poison(lowering: Lowering, buffer: Var, by: str) -> None:
    """Notes that what is in a buffer is not known after a store."""
    name = lowering.known_name(buffer)
    told = f"{name} may or may not share memory with {by}, which has been changed"
    advice = f"{by}.copy() or {name}.copy() where the two meet"
    if buffer in lowering.memory.lists:
        told = f"the list {name} may hold {by}, which has been changed"
        advice = f"{by}.copy() where it goes into {name} or comes out of it"
        if buffer in lowering.memory.unsure:
            advice = f"{lowering.shape_fact()}, or {advice}"
    lowering.state.versions[buffer] = Poison(
        "GG220", told, advice, lowering.shaped_like(buffer)
    )


def refuse_shared(lowering: Lowering, buffer: Var, node: gast.AST) -> None:
    """Refuses a change of an array of the module, which outlives the call."""
    if lowering.shared_arrays & {buffer, *lowering.memory.overlaps.get(buffer, ())}:
        lowering.fail(
            "GG230",
            f"{lowering.known_name(buffer)} is of the module, or kept by a cache: a call "
            "would change it for all others",
            node,
            f"{lowering.known_name(buffer)}.copy() first",
        )
