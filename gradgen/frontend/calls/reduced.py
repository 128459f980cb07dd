"""functools.reduce: a call for each item, or a loop of calls."""

from __future__ import annotations

import gast

from gradgen.frontend.calls.arguments import apply
from gradgen.frontend.control.comprehensions import reduced_in_loop
from gradgen.frontend.control.generators import by_turns
from gradgen.frontend.control.zipping import items_if_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.pending import Items
from gradgen.ir.nodes import Expr


def call_reduce(lowering: Lowering, node: gast.Call) -> Expr | None:
    """functools.reduce(f, items, start)."""
    return by_turns(
        lowering,
        node.args[0],
        node.args[1:2],
        lambda: items_if_known(lowering, node.args[1]),
        lambda found: _reduced(lowering, node, found),
    )


def _reduced(lowering: Lowering, node: gast.Call, found: Items) -> Expr:
    function = lowering.read(node.args[0])
    # the start is read behind the items, which may change what it is computed of
    over = None if found.known is not None else lowering.read_at_once(node.args[1])
    given = [lowering.read(arg) for arg in node.args[2:]]
    if REFUSED in (function, over, *given):
        return REFUSED
    if found.known is None:
        assert over is not None
        return reduced_in_loop(lowering, function, over, node, given)
    items = [*given, *found.known]
    if not items:
        lowering.fail("GG243", "reduce of nothing has no value", node, "a start value")
    total = items[0]
    for item in items[1:]:
        total = apply(lowering, function, [total, item], (), node)
    return total
