"""What a change in place means for the objects that may see it."""

from __future__ import annotations

import gast

from gradgen.frontend.conditions import Conditions
from gradgen.frontend.memory import Home, Poison
from gradgen.ir.nodes import Ref, Var


class Changes(Conditions):
    """Notes changes: what is surely changed is known, what may be is refused."""

    def advance(
        self, buffer: Var, var: Var, node: gast.AST | None = None, name: str = ""
    ) -> None:
        """Makes a variable the buffer's version; what may overlap it is not known."""
        name = name if name.isidentifier() else self.known_name(buffer)
        var = self.wish(var, name).var
        self.memory.homes[var] = Home(self.memory.home(buffer).buffer)
        self.state.versions[buffer] = Ref(var)
        for other in self.memory.overlaps.get(buffer, ()):
            self.poison(other, name)

    def poison(self, buffer: Var, by: str) -> None:
        """Notes that what is in a buffer is not known after a store."""
        name = self.known_name(buffer)
        told = f"{name} may or may not share memory with {by}, which has been changed"
        advice = f"{by}.copy() or {name}.copy() where the two meet"
        if buffer in self.memory.lists:
            told = f"the list {name} may hold {by}, which has been changed"
            advice = f"{by}.copy() where it goes into {name} or comes out of it"
            if buffer in self.memory.unsure:
                advice = f"{self.shape_fact()}, or {advice}"
        self.state.versions[buffer] = Poison(
            "GG220", told, advice, self.shaped_like(buffer)
        )

    def touch(self, changed: Var) -> None:
        """Notes that a list has changed: so have those that may be it, or hold it."""
        for other in self.memory.links.touched(changed):
            self.poison(other, self.known_name(changed))
