"""Ranges that are gone through backwards, as ranges."""

from __future__ import annotations

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, call, multiply, subtract
from gradgen.ir.walk import static


def forwards(over: Expr) -> Expr:
    """A range that is gone through backwards, as a range.

    before:  reversed(range(n))      reversed(range(a, b, 2))
    after:   range(n - 1, -1, -1)    range(a + (len(range(a, b, 2)) - 1) * 2, a - 2, -2)
    """
    if _op(over) != "reversed":
        return over
    (inner,) = over.args
    count: Expr
    if _op(inner) == "getitem":
        inner, part = inner.args
        count = part.args[1]
    else:
        count = call("len", inner)
    if _op(inner) != "range":
        return over
    start, stop, step = inner.args
    if _static(step) == -1 and _op(over.args[0]) == "range":
        return Apply("range", (one_more(stop), one_more(start), Const(1)))
    if step == Const(1) and _op(over.args[0]) == "range":
        last = less_one(stop)
    else:
        rounds = less_one(count)
        last = rounds if step == Const(1) else multiply(rounds, step)
        last = last if start == Const(0) else add(start, last)
    by = _static(step)
    if type(by) is not int:
        back: Expr = Apply("numpy.negative", (step,), spelling="operator")
        before: Expr = subtract(start, step)
    else:
        back = Const(-by)
        known = _static(start)
        if type(known) is int:
            before = Const(known - by)
        else:
            before = subtract(start, Const(by)) if by > 0 else add(start, Const(-by))
    return Apply("range", (last, before, back))


def one_more(value: Expr) -> Expr:
    """n + 1."""
    known = _static(value)
    if type(known) is int:
        return Const(known + 1)
    if _op(value) == "numpy.subtract" and type(_static(value.args[1])) is int:
        less = value.args[1].value - 1
        return subtract(value.args[0], Const(less)) if less else value.args[0]
    return add(value, Const(1))


def less_one(value: Expr) -> Expr:
    """n - 1."""
    known = _static(value)
    if type(known) is int:
        return Const(known - 1)
    if _op(value) == "numpy.add" and value.args[1] == Const(1):
        return value.args[0]
    if _op(value) == "numpy.subtract" and type(_static(value.args[1])) is int:
        return subtract(value.args[0], Const(value.args[1].value + 1))
    return subtract(value, Const(1))


def _op(expr: Expr) -> str:
    return expr.op if isinstance(expr, Apply) else ""


def _static(expr: Expr) -> object:
    try:
        return static(expr)
    except ValueError:
        return None
