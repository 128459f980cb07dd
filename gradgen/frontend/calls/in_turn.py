"""Values that are stored in turn: as often as places need them, of many the first."""

from __future__ import annotations

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Expr, Ref


def fits(lowering: Lowering, value: Expr, places: Expr, node: gast.Call) -> bool:
    """Whether a value surely is a number, or has one entry for each place."""
    if is_written_list(lowering, value):
        return False
    now = lowering.current(value, node)
    return lowering.facts.rank(now) == 0 or lowering.facts.same(now, places)


def in_turn(lowering: Lowering, values: Expr, shape: Expr, node: gast.Call) -> Expr:
    """Values that are taken in turn, as often as a shape needs them."""
    if is_written_list(lowering, values):
        values = lowering.bind(Apply("numpy.array", (values,)), node)
    found: Expr = lowering.bind(Apply("numpy.resize", (values, shape)), node)
    return found


def is_written_list(lowering: Lowering, values: Expr) -> bool:
    """Whether values are a list or a tuple whose items are known."""
    held = lowering.state.held(values)
    listed = held if isinstance(held, Apply) else values
    return isinstance(listed, Apply) and listed.op in ("list", "tuple")


def as_many(
    lowering: Lowering, values: Expr, target: Expr, mask: Expr, node: gast.Call
) -> Expr:
    """The values that np.place takes: in turn, and as many as entries are chosen."""
    places = Apply("getitem", (lowering.current(target, node), mask))
    if fits(lowering, values, places, node) or _chosen_by(lowering, values, mask):
        return values
    count = lowering.bind(Apply("numpy.count_nonzero", (mask,)), node)
    return in_turn(lowering, values, count, node)


def _chosen_by(lowering: Lowering, values: Expr, mask: Expr) -> bool:
    """Whether values were chosen by the same mask: np.extract(mask, x), x[mask]."""
    told = lowering.facts.definitions

    def made(value: Expr) -> Expr:
        return told.get(value.var, value) if isinstance(value, Ref) else value

    found = made(values)
    if not isinstance(found, Apply) or found.op not in ("numpy.extract", "getitem"):
        return False
    key = found.args[found.op == "getitem"]
    return made(key) == made(mask)
