"""Arithmetic of a rule on integers that an argument holds: it is that of floats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import ADDITIVE, COMPARISONS, POWERS, call, multiply
from gradgen.ir.walk import rewrite
from gradgen.rules.traits import makes_halves

NEGATIVE = "numpy.negative"
# what makes integers of 64 bits of those that an argument holds
CAST = call("numpy.asarray", dtype="int")
CLOSED = frozenset({*POWERS, *ADDITIVE, NEGATIVE})


def lifted(
    expr: Expr, is_whole: Callable[[Expr], bool], may_be: Callable[[Expr], bool]
) -> Expr:
    """A line of an elementwise rule that computes in floats.

        before:  special.jv(v - 1, x) - special.jv(v + 1, x)
        after:   special.jv(v - 1.0, x) - special.jv(v + 1.0, x)

        before:  special.sph_harm_y(n, np.asarray(m, dtype=int) + 1, theta, phi)
        after:   special.sph_harm_y(n, m + 1, theta, phi)      where m is a Python int

    With v = np.uint8(0) the place below is 255. `is_whole` tells of an argument that it
    holds integers or bools, `may_be` that nothing tells what it holds.
    """

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or not node.args:
            return node
        first, *rest = node.args
        if node == Apply(CAST.op, (first,), CAST.kwargs):
            return node if is_whole(first) or may_be(first) else first
        if node.kwargs:
            return node
        if is_whole(first) and not rest and makes_halves(node.op):
            return replace(node, args=(_as_float(first),))
        if node.op == "numpy.trunc" and is_whole(first):
            return _as_float(first)
        if node.op not in CLOSED:
            return node
        known, held = (
            [arg for arg in node.args if test(arg)] for test in (is_whole, may_be)
        )
        whole = known or held
        others = [arg for arg in node.args if arg not in whole]
        asked = [arg for arg in others if getattr(arg, "op", "") in COMPARISONS]
        if not whole or not all(_is_int(arg) or arg in asked for arg in others):
            return node
        if asked and not known:
            return node
        if others:
            args = (_floating(arg) if arg in others else arg for arg in node.args)
            return replace(node, args=tuple(args))
        if not known:
            return node
        if node.op == NEGATIVE:
            return multiply(Const(-1.0), first)
        return replace(node, args=(_as_float(first), *rest))

    return rewrite(expr, change)


def as_floats(expr: Expr, is_whole: Callable[[Expr], bool] = lambda x: False) -> Expr:
    """The word floats(x): 1.0 * x where x is known to hold integers, else x."""

    def change(node: Expr) -> Expr:
        if not isinstance(node, Apply) or node.op != "floats":
            return node
        (arg,) = node.args
        return _as_float(arg) if is_whole(arg) else arg

    return rewrite(expr, change)


def _as_float(arg: Expr) -> Expr:
    return multiply(Const(1.0), arg)


def _floating(number: Expr) -> Expr:
    if not isinstance(number, Const):  # n - 1.0 * (n != 0): np.int8(-128) - 1 is 127
        return _as_float(number)
    return Const(float(number.value))


def _is_int(expr: Expr) -> bool:
    return isinstance(expr, Const) and type(expr.value) is int and not expr.dtype
