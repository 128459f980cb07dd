"""x.shape = (3, -1) as x = x.reshape(3, -1), where no other name is the same array."""

from __future__ import annotations

import gast
import numpy

from gradgen.frontend.heap.changes import refuse_shared
from gradgen.frontend.heap.contents import contents
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.held import Held
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.operations import answers
from gradgen.ir.nodes import Apply, Const, Expr, Ref
from gradgen.ir.sharing import VIEWS
from gradgen.ir.walk import subexpressions


@answers(Lowering.assign)
def assign(lowering: Lowering, target: gast.AST, value: Expr, mark: int) -> Expr:
    """A shape that is given to an array under one name.

    before:  x.shape = (3, -1)      after:  x = np.reshape(x, (3, -1))

    So is self.x.shape = (3, -1) self.x = np.reshape(self.x, (3, -1)).

    Every name of the array has the new shape; where it has two, this is refused.
    """
    if not isinstance(target, gast.Attribute) or target.attr != "shape":
        return assign.further(lowering, target, value, mark)
    name, base = target.value, lowering.read(target.value)
    places = (gast.Name, gast.Attribute)
    if not isinstance(name, places) or value is REFUSED or base is REFUSED:
        return assign.further(lowering, target, value, mark)
    if not isinstance(base, Ref) or contents(lowering, base) is not None:
        return assign.further(lowering, target, value, mark)
    said = lowering.source.segment(name)
    if _names_of(lowering, base) > 1 or not _is_alone(lowering, base):
        lowering.fail(
            "GG220",
            f"{said} gets another shape, and so does what else has this array",
            target,
            f"{said} = {said}.reshape(...)",
        )
    refuse_shared(lowering, lowering.memory.buffer(base.var), target)
    shaped = gast.Call(
        Held(Const(numpy.reshape), target), [Held(base, name), Held(value, target)], []
    )
    new = lowering.read(gast.copy_location(shaped, target))
    stored: gast.AST = gast.Name(getattr(name, "id", ""), gast.Store(), None, None)
    if isinstance(name, gast.Attribute):
        stored = gast.Attribute(name.value, name.attr, gast.Store())
    lowering.assign(gast.copy_location(stored, name), new, mark)
    return value


def _is_alone(lowering: Lowering, base: Ref) -> bool:
    """Whether nothing that is read elsewhere may be the same array: np.asarray(x) is x.

    What a container or a module holds is read there again.
    """
    made = lowering.facts.definitions.get(base.var)
    if made is None:
        return base.var in lowering.arguments
    if not isinstance(made, Apply) or made.op not in VIEWS:
        return isinstance(made, Apply)
    whose = made.args[0]
    if not isinstance(whose, Ref) or _names_of(lowering, whose):
        return False
    return _is_alone(lowering, whose)


def _names_of(lowering: Lowering, base: Ref) -> int:
    """How many names, and places in containers, an array has here and in callers."""
    state = lowering.state
    held = sum(
        one == base
        for known in state.versions.values()
        for one in subexpressions(known)
    )
    return held + sum(handle == base for handle in state.names.values())
