"""Reads of a loop's variable for its shape alone -> reads of one that is there."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.liveness import SHAPE_READS
from gradgen.ir.nodes import Apply, Const, Expr, Loop, Ref, Stmt, Var
from gradgen.ir.walk import map_expressions, rewrite, with_children
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, equal


def without_shape_reads(
    gradient: Iterable[Stmt], source: Loop, back: Loop, own: set[Var], facts: Facts
) -> list[Stmt]:
    """The block with np.zeros_like(h) reading another variable of h's shape.

    The loop's exit value serves, where every round sets it and has its shape; or
    the adjoint that the reversed loop carries in full.
    """
    places: list[tuple[Shape, Var]] = []
    for slot in source.carried:
        if isinstance(slot.next, Ref) and slot.next.var not in facts.unset:
            places.append((facts.shapes[slot.exit], slot.exit))
    ends = {slot.inner: slot.next for slot in source.carried}
    of = {
        slot.inner.of: slot.inner
        for slot in back.carried
        if slot.inner.of not in ends
        or ends[slot.inner.of] != Const(None)
        and facts.same(ends[slot.inner.of], Ref(slot.inner.of))
    }
    of = {
        var: inner
        for var, inner in of.items()
        if var not in facts.unset or facts.same(Ref(inner), Ref(var))
    }

    def other(var: Var) -> Expr | None:
        if facts.shapes[var].atoms or facts.shapes[var].dims is not None:
            for shape, place in places:
                alike = (var in facts.complexes) == (place in facts.complexes)
                alike = alike and equal(shape, facts.shapes[var])
                if alike and facts.rank(Ref(var)) != 0:
                    return Ref(place)
        return Ref(of[var]) if var in of else None

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op not in SHAPE_READS:
            return node
        at = SHAPE_READS[node.op]
        if at >= len(node.args):
            return node
        read = node.args[at]
        if not isinstance(read, Ref) or read.var not in own:
            return node
        instead = other(read.var)
        if instead is None:
            return node
        args = list(node.args)
        args[at] = instead
        return with_children(node, (*args, *(value for _, value in node.kwargs)))

    return list(map_expressions(gradient, lambda expr: rewrite(expr, change)))
