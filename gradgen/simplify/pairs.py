"""Both indices of a pair: sums along either are alike where the pairs mirror."""

from __future__ import annotations


from gradgen.ir.nodes import Apply, Const, Expr, Function, Let
from gradgen.ir.operators import ADDITIVE, multiply
from gradgen.ir.walk import lets, map_values, rewrite
from gradgen.shapes.infer import Facts
from gradgen.shapes.mirrored import Mirrored, axes_of


def pairs(function: Function, facts: Facts) -> Function:
    """The function that sums what came back to pairs along one of their indices.

        before:  gaps = x[:, None, :] - x[None, :, :]
                 r2 = np.sum(gaps**2, axis=2)
                 d_gaps = np.exp(r2)[:, :, None] * gaps
                 d_x = np.sum(d_gaps, axis=1) - np.sum(d_gaps, axis=0)
        after:   gaps = x[:, None, :] - x[None, :, :]
                 r2 = np.sum(gaps**2, axis=2)
                 d_gaps = np.exp(r2)[:, :, None] * gaps
                 d_x = 2 * np.sum(d_gaps, axis=1)

    With i and j changed about, gaps changes its sign, and so does d_gaps: its sum
    over i is the negative of that over j.
    """
    values = {let.var: let.value for let in lets(function.body)}
    found = _Mirrored(values, facts)

    def value(let: Let) -> Expr:
        return rewrite(let.value, found.once) if let.note.derived else let.value

    return map_values(function, value)


class _Mirrored(Mirrored):
    """What an array is with its first two axes changed about: itself, its negative."""

    def once(self, node: Expr) -> Expr:
        """A sum along both axes as twice the sum along one of them."""
        if not isinstance(node, Apply) or node.op not in ADDITIVE or node.kwargs:
            return node
        left, right = map(_summed, node.args)
        if left is None or right is None or left[0] != right[0]:
            return node
        (array, ours), (_, others) = left, right
        rank = self.facts.rank(array)
        if rank is None or ours ^ others != {0, 1} or max(ours | others) >= rank:
            return node
        if self.sign(array, rank) != ADDITIVE[node.op]:
            return node
        return multiply(Const(2), node.args[0] if 1 in ours else node.args[1])


def _summed(expr: Expr) -> tuple[Expr, frozenset[int]] | None:
    """What is summed, and along which axes, counted from the first."""
    if not isinstance(expr, Apply) or expr.op != "numpy.sum" or len(expr.args) != 1:
        return None
    if [name for name, _ in expr.kwargs] != ["axis"]:
        return None
    axes = axes_of(expr.kwargs[0][1])
    return (expr.args[0], frozenset(axes)) if axes and min(axes) >= 0 else None
