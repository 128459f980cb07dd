"""Loops: what goes from round to round is found by writing the body until it fits.

The first writing guesses what the body changes; each further one knows what the
one before has found: names that are bound anew, buffers that are stored into,
objects that may share memory, ranks that do not stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from gradgen.frontend.control.branches import block, close, flag, has_gone
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.control.branches import no_jump, set_flag
from gradgen.frontend.control.conditions import read_test
from gradgen.frontend.control.rounds import Round
from gradgen.frontend.heap.names import lookup
from gradgen.frontend.lowering.guess import Guess
from gradgen.frontend.lowering.jumps import BROKE, FALSE, GONE, RETURNED, STOP, TRUE
from gradgen.frontend.lowering.jumps import flag_of, tells_of_value
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import State
from gradgen.frontend.source.names import assigned
from gradgen.frontend.source.walked import nodes_in
from gradgen.ir.nodes import Apply, Const, Expr, Loop, Note, Ref, Var

ATTEMPTS = 40


def loop(
    lowering: Lowering,
    node: gast.For | gast.While,
    over: Expr | None,
    index: Var,
    enter: Callable[[], None],
    test_node: gast.AST | None,
    note: Note,
) -> None:
    """Writes a loop over a range, or while a condition holds."""
    frame = lowering.frame
    saved = enter_loop(lowering)
    before, mark, problems = lowering.state, lowering.mark(), len(lowering.problems)
    guess, place = _first_guess(lowering, node), (frame.number, id(node))
    names = dict(before.names)
    lowering.nests.begin(place, guess, names)
    overlaps = {buffer: set(m) for buffer, m in lowering.memory.overlaps.items()}
    for _ in range(ATTEMPTS):
        del lowering.problems[problems:]
        lowering.memory.overlaps = {b: set(more) for b, more in overlaps.items()}
        run = Round(lowering, guess, before, mark)
        head = run.head()
        size = guess.size()  # what the start itself adds is known in this round already
        parts: dict[str, Expr | None] = {}

        def write() -> None:
            lowering.note = note
            parts["test"] = _loop_test(lowering, test_node)
            if lowering.body:
                # more than an expression: asked inside, and left by a jump
                _guarded(lowering, parts.pop("test"), node.body)
            else:
                enter()
                block(lowering, node.body)
            lowering.note = note

        calls = lowering.calls_made
        arm = lowering.arm(head, write)
        for key in [key for key in arm.state.names if key[0] > calls]:
            del arm.state.names[key]  # of calls that are over, kept for closures
        run.finish(head, arm)
        if guess.size() == size:
            break
    else:
        lowering.problem(
            "GG224", "what this loop changes cannot be told", node, "a simpler loop"
        )
    lowering.nests.found(place, guess, names)
    until = arm.state.names.get((frame.number, STOP), FALSE)
    count = lowering.counter("count")
    lowering.state = run.after(before, arm)
    lowering.body.append(
        Loop(
            index,
            over,
            parts.get("test"),
            None if until == FALSE else until,
            tuple(run.carried()),
            tuple(arm.body),
            count,
            note,
        )
    )
    if over is not None and not arm.state.dead:
        _set_by(lowering, over, before, arm.state)
    leave_loop(lowering, node, saved, note)


def _set_by(lowering: Lowering, over: Expr, before: State, end: State) -> None:
    """A name that each round sets has a value if there is a round."""
    ran: Expr | None = None
    for key, value in end.names.items():
        if tells_of_value(key[1]) and value == TRUE and before.names.get(key) == FALSE:
            ran = ran or _has_rounds(lowering, over, key[1].strip("."))
            lowering.state.names[key] = ran or lowering.state.names[key]


def _has_rounds(lowering: Lowering, over: Expr, name: str) -> Expr | None:
    """Whether a range has any number in it; None where its direction is unknown."""
    assert isinstance(over, Apply)  # a range
    start, stop, step = over.args
    if not isinstance(step, Const):
        return None
    if isinstance(start, Const) and isinstance(stop, Const):
        return Const(bool(range(start.value, stop.value, step.value)))
    word = "numpy.greater" if step.value > 0 else "numpy.less"
    made = lowering.emit(Apply(word, (stop, start), (), "operator"), name)
    lowering.memory.numbers.add(made.var)
    return made


def enter_loop(lowering: Lowering) -> dict[str, Expr]:
    """The jumps of what is around a loop, put aside."""
    saved = {name: flag(lowering, name) for name in (GONE, STOP, BROKE)}
    for name in saved:
        lowering.state.names.pop((lowering.frame.number, name), None)
    lowering.frame.loops += 1
    return saved


def leave_loop(
    lowering: Lowering, node: gast.For | gast.While, saved: dict[str, Expr], note: Note
) -> None:
    """The jumps of what is around a loop again, and the loop's else."""
    frame = lowering.frame
    frame.loops -= 1
    broke = flag(lowering, BROKE)
    for name, value in saved.items():
        set_flag(lowering, name, value)
    returned = flag(lowering, RETURNED)
    if returned != FALSE:
        set_flag(lowering, GONE, returned)
        if frame.loops:
            set_flag(lowering, STOP, returned)
            set_flag(lowering, BROKE, returned)
    if node.orelse:
        lowering.note = note
        _otherwise(lowering, node.orelse, broke)


def _otherwise(lowering: Lowering, statements: list[Any], broke: Expr) -> None:
    """The else of a loop: where it was not left by a jump."""
    if broke == FALSE:
        block(lowering, statements)
    elif broke != TRUE and has_gone(lowering) != TRUE:
        unless_jumped(lowering, broke, lambda: block(lowering, statements))


def _loop_test(lowering: Lowering, node: gast.AST | None) -> Expr | None:
    """A while loop's condition as one expression."""
    if node is None:
        return None
    test = read_test(lowering, node)
    return None if known_truth(lowering, test) is True else test


def _guarded(lowering: Lowering, test: Expr | None, statements: list[Any]) -> None:
    """A round that ends the loop where the condition does not hold."""

    def end() -> None:
        set_flag(lowering, GONE, TRUE)
        set_flag(lowering, STOP, TRUE)

    if test is None:
        return block(lowering, statements)
    note, before, mark = lowering.note, lowering.state, lowering.mark()
    then = lowering.arm(before, lambda: block(lowering, statements))
    orelse = lowering.arm(before, end)
    close(lowering, test, then, orelse, mark, note)


def unless_jumped(lowering: Lowering, jumped: Expr, write: Callable[[], None]) -> None:
    """Writes what runs where a jump was not taken, so no return either."""
    test = Apply("not", (jumped,), (), "operator")
    note, before, mark = lowering.note, lowering.state, lowering.mark()

    def go_on() -> None:
        no_jump(lowering)
        write()

    then = lowering.arm(before, go_on)
    orelse = lowering.arm(before, lambda: None)
    close(lowering, test, then, orelse, mark, note)


def _first_guess(lowering: Lowering, node: gast.For | gast.While) -> Guess:
    """Names that the body assigns, and the buffers of those it stores into."""
    guess, number = Guess(), lowering.frame.number
    statements: list[gast.AST] = list(node.body)
    if isinstance(node, gast.For):
        statements.insert(0, node.target)
    if isinstance(node, gast.While):
        statements.insert(0, node.test)
    augmented = {
        inner.target.id: inner
        for inner in _statements(node.body)
        if isinstance(inner, gast.AugAssign) and isinstance(inner.target, gast.Name)
    }
    names = assigned(statements)
    plain = set(names)
    if augmented:
        plain = set(assigned([_without_augmented(s) for s in statements]))
    for name in names:
        if not _owns(lowering, name):
            continue
        handle = lowering.state.names.get((number, name))
        if name in augmented and name not in plain and not lowering.is_number(handle):
            if isinstance(handle, Ref):
                guess.buffers[lowering.memory.buffer(handle.var)] = None
        else:
            guess.names[number, name] = None
        flag = number, flag_of(name)
        if lowering.state.names.get(flag, TRUE) != TRUE:
            guess.names[flag] = None
    every = (one for stmt in node.body for one in nodes_in(stmt))
    for inner in every:
        if isinstance(inner, gast.Subscript) and isinstance(inner.ctx, gast.Store):
            base = inner.value
            while isinstance(base, (gast.Subscript, gast.Attribute)):
                base = base.value
            if not isinstance(base, gast.Name):
                continue
            handle = lookup(lowering, base.id)
            if isinstance(handle, Ref):
                guess.buffers[lowering.memory.buffer(handle.var)] = None
    return guess


def _statements(body: Iterable[Any]) -> Iterator[gast.AST]:
    """The statements of a block, and of the blocks inside it."""
    waiting = list(body)
    while waiting:
        stmt = waiting.pop()
        yield stmt
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(stmt, name, None)
            if isinstance(inner, list):
                waiting += inner


def _owns(lowering: Lowering, name: str) -> bool:
    return name in lowering.frame.locals


def _without_augmented(node: gast.AST) -> gast.AST:
    """The statement, where an augmented assignment counts as no assignment."""
    if isinstance(node, gast.AugAssign):
        return gast.Expr(value=node.value)
    if not isinstance(getattr(node, "body", None), list):
        return node
    parts = list(node.body) + list(getattr(node, "orelse", []))
    extra = [node.target] if isinstance(node, gast.For) else []
    return gast.Module(
        body=[*extra, *(_without_augmented(part) for part in parts)], type_ignores=[]
    )
