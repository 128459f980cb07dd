"""Generators of random numbers that are made, and perhaps never asked for a number.

before:  self.rng = np.random.default_rng(seed)      after:  self.w = np.zeros(3)
         self.w = np.zeros(3)

What draws of one is refused, where it draws.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import gast

from gradgen.frontend.calls.fields import store_field
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import Poison
from gradgen.frontend.lowering.operations import handles
from gradgen.frontend.source.lookup import among

DRAWS = "the draws as an argument"


def makers() -> tuple[Any, ...]:
    """What makes generators; numpy.random is not loaded for its sake."""
    numpys = sys.modules.get("numpy.random")
    names = () if numpys is None else ("default_rng", "RandomState")
    return random.Random, *(getattr(numpys, name) for name in names)


class Generator(Poison):
    """What a name or a field holds that draws random numbers."""


@handles(gast.Assign, gast.AnnAssign)
def assigned(lowering: Lowering, node: gast.AST) -> None:
    call = node.value
    targets = node.targets if isinstance(node, gast.Assign) else [node.target]
    plain = (gast.Name, gast.Attribute)
    if not isinstance(call, gast.Call) or not among(
        lowering.resolve(call.func), makers()
    ):
        return assigned.further(lowering, node)
    if not all(isinstance(target, plain) for target in targets):
        return assigned.further(lowering, node)
    told = "random numbers are no function of the arguments"
    drawing = Generator("GG218", f"no gradient through draws: {told}", DRAWS)
    for arg in (*call.args, *(word.value for word in call.keywords)):
        lowering.read(arg)
    for target in targets:
        if isinstance(target, gast.Name):
            lowering.state.names[lowering.frame.number, target.id] = drawing
        elif isinstance(target, gast.Attribute):
            store_field(lowering, target, drawing, lowering.mark())
    return None
