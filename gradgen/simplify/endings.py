"""What a round hands to the next one is computed where its name is free."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.callee import stays
from gradgen.ir.nodes import Apply, Effect, Function, Let, Loop, Origin, Ref, Stmt, Var
from gradgen.ir.sharing import Sharing, changes, viewed
from gradgen.ir.walk import defined, reads, reads_of, statements, with_blocks


def endings(function: Function) -> Function:
    """The function whose rounds end without handing values from name to name.

        before:  for t in reversed(range(n)):
                     P, x = cache[t]
                     d_P_new = F.T @ d_P
                     d_F += d_P @ P.T + np.outer(d_x, x)
                     d_x = d_x @ F
                     d_P = d_P_new
        after:   for t in reversed(range(n)):
                     P, x = cache[t]
                     d_F += d_P @ P.T + np.outer(d_x, x)
                     d_P = F.T @ d_P
                     d_x = d_x @ F

    The new value goes behind the last line that reads the old one, where nothing
    reads it before, and nothing that it is computed from changes on the way.
    """
    if not any(isinstance(stmt, Loop) for stmt in statements(function.body)):
        return function
    sharing = Sharing(function.body)
    body = _block(function.body, sharing)
    return function if body == function.body else replace(function, body=body)


def _block(body: Iterable[Stmt], sharing: Sharing) -> tuple[Stmt, ...]:
    done = []
    for stmt in body:
        stmt = with_blocks(stmt, lambda block: _block(block, sharing))
        done.append(_ended(stmt, sharing) if isinstance(stmt, Loop) else stmt)
    return tuple(done)


def _ended(loop: Loop, sharing: Sharing) -> Loop:
    """The loop with what its rounds hand on behind what they were handed."""
    body = list(loop.body)
    for slot in loop.carried:
        new = slot.next.var if isinstance(slot.next, Ref) else None
        at = next((i for i, s in enumerate(body) if _is_let_of(s, new)), None)
        if new is None or at is None:
            continue
        let = body[at]
        assert isinstance(let, Let)
        last = _last_read(body, at, {slot.inner}, new)
        others = [one for one in loop.carried if one is not slot]
        if any(slot.inner in reads(one.next) for one in others) or last <= at:
            continue
        over = body[at + 1 : last + 1]
        ends = {var for one in others for var in reads(one.next)}
        ahead = [var for stmt in over for var in defined(stmt) if var in ends]
        if any(_called_alike(a, b) for a in ahead for b in reads(let.value)):
            continue  # they swap
        if _may_go(let, over, sharing):
            body[at : last + 1] = [*body[at + 1 : last + 1], let]
    return loop if body == list(loop.body) else replace(loop, body=tuple(body))


def _is_let_of(stmt: Stmt, var: Var | None) -> bool:
    """Whether a statement of the gradient assigns the variable a new value."""
    return (
        isinstance(stmt, Let)
        and stmt.var == var
        and stmt.note.derived
        and stmt.var.origin is Origin.ADJOINT
        and isinstance(stmt.value, Apply)
        and not changes(stmt)
        and not viewed(stmt.value)
        and not stays(stmt.value)
    )


def _called_alike(var: Var, other: Var) -> bool:
    """Whether both are adjoints of one name."""
    if var.of is None or other.of is None or var.order != other.order:
        return False
    return var.of.name == other.of.name


def _last_read(body: list[Stmt], at: int, given: set[Var], new: Var) -> int:
    """The place of the last statement that reads an earlier value of the name."""
    earlier = given | {
        var for stmt in body[:at] for var in defined(stmt) if _called_alike(var, new)
    }
    places = [i for i, s in enumerate(body) if not earlier.isdisjoint(reads_of(s))]
    return max(places, default=-1)


def _may_go(let: Let, over: list[Stmt], sharing: Sharing) -> bool:
    """Whether a statement may stand behind others, with the same value."""
    roots = {sharing.root(var) for var in reads(let.value)}
    for stmt in over:
        if let.var in reads_of(stmt) or isinstance(stmt, Effect):
            return False
        for one in statements((stmt,)):
            if isinstance(one, Let) and changes(one):
                if sharing.root(one.var) in roots:
                    return False
    return True
