"""Statements that nothing reads are left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Branch, Effect, Function, Let, Loop, Role, Stmt, Var
from gradgen.ir.walk import defined_inside, own_expressions, reads, statements


def dead(function: Function, forward: bool = True) -> Function:
    """The function without statements whose value is never read.

    With `forward=False` the primal's statements all stay: what the gradient will
    read of them is not settled yet.

        before:  y = np.sin(x)
                 c = np.cos(x)
                 return c
        after:   c = np.cos(x)
                 return c
    """
    live = {var for value in function.values for var in reads(value)}
    live.update(var for result in function.results for var in reads(result.value))
    kept = _kept(function.body, live, forward)
    return function if kept == function.body else replace(function, body=kept)


def dead_adjoints(function: Function) -> Function:
    """The function without adjoints that are never read.

        before:  y = np.sin(x)
                 d_y = 2 * d_z
                 d_x = d_z * x
                 return d_x
        after:   y = np.sin(x)
                 d_x = d_z * x
                 return d_x

    The primal's statements stay: what the gradient will read of them is not settled
    yet.
    """
    return dead(function, forward=False)


def _kept(body: Iterable[Stmt], live: set[Var], forward: bool) -> tuple[Stmt, ...]:
    """The statements of a block that are read; `live` grows by what they read."""
    kept: list[Stmt] = []
    for stmt in reversed(tuple(body)):
        whole = stmt.note.role is Role.FORWARD and not forward
        one: Stmt | None
        if isinstance(stmt, Branch):
            one = _branch(stmt, live, forward, whole)
        elif isinstance(stmt, Loop):
            one = _loop(stmt, live, forward, whole)
        else:
            assert isinstance(stmt, (Let, Effect))
            needed = isinstance(stmt, Effect) or whole or stmt.var in live
            one = stmt if needed else None
            if needed:
                live.update(reads(stmt.value))
        if one is not None:
            kept.append(one)
    return tuple(reversed(kept))


def _branch(
    branch: Branch, live: set[Var], forward: bool, whole: bool
) -> Branch | None:
    merges = tuple(m for m in branch.merges if whole or m.var in live)
    live.update(v for m in merges for way in (m.then, m.orelse) for v in reads(way))
    # what raises in a try block decides on what follows
    then = _kept(branch.then, live, forward and not branch.is_try)
    orelse = _kept(branch.orelse, live, forward)
    if not (then or orelse or merges):
        return None
    live.update(reads(branch.test))
    if (then, orelse, merges) == (branch.then, branch.orelse, branch.merges):
        return branch
    return replace(branch, then=then, orelse=orelse, merges=merges)


def _loop(loop: Loop, live: set[Var], forward: bool, whole: bool) -> Loop | None:
    """The loop with the carried variables that are read, in it or after it."""
    needed = {slot.inner for slot in loop.carried if whole or slot.exit in live}
    # The gradient may still read what is inside.
    reached = any(var in live for var in defined_inside(loop))
    stops = [expr for expr in (loop.test, loop.until) if expr is not None]
    counted = loop.count in live and bool(stops)
    while True:
        inside = set(live)
        for slot in loop.carried:
            if slot.inner in needed:
                inside.update(reads(slot.next))
        for expr in stops:
            inside.update(reads(expr))
        body = _kept(loop.body, inside, forward)
        more = {slot.inner for slot in loop.carried if slot.inner in inside}
        if more <= needed:
            break
        needed |= more
    carried = tuple(slot for slot in loop.carried if slot.inner in needed)
    if not (whole or counted or reached or _acts(body)) and not any(
        slot.exit in live for slot in carried
    ):
        return None
    done = loop
    if (body, carried) != (loop.body, loop.carried):
        done = replace(loop, body=body, carried=carried)
    live.update(inside)
    live.update(v for expr in own_expressions(done) for v in reads(expr))
    return done


def _acts(body: Iterable[Stmt]) -> bool:
    """Whether a block has statements that are kept for what they do."""
    return any(isinstance(stmt, Effect) for stmt in statements(body))
