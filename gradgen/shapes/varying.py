"""Whether a shape differs from round to round of a loop."""

from __future__ import annotations

from gradgen.ir.nodes import Loop
from gradgen.ir.walk import defined_inside, lets, reads
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape


def varies(facts: Facts, shape: Shape, loop: Loop) -> bool:
    """Whether a shape depends on what differs from round to round."""
    if shape.dims is None:
        own = set(defined_inside(loop))
        outside = {var for let in lets(loop.body) for var in reads(let.value)} - own
        given = {atom for var in outside for atom in facts.shapes[var].atoms}
        return not shape.atoms <= given
    names = {name for dim in shape.dims for name in dim.names}
    return any(name.startswith("?") for name in names)
