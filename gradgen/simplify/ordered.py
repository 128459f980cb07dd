"""The terms of a gradient's sum stand in the order of the lines that they come from."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, COMPARISONS, MIRRORED
from gradgen.ir.walk import children, map_values, with_children
from gradgen.simplify.factored import joined

# the order of a longer sum is not looked at
LONGEST = 24


def ordered(function: Function) -> Function:
    """The function whose sums add up what flows back as it came into being.

        before:  d_right = 2 * d_z
                 d_left = d_right * w
                 d_x = d_left + d_right
        after:   d_right = 2 * d_z
                 d_left = d_right * w
                 d_x = d_right + d_left

    Only sums of names are looked at. What a round of a loop starts with comes before
    all that the round computes, and a positive term before the others. What is compared
    with a number comes first: x > 0 for 0 < x.
    """
    places: dict[Var, int] = {}

    def value(let: Let) -> Expr:
        found = _ordered(let.value, places) if let.note.derived else let.value
        places[let.var] = len(places)
        return found

    return map_values(function, value)


def _ordered(expr: Expr, places: dict[Var, int]) -> Expr:
    """An expression with the terms of its sums of names in order."""
    if not isinstance(expr, Apply):
        return expr
    terms = _gradients(expr) if _is_sum(expr) else []
    if terms:
        keys = [places.get(one.var, -1) for _, one in terms]
        if keys == sorted(keys):
            return expr
        return joined(
            [terms[i] for i in sorted(range(len(keys)), key=keys.__getitem__)]
        )
    if expr.op in COMPARISONS and isinstance(expr.args[0], Const):
        mirrored = MIRRORED.get(expr.op, expr.op)  # equality is its own mirror image
        expr = replace(expr, op=mirrored, args=expr.args[::-1])
    old = children(expr)
    new = [_ordered(one, places) for one in old]
    same = all(a is b for a, b in zip(old, new, strict=True))
    return expr if same else with_children(expr, new)


def _is_sum(expr: Expr) -> bool:
    return (
        isinstance(expr, Apply) and expr.op in ADDITIVE and expr.spelling == "operator"
    )


def _gradients(total: Expr) -> list[tuple[bool, Ref]]:
    """The terms of a sum and whether each is subtracted, where all are gradients' names.

    It is read from its end: of a long sum of other terms not all is looked through.
    """
    found: list[tuple[bool, Ref]] = []
    left = [(False, total)]
    while left:
        minus, expr = left.pop()
        if isinstance(expr, Apply) and _is_sum(expr):
            second = minus ^ (expr.op == "numpy.subtract")
            left += [(minus, expr.args[0]), (second, expr.args[1])]
        elif isinstance(expr, Apply) and expr.op == "numpy.negative":
            left.append((not minus, expr.args[0]))
        elif _is_gradient(expr) and len(found) < LONGEST:
            found.append((minus, expr))
        else:
            return []
    return found[::-1]


def _is_gradient(term: Expr) -> TypeGuard[Ref]:
    return isinstance(term, Ref) and term.var.origin in (Origin.SEED, Origin.ADJOINT)
