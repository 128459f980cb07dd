"""What flows back to a list of numbers begins as [0.0] * len(xs)."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import call
from gradgen.ir.walk import map_values
from gradgen.shapes.infer import Facts

ZERO = Const(0.0)


def number_lists(function: Function, facts: Facts) -> Function:
    """The function whose gradient makes no array of rank 0 for each number of a list.

    before:  d_v = [np.zeros_like(one) for one in v]
    after:   d_v = [0.0] * len(v)
    """

    def value(let: Let) -> Expr:
        made = let.value
        if not let.note.derived or not isinstance(made, Apply) or made.op != "zeros_of":
            return made
        numbers, depth = made.args
        shape = facts.entries_of(numbers) if facts.is_list(numbers) else None
        if depth != Const(1) or shape is None or shape.rank != 0:
            return made
        return Apply("repeated", (ZERO, call("len", numbers)))

    return map_values(function, value)
