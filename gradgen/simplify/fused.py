"""Loops whose gradient only adds up go once, through both halves of a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.callee import CALLS
from gradgen.ir.nodes import (
    Apply,
    Expr,
    Function,
    Let,
    Loop,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.walk import (
    defined_inside,
    map_expressions,
    own_expressions,
    reads,
    reads_of,
    statements,
    subexpressions,
    substitute,
)
from gradgen.ir.operators import ADDITIVE
from gradgen.shapes.infer import Facts

# what adds to its first argument
ADDING = ("additem", "add_at", "accumulate", *ADDITIVE)


def fused(function: Function, facts: Facts) -> Function:
    """The function that goes once through a loop of which the gradient is a sum.

        before:  d_x = np.zeros_like(x)
                 for i in reversed(range(len(x))):
                     d_x[i] = 2 * d_total * np.cos(gap_gaps[i]) * (x[i] - c)
        after:   d_x = np.zeros_like(x)
                 for i in range(len(x)):
                     gap = x[i] - c
                     d_x[i] = 2 * d_total * np.cos(gap @ gap) * gap

    Where no round of the gradient reads what another one has left, the rounds may go
    in any order: each follows its round of the primal, and nothing is kept. What the
    loop leaves may be a value of the function; no statement may read it.
    """
    body = list(function.body)
    for back in [s for s in body if isinstance(s, Loop) and s.note.role is Role.GRAD]:
        source = _mirrored(back, body)
        if source is None or not _may_go_later(source, body):
            continue
        if not _adds_up(back) or not _keeps(source):
            continue
        if _needs_lists(source, back, facts) and (one := _together(source, back)):
            body[body.index(back)] = one
            body.remove(source)
    same = len(body) == len(function.body)
    return function if same else replace(function, body=tuple(body))


def _mirrored(back: Loop, body: Iterable[Stmt]) -> Loop | None:
    """The loop of the primal whose rounds another one goes back through."""
    for stmt in body:
        if isinstance(stmt, Loop) and stmt.note.role is Role.FORWARD:
            if stmt.mark == back.mark:
                return stmt
    return None


def _may_go_later(source: Loop, body: Iterable[Stmt]) -> bool:
    """Whether no statement around a loop reads what it leaves."""
    left = {source.count, *(slot.exit for slot in source.carried)}
    return not any(left & set(reads_of(stmt)) for stmt in body if stmt is not source)


def _keeps(source: Loop) -> bool:
    """Whether a loop of the primal computes, and does nothing else."""
    for stmt in statements([source]):
        if not isinstance(stmt, Let | Loop) or stmt.note.role is not Role.FORWARD:
            return False
        if isinstance(stmt, Loop) and (stmt.over is None or stmt.test or stmt.until):
            return False
        for expr in own_expressions(stmt):
            if any(_calls(node) for node in subexpressions(expr)):
                return False
    return True


def _calls(node: Expr) -> bool:
    return isinstance(node, Apply) and node.op in (*CALLS, "kept", "pulled")


def _needs_lists(source: Loop, back: Loop, facts: Facts) -> bool:
    """Whether the way back reads what a round has computed: no entry, and no place."""
    lets = [stmt for stmt in statements(source.body) if isinstance(stmt, Let)]
    made = set(defined_inside(source))
    own = {
        let.var
        for let in lets
        if not facts.is_index(let.value) and not _is_entry(let.value, made)
    }
    return bool(own & set(reads_of(back)))


def _is_entry(value: Expr, made: set[Var]) -> bool:
    """Whether a value is a part of an array that a loop leaves as it was."""
    if not isinstance(value, Apply) or value.op != "getitem":
        return False
    base = value.args[0]
    return isinstance(base, Ref) and base.var not in made


def _adds_up(back: Loop) -> bool:
    """Whether all that a loop hands on is added to, and read by nothing else."""
    if not back.carried or back.count in reads_of(back):
        return False
    return _is_sum(back, {})


def _is_sum(loop: Loop, outer: dict[Var, Var]) -> bool:
    """Whether a loop only adds to what it carries.

    `outer` has the sums of the loops around it: each of their values, and the variable
    that the sum starts from.
    """
    states: dict[Var, Var] = {}
    for slot in loop.carried:
        entry = slot.entry.var if isinstance(slot.entry, Ref) else None
        states[slot.inner] = outer.get(entry, slot.inner) if entry else slot.inner
    if len({states[slot.inner] for slot in loop.carried}) < len(loop.carried):
        return False
    for stmt in loop.body:
        if isinstance(stmt, Loop):
            if stmt.over is None or stmt.test or stmt.until:
                return False
            if any(states.keys() & set(reads_of(one)) for one in stmt.body):
                return False
            if states.keys() & set(reads(stmt.over)) or not _is_sum(stmt, states):
                return False
            for slot in stmt.carried:
                if isinstance(slot.entry, Ref) and slot.entry.var in states:
                    states[slot.exit] = states[slot.entry.var]
                elif states.keys() & set(reads(slot.entry)):
                    return False
        elif not isinstance(stmt, Let) or stmt.note.role is not Role.GRAD:
            return False
        elif states.keys() & set(reads(stmt.value)):
            of = _added_to(stmt.value, states)
            if of is None:
                return False
            states[stmt.var] = of
    for slot in loop.carried:
        end = slot.next.var if isinstance(slot.next, Ref) else None
        if end is None or states.get(end) != states[slot.inner]:
            return False
    return True


def _added_to(value: Expr, states: dict[Var, Var]) -> Var | None:
    """The sum that a value is, with something else added to it."""
    if not isinstance(value, Apply) or value.op not in ADDING or value.kwargs:
        return None
    first, *others = value.args
    if value.op == "numpy.add" and not states.keys() & set(reads(first)):
        first, *others = others[0], first
    if any(states.keys() & set(reads(other)) for other in others):
        return None
    if isinstance(first, Ref):
        return states.get(first.var)
    return _added_to(first, states) if first.op in ADDITIVE else None


def _together(source: Loop, back: Loop) -> Loop | None:
    """One loop for both, and so for those inside them; None where one stays alone."""
    index: dict[Var, Expr] = {back.index: Ref(source.index)}
    forward = list(source.body)
    gradient = list(map_expressions(back.body, lambda e: substitute(e, index)))
    for at, stmt in enumerate(gradient):
        if not isinstance(stmt, Loop):
            continue
        inner = _mirrored(stmt, forward)
        if inner is None:
            return None
        if not _may_go_later(inner, [*forward, *gradient]):
            return None
        one = _together(inner, stmt)
        if one is None:
            return None
        gradient[at] = one
        forward.remove(inner)
    hidden = {var for stmt in forward for var in defined_inside(stmt)}
    if any(hidden & set(_outside(stmt)) for stmt in gradient):
        return None
    carried = (*source.carried, *back.carried)
    body = (*forward, *gradient)
    return replace(source, carried=carried, body=body, note=back.note)


def _outside(stmt: Stmt) -> Iterator[Var]:
    """What a statement reads that it does not define itself."""
    own = set(defined_inside(stmt))
    yield from (var for var in reads_of(stmt) if var not in own)
