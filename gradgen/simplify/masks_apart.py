"""What the ways of a choice are made of: a value, a multiple of it, a choice of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.ir.operators import MULTIPLICATIVE
from gradgen.ir.walk import reads, substitute
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.simplify.masks_moved import inverse

# stands for the value in a mask
HOLE = Var(-1, "value", Origin.LOCAL)
ZEROS = (Const(0), Const(0.0))


def factor(expr: Expr) -> tuple[Expr, Expr]:
    """What a value is a multiple of, and how: of 0.5 * d, d / 2 and d."""
    if isinstance(expr, Apply) and expr.op in MULTIPLICATIVE:
        left, right = expr.args
        if isinstance(right, Const):
            return left, replace(expr, args=(Ref(HOLE), right))
        if isinstance(left, Const) and expr.op == "numpy.multiply":
            return right, replace(expr, args=(left, Ref(HOLE)))
    return expr, Ref(HOLE)


def multiple(expr: Expr) -> tuple[Expr | None, Expr]:
    """The same of a name, or of a name chosen once: a choice of many before is whole."""
    one, how = factor(expr)
    if isinstance(one, Ref):
        return one, how
    if isinstance(one, Apply) and one.op == "numpy.where" and len(one.args) == 3:
        test, *ways = one.args
        for zero, other in (ways, ways[::-1]):
            if zero in ZEROS and isinstance(other, Ref):
                args = [way if way is zero else Ref(HOLE) for way in ways]
                return other, substitute(how, {HOLE: replace(one, args=(test, *args))})
    return None, expr


def holes(around: Expr) -> int:
    return sum(var == HOLE for var in reads(around))


def tests(around: Expr) -> Iterator[Expr]:
    if isinstance(around, Apply) and around.op == "numpy.where":
        yield around.args[0]
        for way in around.args[1:]:
            yield from tests(way)


def with_tests(around: Expr, moved: dict[Expr, Expr]) -> Expr:
    if isinstance(around, Apply) and around.op == "numpy.where":
        ways = (with_tests(way, moved) for way in around.args[1:])
        return replace(around, args=(moved[around.args[0]], *ways))
    return around


def truth(around: Expr, facts: Facts) -> Expr | None:
    """Where a choice keeps its value, None where that is not known."""
    if not isinstance(around, Apply) or around.op != "numpy.where":
        return None
    test, yes, no = around.args
    zero = yes in ZEROS
    if zero == (no in ZEROS) or facts.kind(test) is not Kind.BOOLEAN:
        return None
    if zero:
        test = inverse(test, facts)
    inside = no if zero else yes
    if inside == Ref(HOLE):
        return test
    rest = truth(inside, facts)
    both = rest and (test, rest)
    return both and Apply("numpy.bitwise_and", both, spelling="operator")


def either_of(one: Expr, other: Expr, facts: Facts) -> Expr | None:
    """Where one of two masks keeps its value, None where that is everywhere.

    before:  m | m        m | k | m        m | ~m
    after:   m            m | k            None
    """
    every = list(dict.fromkeys((*_ways(one), *_ways(other))))
    if any(inverse(way, facts) in every for way in every):
        return None
    whole, *rest = every
    for way in rest:
        whole = Apply("numpy.bitwise_or", (whole, way), (), "operator")
    return whole


def _ways(mask: Expr) -> Iterator[Expr]:
    if isinstance(mask, Apply) and mask.op == "numpy.bitwise_or":
        for way in mask.args:
            yield from _ways(way)
    else:
        yield mask
