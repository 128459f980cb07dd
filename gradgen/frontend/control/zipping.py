"""What several things are gone over at once gives, as far as it is known."""

from __future__ import annotations

import gast

from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.control.generators import refuse_read_later
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Items
from gradgen.ir.nodes import Expr, Ref


def items_if_known(lowering: Lowering, node: gast.AST, sets: bool = False) -> Items:
    """What is gone over; nothing is written where it is not known item by item.

    Its caller reads it again then, in a loop.
    """
    written, state = len(lowering.body), lowering.state.copy()
    lists, generated = list(lowering.lists_read), list(lowering.generated)
    found = lowering.items(node, sets)
    if found.known is None:
        del lowering.body[written:]
        lowering.state = state
    else:
        reads = lowering.generated[len(generated) :]
        refuse_read_later(lowering, [read for read in reads if read.at_once])
    lowering.lists_read, lowering.generated = lists, generated
    return found


def truth_of(lowering: Lowering, handle: Expr) -> bool | None:
    """Whether a value is true, where that is known of it or of what it is."""
    truth = known_truth(lowering, handle)
    if truth is None and isinstance(handle, Ref):
        defined = lowering.facts.definitions.get(handle.var)
        return None if defined is None else known_truth(lowering, defined)
    return truth
