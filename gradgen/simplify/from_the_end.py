"""Parts of an adjoint that end a constant number of entries before its end."""

from __future__ import annotations

from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref
from gradgen.ir.operators import LENGTHS
from gradgen.ir.walk import rewrite, rewrite_derived, subexpressions
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts


def from_the_end(function: Function, facts: Facts) -> Function:
    """The function whose gradient counts places from the end, where it can.

        before:  m = np.concatenate([a[:1], a, a[-1:]])
                 d_a = d_m[1 : 1 + len(a)]
                 d_last = d_m[1 + len(a) :]
        after:   m = np.concatenate([a[:1], a, a[-1:]])
                 d_a = d_m[1:-1]
                 d_last = d_m[-1:]

    Where the length of the axis is known, and what is left of it is a number.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op != "getitem":
            return node
        array, key = node.args
        dims = facts.of(array).dims if isinstance(array, Ref) else None
        if dims is None or not _measures(key):
            return node
        items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
        ends = list(items)
        for axis, (item, dim) in enumerate(zip(items, dims)):
            if not isinstance(item, Apply) or item.op != "slice":
                break
            ends[axis] = _counted(item, dim, facts)
        if tuple(ends) == tuple(items):
            return node
        new = replace(key, args=tuple(ends)) if len(items) > 1 else ends[0]
        return replace(node, args=(array, new))

    return rewrite_derived(function, lambda expr: rewrite(expr, change))


def _measures(key: Expr) -> bool:
    """Whether a key reads the length of an array."""
    return any(
        isinstance(node, Apply) and node.op in LENGTHS for node in subexpressions(key)
    )


def _counted(item: Apply, dim: Dim, facts: Facts) -> Apply:
    """A slice whose ends are counted from the end of the axis."""
    start, stop, step = item.args
    if step != Const(None):
        return item
    return replace(item, args=(_end(start, dim, facts), _end(stop, dim, facts), step))


def _end(end: Expr, dim: Dim, facts: Facts) -> Expr:
    if not isinstance(end, Apply) or not _measures(end):
        return end
    left = (facts.dim(end) - dim).number
    return end if left is None or left >= 0 else Const(left)
