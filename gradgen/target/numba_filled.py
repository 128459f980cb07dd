"""Arrays that are filled with an array: numba fills them with numbers alone."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Expr, Function
from gradgen.ir.operators import add, call
from gradgen.ir.walk import map_values, rewrite
from gradgen.shapes.certain import kind_of
from gradgen.shapes.infer import Facts

FILLED = "numpy.full_like"


def filled_with_arrays(function: Function, facts: Facts) -> Function:
    """The function that adds an array to zeros, where no loop fills another with it.

    before:  d_S[:, :2] = np.full_like(S[:, :2], d_out * np.sum(X, axis=1)[:, None])
    after:   d_S[:, :2] = np.zeros_like(S[:, :2]) + d_out * np.sum(X, axis=1)[:, None]
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op != FILLED or node.kwargs:
            return node
        array, value = node.args
        # a sum has the dtype of both
        kind = kind_of(array, facts)
        alike = kind is not None and kind_of(value, facts) is kind
        if not alike or not facts.rank(value) or facts.is_complex(value):
            return node
        return add(call("numpy.zeros_like", array), value)

    return map_values(function, lambda let: rewrite(let.value, change))
