"""Statements that nothing reads are left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.frozen import dataclass
from gradgen.ir.nodes import Branch, Effect, Function, Let, Loop, Role, Stmt, Var
from gradgen.ir.walk import defined_inside, own_expressions, reads, statements
from gradgen.shapes.growing import may_not_fit
from gradgen.shapes.infer import Facts


@dataclass(frozen=True)
class Rules:
    """What is kept although nothing reads it; without `forward` all of the primal."""

    forward: bool
    facts: Facts | None

    def may_raise(self, let: Let | Effect) -> bool:
        """Whether a statement of the primal is kept since it may raise."""
        if self.facts is None or isinstance(let, Effect):
            return False
        if let.note.role is not Role.FORWARD:
            return False
        return may_not_fit(let.value, self.facts)


def dead(
    function: Function, facts: Facts | None = None, forward: bool = True
) -> Function:
    """The function without statements whose value is never read.

    A change in place that may raise, since what goes in may have no room, is kept
    where `facts` are given. With `forward=False` the primal's statements all stay: what the gradient will
    read of them is not settled yet.

        before:  y = np.sin(x)
                 c = np.cos(x)
                 return c
        after:   c = np.cos(x)
                 return c
    """
    live = {var for value in function.values for var in reads(value)}
    live.update(var for result in function.results for var in reads(result.value))
    kept = _kept(function.body, live, Rules(forward, facts))
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
    return dead(function, None, forward=False)


def _kept(body: Iterable[Stmt], live: set[Var], rules: Rules) -> tuple[Stmt, ...]:
    """The statements of a block that are read; `live` grows by what they read."""
    kept: list[Stmt] = []
    for stmt in reversed(tuple(body)):
        whole = stmt.note.role is Role.FORWARD and not rules.forward
        one: Stmt | None
        if isinstance(stmt, Branch):
            one = _branch(stmt, live, rules, whole)
        elif isinstance(stmt, Loop):
            one = _loop(stmt, live, rules, whole)
        else:
            assert isinstance(stmt, (Let, Effect))
            needed = isinstance(stmt, Effect) or whole or stmt.var in live
            needed = needed or rules.may_raise(stmt)
            one = stmt if needed else None
            if needed:
                live.update(reads(stmt.value))
        if one is not None:
            kept.append(one)
    return tuple(reversed(kept))


def _branch(branch: Branch, live: set[Var], rules: Rules, whole: bool) -> Branch | None:
    merges = tuple(m for m in branch.merges if whole or m.var in live)
    live.update(v for m in merges for way in (m.then, m.orelse) for v in reads(way))
    # what raises in a try block decides on what follows
    inside = replace(rules, forward=rules.forward and not branch.is_try)
    then = _kept(branch.then, live, inside)
    orelse = _kept(branch.orelse, live, rules)
    if not (then or orelse or merges):
        return None
    live.update(reads(branch.test))
    if (then, orelse, merges) == (branch.then, branch.orelse, branch.merges):
        return branch
    return replace(branch, then=then, orelse=orelse, merges=merges)


def _loop(loop: Loop, live: set[Var], rules: Rules, whole: bool) -> Loop | None:
    """The loop with the carried variables that are read, in it or after it."""
    needed = {slot.inner for slot in loop.carried if whole or slot.exit in live}
    # The gradient may still read what is inside.
    reached = not live.isdisjoint(defined_inside(loop))
    stops = [expr for expr in (loop.test, loop.until) if expr is not None]
    counted = loop.count in live and bool(stops)
    while True:
        inside = set(live)
        for slot in loop.carried:
            if slot.inner in needed:
                inside.update(reads(slot.next))
        for expr in stops:
            inside.update(reads(expr))
        body = _kept(loop.body, inside, rules)
        more = {slot.inner for slot in loop.carried if slot.inner in inside}
        if more <= needed:
            break
        needed |= more
    carried = tuple(slot for slot in loop.carried if slot.inner in needed)
    read = whole or counted or reached or any(slot.exit in live for slot in carried)
    if not (read or _acts(body, rules)):
        return None
    done = loop
    if (body, carried) != (loop.body, loop.carried):
        done = replace(loop, body=body, carried=carried)
    live.update(inside)
    live.update(v for expr in own_expressions(done) for v in reads(expr))
    return done


def _acts(body: Iterable[Stmt], rules: Rules) -> bool:
    """Whether a block has statements that are kept for what they do."""
    for stmt in statements(body):
        if isinstance(stmt, Effect) or isinstance(stmt, Let) and rules.may_raise(stmt):
            return True
    return False
