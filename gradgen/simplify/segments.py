"""A loop as a loop over segments of its rounds, which can be run again one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Carried,
    Const,
    Expr,
    Let,
    Line,
    Loop,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import add, multiply
from gradgen.ir.walk import all_defined, map_expressions, substitute
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import SCALAR, equal
from gradgen.simplify.another import another

KEPT_EVERY = "What a round starts from is kept once in so many rounds."
ONCE_MORE = "The same rounds again, for what the gradient reads of them."


def is_divisible(loop: Loop) -> bool:
    """Whether the rounds of a loop are those of a range whose direction is known."""
    if loop.over is None or loop.test is not None or loop.until is not None:
        return False
    step = loop.over.args[2]
    return isinstance(step, Const) and isinstance(step.value, int) and step.value != 0


def length(loop: Loop, supply: Supply, facts: Facts) -> Let:
    """How many rounds a segment has: about the square root of all.

    before:  for step in range(steps): ...
    after:   every = int(np.sqrt(len(range(steps)))) + 1
    """
    every = _number("every", Origin.USER, supply, facts)
    assert loop.over is not None
    rounds = Apply("len", (loop.over,), (), "name:len")
    root = Apply("int", (Apply("numpy.sqrt", (rounds,)),), (), "name:int")
    number = loop.note.lines[0].number if loop.note.lines else 0
    line = Line(number, "", "every", (KEPT_EVERY,))
    return Let(every, add(root, Const(1)), Note(Role.FORWARD, (line,)))


def divided(loop: Loop, every: Var, supply: Supply, facts: Facts) -> tuple[Loop, Loop]:
    """The loop over the segments with its one statement, the loop over a segment.

    before:  for step in range(1, n):
                 x = ...
    after:   for first in range(1, n, every):
                 for step in range(first, min(first + every, n)):
                     x = ...

    A loop that goes backwards through another becomes one that goes backwards
    through the segments, and through each.
    """
    assert loop.over is not None
    backwards = loop.over.op == "reversed"
    whole = loop.over.args[0] if backwards else loop.over
    start, stop, step = whole.args
    first = _number("first", Origin.COUNT, supply, facts)
    ahead = Ref(every) if step == Const(1) else multiply(step, Ref(every))
    word = "minimum" if step.value > 0 else "maximum"
    name = "name:min" if step.value > 0 else "name:max"
    end = Apply(f"numpy.{word}", (add(Ref(first), ahead), stop), (), name)
    segments = Apply("range", (start, stop, ahead))
    segment = Apply("range", (Ref(first), end, step))
    if backwards:
        segments, segment = (Apply("reversed", (r,)) for r in (segments, segment))
    outer, inner = [], []
    for slot in loop.carried:
        before, after = (another(slot.inner, supply, facts) for _ in range(2))
        if not equal(facts.shapes[slot.inner], facts.shapes[slot.exit]):
            # it may grow from round to round: what ends a segment is another array
            for var in (before, after):
                facts.shapes[var] = facts.fresh()
        outer.append(Carried(before, slot.entry, Ref(after), slot.exit))
        inner.append(replace(slot, entry=Ref(before), exit=after))
    count = _number(loop.count.name, loop.count.origin, supply, facts)
    part = replace(loop, over=segment, carried=tuple(inner), count=count)
    return (
        replace(loop, index=first, over=segments, carried=tuple(outer), body=(part,)),
        part,
    )


def once_more(
    body: Iterable[Stmt], supply: Supply, facts: Facts
) -> tuple[tuple[Stmt, ...], dict[Var, Expr]]:
    """The statements with variables of their own, and what stands for each old one.

    What statements only do (assert, print) is not done again.
    """
    body = tuple(body)
    new = {var: another(var, supply, facts) for var in all_defined(body)}
    values: dict[Var, Expr] = {var: Ref(other) for var, other in new.items()}
    run = _anew(map_expressions(body, lambda e: substitute(e, values)), new)
    said = Note(Role.GRAD, (Line(0, "", "", (ONCE_MORE,)),))
    return (replace(run[0], note=said), *run[1:]), values


def _anew(body: Iterable[Stmt], new: dict[Var, Var]) -> tuple[Stmt, ...]:
    """The statements with what they define under its new identity."""
    done: list[Stmt] = []
    note = Note(Role.GRAD)
    for stmt in body:
        if isinstance(stmt, Let):
            done.append(Let(new[stmt.var], stmt.value, note))
        elif isinstance(stmt, Branch):
            merges = tuple(replace(m, var=new[m.var]) for m in stmt.merges)
            then, orelse = _anew(stmt.then, new), _anew(stmt.orelse, new)
            done.append(Branch(stmt.test, then, orelse, merges, note))
        elif isinstance(stmt, Loop):
            carried = tuple(
                replace(slot, inner=new[slot.inner], exit=new[slot.exit])
                for slot in stmt.carried
            )
            again = replace(stmt, index=new[stmt.index], count=new[stmt.count])
            inside = _anew(stmt.body, new)
            done.append(
                replace(again, carried=carried, body=inside, note=note, mark=None)
            )
    return tuple(done)


def _number(name: str, origin: Origin, supply: Supply, facts: Facts) -> Var:
    var = supply.var(name, origin)
    facts.shapes[var], facts.kinds[var] = SCALAR, Kind.COUNT
    return var
