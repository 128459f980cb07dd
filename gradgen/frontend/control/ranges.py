"""Ranges backwards and cut: what is computed is a range again, exactly.

A span is the start, stop and step of a range, as handles; `write` writes an
operation on numbers and gives the handle of its result.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from gradgen.frontend.lowering.pending import Span
from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.operators import add, multiply, negative, subtract

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


def is_count(node: gast.AST, function: gast.AST) -> bool:
    """Whether an expression is surely an integer that is not below 0.

    That is a name that starts at one and grows, or an entry of a list of them.
    """
    if isinstance(node, gast.Constant):
        return type(node.value) is int and node.value >= 0
    if isinstance(node, gast.Name):
        return _counts_up(node.id, function)
    if isinstance(node, gast.Subscript):
        base, depth = _list_and_depth(node)
        return isinstance(base, gast.Name) and _lists_counts(base.id, function, depth)
    return False


def _list_and_depth(node: gast.AST) -> tuple[gast.AST, int]:
    """What counts[i][j] is taken from, and by how many subscripts."""
    depth = 0
    while isinstance(node, gast.Subscript) and not isinstance(node.slice, gast.Slice):
        node, depth = node.value, depth + 1
    return node, depth


def _counts_up(name: str, function: gast.AST, seen: tuple[str, ...] = ()) -> bool:
    starts = 0
    for node in gast.walk(function):
        if isinstance(node, gast.Assign):
            names = [target for target in node.targets if _is(target, name)]
            if names and not _is_start(node.value, function, (*seen, name)):
                return False
            starts += len(names)
        elif isinstance(node, gast.AugAssign) and _is(node.target, name):
            if not isinstance(node.op, gast.Add) or not _is_natural(node.value):
                return False
            starts += 1
    return starts > 0 and starts == _stores(name, function)


def _is_start(node: gast.AST, function: gast.AST, seen: tuple[str, ...]) -> bool:
    """Whether a value is a count, or None, which nothing takes for a number."""
    if isinstance(node, gast.Name):
        return node.id in seen or _counts_up(node.id, function, seen)
    return _is_natural(node) or isinstance(node, gast.Constant) and node.value is None


def _lists_counts(name: str, function: gast.AST, depth: int, held: int = 0) -> bool:
    """Whether a name is a list of counts, or a list of lists of them and so on.

    `held` is how often another list takes it in.
    """
    starts, appended = 0, 0
    for node in gast.walk(function):
        if isinstance(node, gast.Assign):
            names = [target for target in node.targets if _is(target, name)]
            if names and not (
                isinstance(node.value, gast.List) and not node.value.elts
            ):
                return False
            starts += len(names)
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            if _is(node.func.value, name) and node.func.attr == "append":
                entry = node.args[0]
                if depth == 1 and not is_count(entry, function):
                    return False
                if depth > 1 and not (
                    isinstance(entry, gast.Name)
                    and _lists_counts(entry.id, function, depth - 1, held=1)
                ):
                    return False
                appended += 1
    # any other use may change the list: only the counts in it are read
    nodes = list(gast.walk(function))
    read = sum(
        isinstance(node, gast.Subscript)
        and isinstance(node.ctx, gast.Load)
        and _is(_list_and_depth(node)[0], name)
        and _list_and_depth(node)[1] == depth
        for node in nodes
    )
    loads = [n for n in nodes if _is(n, name) and isinstance(n.ctx, gast.Load)]
    settled = starts > 0 and starts == _stores(name, function)
    return settled and len(loads) == appended + read + held


def _stores(name: str, function: gast.AST) -> int:
    """How often a name is bound, one way or another."""
    return sum(
        _is(node, name) and not isinstance(node.ctx, gast.Load)
        for node in gast.walk(function)
    )


def _is(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _is_natural(node: gast.AST) -> bool:
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
