"""The transpose of a symmetric matrix is the matrix."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Expr, Function
from gradgen.ir.walk import lets, rewrite, rewrite_derived, subexpressions
from gradgen.shapes.infer import Facts
from gradgen.shapes.mirrored import Mirrored


def symmetric(function: Function, facts: Facts) -> Function:
    """The function whose gradient transposes no matrix that surely is symmetric.

        before:  off = W.T @ W - np.eye(3)
                 d_off = 2 * d_out * off
                 d_W = W @ d_off + W @ d_off.T
        after:   off = W.T @ W - np.eye(3)
                 d_off = 2 * d_out * off
                 d_W = W @ d_off + W @ d_off

    What is known by its form: A.T @ A, A + A.T, a matrix on whose diagonal alone there
    is something, and sums, products entry by entry and functions of such.
    """
    if not any(
        _is_turned(node)
        for let in lets(function.body)
        if let.note.derived
        for node in subexpressions(let.value)
    ):
        return function
    known = Mirrored({let.var: let.value for let in lets(function.body)}, facts)

    def turned_back(node: Expr) -> Expr:
        if isinstance(node, Apply) and _is_turned(node):
            if known.is_symmetric(node.args[0]):
                return node.args[0]
        return node

    return rewrite_derived(function, lambda expr: rewrite(expr, turned_back))


def _is_turned(node: Expr) -> bool:
    turned = isinstance(node, Apply) and node.op == "numpy.transpose"
    return turned and len(node.args) == 1 and not node.kwargs
