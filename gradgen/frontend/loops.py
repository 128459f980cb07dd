"""Loops: what goes from round to round is found by writing the body until it fits.

The first writing guesses what the body changes; each further one knows what the
one before has found: names that are bound anew, buffers that are stored into,
objects that may share memory, ranks that do not stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from gradgen.frontend.control import Control
from gradgen.frontend.jumps import BROKE, FALSE, GONE, RETURNED, STOP, TRUE
from gradgen.frontend.jumps import flag_of, tells_of_value
from gradgen.frontend.memory import State
from gradgen.frontend.names import assigned
from gradgen.frontend.guess import Guess
from gradgen.frontend.rounds import Round
from gradgen.ir.nodes import Apply, Const, Expr, Loop, Note, Ref, Var

ATTEMPTS = 40


class Loops(Control):
    """Writes loops."""

    def loop(
        self,
        node: gast.For | gast.While,
        over: Expr | None,
        index: Var,
        enter: Callable[[], None],
        test_node: gast.AST | None,
        note: Note,
    ) -> None:
        """Writes a loop over a range, or while a condition holds."""
        frame = self.frame
        saved = self.enter_loop()
        before, mark, problems = self.state, self.mark(), len(self.problems)
        guess, place = self._first_guess(node), (frame.number, id(node))
        names = dict(before.names)
        self.nests.begin(place, guess, names)
        overlaps = {buffer: set(m) for buffer, m in self.memory.overlaps.items()}
        for _ in range(ATTEMPTS):
            del self.problems[problems:]
            self.memory.overlaps = {b: set(more) for b, more in overlaps.items()}
            size = guess.size()
            run = Round(self, guess, before, mark)
            head = run.head()
            parts: dict[str, Expr | None] = {}

            def write() -> None:
                self.note = note
                parts["test"] = self._loop_test(test_node)
                if self.body:
                    # more than an expression: asked inside, and left by a jump
                    self._guarded(parts.pop("test"), node.body)
                else:
                    enter()
                    self.block(node.body)
                self.note = note

            calls = self.calls_made
            arm = self.arm(head, write)
            for key in [key for key in arm.state.names if key[0] > calls]:
                del arm.state.names[key]  # of calls that are over, kept for closures
            run.finish(head, arm)
            if guess.size() == size:
                break
        else:
            self.problem(
                "GG224", "what this loop changes cannot be told", node, "a simpler loop"
            )
        self.nests.found(place, guess, names)
        until = arm.state.names.get((frame.number, STOP), FALSE)
        count = self.counter("count")
        self.state = run.after(before, arm)
        self.body.append(
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
            self._set_by(over, before, arm.state)
        self.leave_loop(node, saved, note)

    def _set_by(self, over: Expr, before: State, end: State) -> None:
        """A name that each round sets has a value if there is a round."""
        ran: Expr | None = None
        for key, value in end.names.items():
            if (
                tells_of_value(key[1])
                and value == TRUE
                and before.names.get(key) == FALSE
            ):
                ran = ran or self._has_rounds(over, key[1].strip("."))
                self.state.names[key] = ran or self.state.names[key]

    def _has_rounds(self, over: Expr, name: str) -> Expr | None:
        """Whether a range has any number in it; None where its direction is unknown."""
        assert isinstance(over, Apply)  # a range
        start, stop, step = over.args
        if not isinstance(step, Const):
            return None
        if isinstance(start, Const) and isinstance(stop, Const):
            return Const(bool(range(start.value, stop.value, step.value)))
        word = "numpy.greater" if step.value > 0 else "numpy.less"
        made = self.emit(Apply(word, (stop, start), (), "operator"), name)
        self.memory.numbers.add(made.var)
        return made

    def enter_loop(self) -> dict[str, Expr]:
        """The jumps of what is around a loop, put aside."""
        saved = {name: self.flag(name) for name in (GONE, STOP, BROKE)}
        for name in saved:
            self.state.names.pop((self.frame.number, name), None)
        self.frame.loops += 1
        return saved

    def leave_loop(
        self, node: gast.For | gast.While, saved: dict[str, Expr], note: Note
    ) -> None:
        """The jumps of what is around a loop again, and the loop's else."""
        frame = self.frame
        frame.loops -= 1
        broke = self.flag(BROKE)
        for name, value in saved.items():
            self.set_flag(name, value)
        returned = self.flag(RETURNED)
        if returned != FALSE:
            self.set_flag(GONE, returned)
            if frame.loops:
                self.set_flag(STOP, returned)
                self.set_flag(BROKE, returned)
        if node.orelse:
            self.note = note
            self._otherwise(node.orelse, broke)

    def _otherwise(self, statements: list[Any], broke: Expr) -> None:
        """The else of a loop: where it was not left by a jump."""
        if broke == FALSE:
            self.block(statements)
        elif broke != TRUE and self.gone() != TRUE:
            self.unless_jumped(broke, lambda: self.block(statements))

    def _loop_test(self, node: gast.AST | None) -> Expr | None:
        """A while loop's condition as one expression."""
        if node is None:
            return None
        test = self.test(node)
        return None if self.truth(test) is True else test

    def _guarded(self, test: Expr | None, statements: list[Any]) -> None:
        """A round that ends the loop where the condition does not hold."""

        def end() -> None:
            self.set_flag(GONE, TRUE)
            self.set_flag(STOP, TRUE)

        if test is None:
            return self.block(statements)
        note, before, mark = self.note, self.state, self.mark()
        then = self.arm(before, lambda: self.block(statements))
        orelse = self.arm(before, end)
        self.close(test, then, orelse, mark, note)

    def unless_jumped(self, jumped: Expr, write: Callable[[], None]) -> None:
        """Writes what runs where a jump was not taken, so no return either."""
        test = Apply("not", (jumped,), (), "operator")
        note, before, mark = self.note, self.state, self.mark()

        def go_on() -> None:
            self.no_jump()
            write()

        then = self.arm(before, go_on)
        orelse = self.arm(before, lambda: None)
        self.close(test, then, orelse, mark, note)

    def _first_guess(self, node: gast.For | gast.While) -> Guess:
        """Names that the body assigns, and the buffers of those it stores into."""
        guess, number = Guess(), self.frame.number
        statements: list[gast.AST] = list(node.body)
        if isinstance(node, gast.For):
            statements.insert(0, node.target)
        if isinstance(node, gast.While):
            statements.insert(0, node.test)
        augmented = {
            inner.target.id: inner
            for statement in node.body
            for inner in gast.walk(statement)
            if isinstance(inner, gast.AugAssign) and isinstance(inner.target, gast.Name)
        }
        plain = set(assigned([_without_augmented(s) for s in statements]))
        for name in assigned(statements):
            if not self._owns(name):
                continue
            handle = self.state.names.get((number, name))
            if name in augmented and name not in plain and not self.is_number(handle):
                if isinstance(handle, Ref):
                    guess.buffers[self.memory.buffer(handle.var)] = None
            else:
                guess.names[number, name] = None
            flag = number, flag_of(name)
            if self.state.names.get(flag, TRUE) != TRUE:
                guess.names[flag] = None
        for statement in node.body:
            for inner in gast.walk(statement):
                if isinstance(inner, gast.Subscript) and isinstance(
                    inner.ctx, gast.Store
                ):
                    base = inner.value
                    while isinstance(base, (gast.Subscript, gast.Attribute)):
                        base = base.value
                    if not isinstance(base, gast.Name):
                        continue
                    handle = self.lookup(base.id)
                    if isinstance(handle, Ref):
                        guess.buffers[self.memory.buffer(handle.var)] = None
        return guess

    def _owns(self, name: str) -> bool:
        return name in self.frame.locals


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
