"""Stores along an axis.

np.put_along_axis(t, labels[:, None], v, axis=1)  t[np.arange(len(t))[:, None], labels[:, None]] = v
"""

from __future__ import annotations

import gast

from gradgen.frontend.heap.lengths import value_known
from gradgen.frontend.lowering.frames import REFUSED
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr

NAMES = ("arr", "indices", "values", "axis")


def put_along_axis(lowering: Lowering, node: gast.Call) -> bool:
    """np.put_along_axis(t, places, v, axis), of an array of known rank."""
    given = dict(zip(NAMES, node.args)) | {k.arg: k.value for k in node.keywords}
    if given.keys() != set(NAMES):
        told = "this np.put_along_axis is not supported"
        advice = "np.put_along_axis(t, places, v, axis)"
        lowering.fail("GG205", told, node, advice)
    array, places, value, axis = (lowering.read(given[name]) for name in NAMES)
    if REFUSED in (array, places, value, axis):
        return True
    along = value_known(lowering, axis)
    rank = lowering.facts.rank(lowering.current(array, node))
    if rank is None:  # the places have as many axes
        rank = lowering.facts.rank(lowering.current(places, node))
    if type(along) is not int or rank is None or not -rank <= along < rank:
        told = "no gradient for np.put_along_axis of an array of unknown rank"
        advice = "t[rows, columns] = v"
        lowering.fail("GG302", told, node, advice)
    keys = [_every(lowering, array, i, rank, node) for i in range(rank)]
    keys[along] = places
    key = keys[0] if rank == 1 else Apply("tuple", tuple(keys))
    lowering.store(array, key, value, node)
    return True


def _every(
    lowering: Lowering, array: Expr, axis: int, rank: int, node: gast.AST
) -> Expr:
    """All places along an axis, with axes of 1 behind: np.arange(len(t))[:, None]."""
    shape = lowering.bind(Apply("numpy.shape", (array,), (), "attribute:shape"), node)
    length = Apply("getitem", (shape, Const(axis)), spelling="operator")
    whole = Apply("numpy.arange", (lowering.bind(length, node),))
    places: Expr = lowering.bind(whole, node)
    if axis == rank - 1:
        return places
    whole = Apply("slice", (Const(None),) * 3)
    behind = (whole, *[Const(None)] * (rank - 1 - axis))
    turned = Apply("getitem", (places, Apply("tuple", behind)), spelling="operator")
    return lowering.bind(turned, node)
