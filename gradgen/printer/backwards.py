"""Rounds that are counted down, as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Origin,
    Ref,
)
from gradgen.ir.nodes import Stmt, Var
from gradgen.ir.walk import (
    lets,
    reads,
    reads_of,
    statements,
    substitute_everywhere,
    uses,
    with_blocks,
)
from gradgen.shapes.infer import Facts

DOWN = Const(-1)
# what a line of the user's has that goes through a range backwards
TURNED = "reversed(", "[::-1]"


def backwards(function: Function, facts: Facts) -> Function:
    """The function whose loops over reversed(x) are such, and go forwards on the way back.

        before:  for i in reversed(range(one_in, -1, -1)):
                     d_x[i] = d_s + d_s * s_list[one_in - i]
        after:   for i in range(len(x)):
                     d_x[i] = d_s + d_s * s_list[len(x) - 1 - i]

    The user's own range(n - 1, -1, -1) stays; its way back is range(n). So is that of
    `for _ in range(n)`.
    """
    loops = [stmt for stmt in function.body if isinstance(stmt, Loop | Branch)]
    if not any(_counts_down(one) or _is_any(one) for one in statements(loops)):
        return function
    made = {
        let.var: let.value
        for let in lets(function.body)
        if not any(facts.is_list(Ref(var)) for var in reads(let.value))
    }
    body = tuple(_block(function.body, made))
    if body == function.body:
        return function
    return _without_last(replace(function, body=body), function)


def _block(body: Iterable[Stmt], made: dict[Var, Expr]) -> Iterator[Stmt]:
    for stmt in body:
        if isinstance(stmt, Loop) and isinstance(stmt.over, Apply):
            stmt = replace(stmt, over=_over(stmt, stmt.over, made))
        yield with_blocks(stmt, lambda block: _block(block, made))


def _over(loop: Loop, over: Apply, made: dict[Var, Expr]) -> Apply:
    if over.op == "reversed":
        inner = over.args[0]
        if _is_any(loop) and isinstance(inner, Apply):
            return inner
        counted = _counted(inner, made) if isinstance(inner, Apply) else None
        return counted or over
    text = loop.note.lines[0].text if loop.note.lines else ""
    if any(word in text for word in TURNED):
        counted = _counted(over, made)
        if counted is not None:
            return Apply("reversed", (counted,))
    return over


def _counts_down(stmt: Stmt) -> bool:
    """Whether a statement is a loop over range(last, -1, -1)."""
    over = stmt.over if isinstance(stmt, Loop) else None
    while isinstance(over, Apply) and over.op == "reversed":
        over = over.args[0]
    return isinstance(over, Apply) and over.args[1:] == (DOWN, DOWN)


def _is_any(stmt: Stmt) -> bool:
    """Whether the rounds of a loop back have no number: for _ in reversed(range(n))."""
    over = stmt.over if isinstance(stmt, Loop) and stmt.note.derived else None
    if not isinstance(over, Apply) or over.op != "reversed":
        return False
    inner = over.args[0]
    assert isinstance(stmt, Loop)
    if not isinstance(inner, Apply) or inner.op != "range" or stmt.index.name != "_":
        return False
    read = {var for one in statements(stmt.body) for var in reads_of(one)}
    read |= {v for slot in stmt.carried for v in reads(slot.next)}
    return not read & {stmt.index, stmt.count}


def _counted(over: Apply, made: dict[Var, Expr]) -> Apply | None:
    """range(n), for range(n - 1, -1, -1)."""
    if over.op != "range" or over.args[1:] != (DOWN, DOWN):
        return None
    last = over.args[0]
    if isinstance(last, Ref) and last.var.origin is Origin.TEMP:
        last = made.get(last.var, last)
    if isinstance(last, Apply) and last.op == "numpy.subtract":
        if last.spelling == "operator" and last.args[1] == Const(1):
            return Apply("range", (Const(0), last.args[0], Const(1)))
    return None


def _without_last(function: Function, before: Function) -> Function:
    """The function without names of last places that are read less than before."""
    was, now = uses(before), uses(function)
    values: dict[Var, Expr] = {}
    for let in lets(function.body):
        less = now[let.var] < was[let.var] and now[let.var] <= 2
        if less and let.var.origin is Origin.TEMP and _is_last(let.value):
            values[let.var] = let.value

    def block(body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if not isinstance(stmt, Let) or stmt.var not in values:
                yield with_blocks(stmt, block)

    kept = replace(function, body=tuple(block(function.body)))
    return substitute_everywhere(kept, values)


def _is_last(value: Expr) -> bool:
    """Whether a value is len(x) - 1 or n - 1."""
    if not isinstance(value, Apply) or value.op != "numpy.subtract":
        return False
    counted = value.args[0]
    own = isinstance(counted, Apply) and counted.op == "len" and len(counted.args) == 1
    return isinstance(counted, Ref) or own and isinstance(counted.args[0], Ref)
