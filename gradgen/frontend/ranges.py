"""Ranges backwards and cut: what is computed is a range again, exactly.

A span is the start, stop and step of a range, as handles; `write` writes an
operation on numbers and gives the handle of its result.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, multiply, negative, subtract

Span = tuple[Expr, Expr, Expr]
Write = Callable[[Apply], Expr]


def backwards(span: Span, write: Write) -> Span:
    """reversed(range(a, b, s)).

    before:  reversed(range(0, n, 2))
    after:   range((n - 1) // 2 * 2, -2, -2)
    """
    if _all_known(span):
        back = range(*(part.value for part in span))[::-1]
        return Const(back.start), Const(back.stop), Const(back.step)
    start, stop, step = span
    before = _plus(start, _minus(step, write), write)
    return _last(span, write), before, _minus(step, write)


def cut(span: Span, first: Expr, end: Expr, write: Write) -> Span | None:
    """range(a, b, s)[first:end], for places that surely are none or at least 0.

    before:  range(1, n)[:count]
    after:   range(1, min(n, 1 + count))
    """
    start, stop, step = span
    known = isinstance(step, Const)
    if end != Const(None) and not known:
        return None
    if end != Const(None):
        word = "minimum" if step.value > 0 else "maximum"
        limit = _plus(start, _times(end, step, write), write)
        if isinstance(limit, Const) and isinstance(stop, Const):
            stop = Const((min if step.value > 0 else max)(limit.value, stop.value))
        else:
            op, spelled = f"numpy.{word}", f"name:{word[:3]}"
            stop = write(Apply(op, (stop, limit), (), spelled))
    if first != Const(None):
        start = _plus(start, _times(first, step, write), write)
    return start, stop, step


def counts_up(name: str, function: gast.AST) -> bool:
    """Whether a name of a function is never below 0: it starts there and grows."""
    found = False
    for node in gast.walk(function):
        if isinstance(node, gast.Assign):
            value, names = node.value, [t for t in node.targets if _is(t, name)]
            if names and not _is_natural(value):
                return False
            found |= bool(names)
        elif isinstance(node, gast.AugAssign) and _is(node.target, name):
            if not isinstance(node.op, gast.Add) or not _is_natural(node.value):
                return False
    stores = sum(
        _is(node, name) and not isinstance(node.ctx, gast.Load)
        for node in gast.walk(function)
    )
    plain = sum(
        _is(target, name)
        for node in gast.walk(function)
        if isinstance(node, (gast.Assign, gast.AugAssign))
        for target in (node.targets if hasattr(node, "targets") else [node.target])
    )
    return found and stores == plain


def _is(node, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _is_natural(node) -> bool:
    return (
        isinstance(node, gast.Constant) and type(node.value) is int and node.value >= 0
    )


def _last(span: Span, write: Write) -> Expr:
    """The last number of a range; one step before its start where it is empty."""
    start, stop, step = span
    if step == Const(1):
        return _plus(stop, Const(-1), write)
    if step == Const(-1):
        return _plus(stop, Const(1), write)
    if isinstance(step, Const):
        way = _plus(stop, _minus(start, write), write)
        way = _plus(way, Const(-1 if step.value > 0 else 1), write)
        rounds = write(_whole(way, step))
        return _plus(start, _times(rounds, step, write), write)
    # the number of steps, rounded up, less one
    way = _plus(start, _minus(stop, write), write)
    rounds = _plus(write(_whole(way, step)), Const(1), write)
    return write(subtract(start, _times(rounds, step, write)))


def _whole(a: Expr, b: Expr) -> Apply:
    return Apply("numpy.floor_divide", (a, b), spelling="operator")


def _all_known(span: Span) -> bool:
    return all(isinstance(part, Const) for part in span)


def _plus(a: Expr, b: Expr, write: Write) -> Expr:
    if isinstance(a, Const) and isinstance(b, Const):
        return Const(a.value + b.value)
    if b == Const(0) or a == Const(0):
        return a if b == Const(0) else b
    if isinstance(b, Const) and b.value < 0:
        return write(subtract(a, Const(-b.value)))
    if isinstance(b, Apply) and b.op == "numpy.negative":
        return write(subtract(a, b.args[0]))
    return write(add(a, b))


def _minus(a: Expr, write: Write) -> Expr:
    if isinstance(a, Const):
        return Const(-a.value)
    return write(negative(a))


def _times(a: Expr, b: Expr, write: Write) -> Expr:
    if isinstance(a, Const) and isinstance(b, Const):
        return Const(a.value * b.value)
    if b == Const(1):
        return a
    return _minus(a, write) if b == Const(-1) else write(multiply(a, b))
