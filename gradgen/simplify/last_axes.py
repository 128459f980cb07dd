"""The last axis as the user counts it."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import TOTALS
from gradgen.ir.walk import lets, map_values, rewrite, subexpressions
from gradgen.shapes.infer import Facts

LAST = Const(-1)


def last_axes(function: Function, facts: Facts) -> Function:
    """The function whose gradient sums along axis=-1 where the primal does.

        before:  total = np.sum(w, axis=-1, keepdims=True)
                 d_z = d_p - np.sum(d_p * w, axis=1, keepdims=True)
        after:   total = np.sum(w, axis=-1, keepdims=True)
                 d_z = d_p - np.sum(d_p * w, axis=-1, keepdims=True)

    Where the primal reduces arrays of as many axes along the last one by its number as
    well, the gradient counts as it does.
    """
    facts = facts.remembering()
    behind: dict[int, bool] = {}
    for let in lets(function.body):
        if let.note.derived:
            continue
        for node in subexpressions(let.value):
            rank = _rank(node, facts)
            axis = dict(node.kwargs).get("axis") if isinstance(node, Apply) else None
            if rank and axis in (LAST, Const(rank - 1)):
                behind[rank] = behind.get(rank, True) and axis == LAST
    if not any(behind.values()):
        return function

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op not in TOTALS:
            return node
        rank = _rank(node, facts)
        if not rank or not behind.get(rank):
            return node
        kwargs = tuple(
            (name, LAST if name == "axis" and value == Const(rank - 1) else value)
            for name, value in node.kwargs
        )
        return node if kwargs == node.kwargs else replace(node, kwargs=kwargs)

    def value(let: Let) -> Expr:
        return rewrite(let.value, change) if let.note.derived else let.value

    return map_values(function, value)


def _rank(node: Expr, facts: Facts) -> int | None:
    """How many axes the array has that an operation goes along, where there are two."""
    if not isinstance(node, Apply) or not node.args or "axis" not in dict(node.kwargs):
        return None
    rank = facts.rank(node.args[0])
    return rank if rank and rank > 1 else None
