"""Reads of a loop's variable for its shape alone -> reads of one that is there."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.liveness import SHAPE_READS
from gradgen.ir.nodes import Apply, Const, Expr, Loop, Ref, Stmt, Var
from gradgen.ir.walk import children, map_expressions, rewrite, with_children
from gradgen.ir.operators import MEASURES
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, equal
from gradgen.simplify.again import Again

# What reads the shape, and hardly the dtype.
SHAPE_ALONE = {"helper._unbroadcast", "len", *MEASURES}


def without_shape_reads(
    gradient: Iterable[Stmt], source: Loop, back: Loop, again: Again, facts: Facts
) -> list[Stmt]:
    """The block with np.zeros_like(h) reading another variable of h's shape.

    The loop's exit value serves, where every round sets it and has its shape; or
    the adjoint that the reversed loop carries in full. The shape alone is read of
    an operand that is there on the way back: of x[i : i + n] for w * x[i : i + n].
    """
    own = again.own
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
        if node.op == "len" and facts.is_list(read):
            return node  # it grows from round to round
        instead = other(read.var)
        if instead is None and node.op in SHAPE_ALONE:
            instead = _operand_like(read.var, again, facts)
        if instead is None:
            return node
        args = list(node.args)
        args[at] = instead
        return with_children(node, (*args, *(value for _, value in node.kwargs)))

    return list(map_expressions(gradient, lambda expr: rewrite(expr, change)))


def _operand_like(var: Var, again: Again, facts: Facts) -> Expr | None:
    """An operand of a value's shape that need not be kept; None where it need not.

    Every operand of that shape is one, through operations on whole arrays.
    """
    if again.cheap(var) is not None:
        return None
    seen = {var}
    stack = list(_alike(var, again, facts))
    while stack:
        operand = stack.pop()
        if again.cheap(operand.var) is not None:
            return operand
        if operand.var not in seen:
            seen.add(operand.var)
            stack += _alike(operand.var, again, facts)
    return None


def _alike(var: Var, again: Again, facts: Facts) -> list[Ref]:
    """The operands that a value has the shape and kind of, the last one first."""
    shape = facts.shapes[var]
    let = again.lets.get(var)
    if let is None or not shape.atoms or facts.rank(Ref(var)) == 0:
        return []
    read = [one for one in children(let.value) if isinstance(one, Ref)]
    return [
        one
        for one in reversed(read)
        if one.var in again.own
        and facts.kinds[one.var] is facts.kinds[var]
        and (one.var in facts.complexes) == (var in facts.complexes)
        and equal(facts.shapes[one.var], shape)
    ]
