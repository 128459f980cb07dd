"""Branches: two arms, what they leave behind, and jumps out of them.

A jump is an assignment to a name that no text can have: after `break`,
`continue` and `return` the name "%gone" is true, and the statements behind are
put where it is false.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import gast

from gradgen.frontend.joins import Join
from gradgen.frontend.falling import with_rest
from gradgen.frontend.jumps import BROKE, FALSE, GONE, RESULT, RETURNED, STOP, TRUE
from gradgen.frontend.lengths import Known
from gradgen.frontend.recursion import whole_number
from gradgen.frontend.writer import REFUSED, Arm, Refusal, Writer
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Note, Ref
from gradgen.ir.operators import negated
from gradgen.ir.slope import is_same


T = TypeVar("T")
# modules whose functions change nothing, but for out=, which is not inside a call
PURE = ("numpy", "math")


class Control(Writer):
    """Writes branches and the statements behind jumps."""

    # jumps

    def flag(self, name: str) -> Expr:
        """The value of a jump's name in this call."""
        return self.state.names.get((self.frame.number, name), FALSE)

    def set_flag(self, name: str, value: Expr) -> None:
        """Sets a jump's name in this call."""
        self.state.names[self.frame.number, name] = value

    def no_jump(self) -> None:
        """Notes that no jump was taken up to here."""
        for name in (GONE, STOP, BROKE, RETURNED):
            if self.flag(name) != FALSE:
                self.set_flag(name, FALSE)
        if (self.frame.number, RESULT) in self.state.names:
            self.set_flag(RESULT, Const(None))

    def gone(self) -> Expr:
        """Whether the next statement is skipped: True, False or a variable."""
        return TRUE if self.state.dead else self.flag(GONE)

    def block(self, statements: list[Any]) -> None:
        """Writes statements, those behind a jump where the jump is not taken."""
        for i, node in enumerate(statements):
            rest = statements[i + 1 :]
            if isinstance(node, gast.If):
                if self.if_statement(node, rest):
                    return
            else:
                self.statement(node)
            gone = self.gone()
            if gone == TRUE:
                return
            if gone != FALSE:
                self.unless_gone(gone, rest)
                return

    def unless_gone(self, gone: Expr, rest: list[Any]) -> None:
        """Writes statements where no jump was taken before them."""
        if not rest:
            return

        def skipped() -> None:
            self.set_flag(GONE, TRUE)

        def go_on() -> None:
            self.set_flag(GONE, FALSE)
            self.no_jump()
            self.block(rest)

        note = self.note
        test = Apply("not", (gone,), (), "operator")
        before, mark = self.state, self.mark()
        then, orelse = self.arm(before, go_on), self.arm(before, skipped)
        self.close(test, then, orelse, mark, note)

    def if_statement(self, node: gast.If, rest: list[Any]) -> bool:
        """Writes a branch; True when it has taken the rest of the block in."""
        word = "case" if hasattr(node, "is_case") else "if"
        segment = self.source.one_line(node.test)
        self.start(node, "", f"{word} {segment}", node.test)
        note = self.note
        test = self.test(node.test)
        truth = self.truth(test)
        if truth is not None:
            self.block(node.body if truth else node.orelse)
            return False
        mark = self.mark()
        bodies, taken = with_rest(node, rest)
        ways = lambda: self.block(bodies[0]), lambda: self.block(bodies[1])
        then, orelse = self.arms(test, node, ways)
        for one, other in ((then, orelse), (orelse, then)):
            if rest and not taken and self._left(one) and not self._left(other):
                self.resume(other, lambda: self._go_on(rest))
                taken = True
        self.close(test, then, orelse, mark, note)
        return taken

    def attempt(self, write: Callable[[], T]) -> T | None:
        """What `write` gives; nothing is written where it is refused."""
        length, problems, state = len(self.body), len(self.problems), self.state.copy()
        frame, note, loops = self.frame, self.note, self.frame.loops
        active, lists = len(self.active), list(self.lists_read)
        gone_over, generated = list(self.gone_over), list(self.generated)
        found: T | None = None
        try:
            found = write()
        except Refusal:
            pass
        if found is not None and len(self.problems) == problems:
            return found
        del self.body[length:], self.problems[problems:], self.active[active:]
        self.state, self.frame, self.note = state, frame, note
        self.frame.loops = loops
        self.lists_read, self.gone_over = lists, gone_over
        self.generated = generated
        return None

    def unless_none(
        self, node: gast.AST, write: Callable[[], Expr | None]
    ) -> Expr | None:
        """What `write` gives; nothing is written where it gives None.

        The node's arguments are read again then, and what they change is changed once.
        """
        if not self._may_change_inside(node):
            return write()
        written, state = len(self.body), self.state.copy()
        lists, generated = list(self.lists_read), list(self.generated)
        found = write()
        if found is None:
            del self.body[written:]
            self.state = state
            self.lists_read, self.generated = lists, generated
        return found

    def _may_change_inside(self, node: gast.AST) -> bool:
        """Whether anything in an expression may change something; asked once of each."""
        known = self.changing.get(id(node))
        if known is None:
            found = any(
                self._may_change(one) or self._may_change_inside(one)
                for one in gast.iter_child_nodes(node)
            )
            known = self.changing[id(node)] = node, found
        return known[1]

    def _may_change(self, node: gast.AST) -> bool:
        """Whether an expression may change something: a call of no library's."""
        if not isinstance(node, gast.Call):
            return isinstance(node, gast.NamedExpr)
        root = node.func
        while isinstance(root, gast.Attribute):
            root = root.value
        named = self.source.globals.get(getattr(root, "id", ""))
        return getattr(named, "__name__", "").partition(".")[0] not in PURE

    def _left(self, arm: Arm) -> bool:
        """Whether an arm surely ends in a jump."""
        gone = arm.state.names.get((self.frame.number, GONE), FALSE)
        return gone == TRUE and not arm.state.dead

    def _go_on(self, rest: list[Any]) -> None:
        gone = self.gone()
        if gone == FALSE:
            self.block(rest)
        elif gone != TRUE:
            self.unless_gone(gone, rest)

    def truth(self, test: Expr) -> bool | None:
        """A condition that is surely known while emitting."""
        if test is REFUSED:
            return None
        if isinstance(test, Const):
            known_of = bool, int, float, str, tuple, type(None), enum.Enum
            if isinstance(test.value, known_of):
                return bool(test.value)
            return None
        if isinstance(test, Apply):
            if test.op in ("tuple", "list", "dict", "namedtuple"):
                return bool(test.args)  # of a container the length counts
            if test.op == "slice":
                return True
            if test.op == "not":
                known = self.truth(test.args[0])
                return None if known is None else not known
            if test.op in ("and", "or"):
                stop = test.op == "or"
                for arg in test.args:
                    known = self.truth(arg)
                    if known is stop:
                        return stop
                    if known is None:
                        return None
                return not stop
            if test.op in ("is", "is_not"):
                return self._same_object(test)
            facts = Known(self.facts)
            args = tuple(
                whole_number(facts.told(known_slice(arg)), facts) for arg in test.args
            )
            if all(isinstance(arg, Const) for arg in args):
                return _compared(replace(test, args=args))
        return None

    def _same_object(self, test: Apply) -> bool | None:
        left, right = test.args
        singles = [getattr(one, "value", 0) for one in (left, right)]
        if all(one is None or type(one) is bool for one in singles):
            return (singles[0] is singles[1]) == (test.op == "is")
        if right != Const(None):
            return None
        if isinstance(left, Const):
            return (left.value is None) == (test.op == "is")
        value: Expr | None = left
        while isinstance(value, Ref) or is_same(value):
            known = self.facts.definitions
            value = known.get(value.var) if isinstance(value, Ref) else value.args[0]
        if isinstance(value, Apply) and not self._is_entry(value):
            return test.op == "is_not"  # an operation's result is not None
        return None

    def _is_entry(self, value: Apply) -> bool:
        """Whether a value is an entry of a list of the text's own: perhaps None."""
        base = value.args[0] if value.op in ("item", "getitem") else None
        return base is not None and self.facts.is_list(base)

    # the end of a branch

    def close(self, test: Expr, then: Arm, orelse: Arm, mark: int, note: Note) -> None:
        """Puts the branch behind the statements, and its state behind this one.

        An arm that surely raises is a branch of its own, and the other arm's
        statements stand behind it.
        """
        if then.state.dead != orelse.state.dead and not is_block(test):
            raising, other = (then, orelse) if then.state.dead else (orelse, then)
            if raising is orelse:
                test = negated(test)
            self.body.append(Branch(test, tuple(raising.body), (), (), note))
            self.body.extend(other.body)
            self.state = other.state
            return
        join = Join(self, test, then, orelse, mark)
        self.state = join.state()
        branch = Branch(
            test, tuple(then.body), tuple(orelse.body), tuple(join.merges), note
        )
        self.body.append(branch)

    def choose(
        self,
        test: Expr,
        then: Callable[[], Expr],
        orelse: Callable[[], Expr],
        name: str,
        note: Note,
    ) -> Expr:
        """The handle of one of two values, each written in an arm."""
        key = (self.frame.number, f"%{name}.{self.mark()}")

        def keep(write: Callable[[], Expr]) -> Callable[[], None]:
            def arm() -> None:
                try:
                    self.state.names[key] = write()
                except Refusal:
                    self.state.names[key] = REFUSED

            return arm

        before, mark = self.state, self.mark()
        arms = self.arm(before, keep(then)), self.arm(before, keep(orelse))
        self.close(test, *arms, mark, note)
        return self.state.names.pop(key, REFUSED)


def is_block(test: Expr) -> bool:
    """Whether the test of a branch stands for a with or a try block."""
    return isinstance(test, Apply) and test.op in ("numpy.errstate", "try")


def known_slice(handle: Expr) -> Expr:
    """A slice of constants as one constant, which has an equality; others as they are."""
    if isinstance(handle, Apply) and handle.op == "slice":
        if all(isinstance(part, Const) for part in handle.args):
            return Const(slice(*(part.value for part in handle.args)))
    return handle


def _compared(test: Apply) -> bool | None:
    left, right = (arg.value for arg in test.args) if len(test.args) == 2 else (0, 0)
    try:
        if test.op == "numpy.equal":
            return bool(left == right)
        if test.op == "numpy.not_equal":
            return bool(left != right)
        if test.op == "numpy.less":
            return bool(left < right)
        if test.op == "numpy.less_equal":
            return bool(left <= right)
        if test.op == "numpy.greater":
            return bool(left > right)
        if test.op == "numpy.greater_equal":
            return bool(left >= right)
    except TypeError:
        return None
    return None
