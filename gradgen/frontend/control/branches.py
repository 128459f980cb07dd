"""Branches and jumps: what is written after a return, a break, a raise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import gast

from gradgen.frontend.control.conditions import read_test
from gradgen.frontend.control.decisions import arms
from gradgen.frontend.control.joins import Join
from gradgen.frontend.control.truths import known_truth
from gradgen.frontend.lowering.callables import Closure, closures_in
from gradgen.frontend.lowering.frames import REFUSED, Arm, Refusal
from gradgen.frontend.lowering.jumps import BROKE, FALSE, GONE, RESULT, RETURNED, STOP
from gradgen.frontend.lowering.jumps import TRUE
from gradgen.frontend.lowering.lowering import Lowering
from gradgen.frontend.lowering.memory import leaves, map_leaves
from gradgen.frontend.source.falling import with_rest
from gradgen.ir.absent import as_written
from gradgen.ir.nodes import Apply, Branch, Const, Expr, Note
from gradgen.ir.operators import negated

T = TypeVar("T")
# modules whose functions change nothing, but for out=, which is not inside a call
PURE = ("numpy", "math")


def leave(lowering: Lowering, value: Expr) -> None:
    """Returns from the call."""
    for function in (one for leaf in leaves(value) for one in closures_in(leaf)):
        _outlive(function)
    set_flag(lowering, RESULT, map_leaves(as_written, value))
    for name in (RETURNED, GONE):
        set_flag(lowering, name, TRUE)
    if lowering.frame.loops:
        set_flag(lowering, STOP, TRUE)
        set_flag(lowering, BROKE, TRUE)
    lowering.state.left |= {lowering.frame.number}


def _outlive(function: Closure) -> None:
    """Notes what a function that is returned reads of the calls around it."""
    names = (n.id for n in gast.walk(function.node) if isinstance(n, gast.Name))
    read, frame = set(names), function.frame
    frame.outlived |= read
    while frame.parent is not None:
        frame = frame.parent
        frame.outlived |= read


def flag(lowering: Lowering, name: str) -> Expr:
    """The value of a jump's name in this call."""
    return lowering.state.names.get((lowering.frame.number, name), FALSE)


def set_flag(lowering: Lowering, name: str, value: Expr) -> None:
    """Sets a jump's name in this call."""
    lowering.state.names[lowering.frame.number, name] = value


def no_jump(lowering: Lowering) -> None:
    """Notes that no jump was taken up to here."""
    for name in (GONE, STOP, BROKE, RETURNED):
        if flag(lowering, name) != FALSE:
            set_flag(lowering, name, FALSE)
    if (lowering.frame.number, RESULT) in lowering.state.names:
        set_flag(lowering, RESULT, Const(None))


def has_gone(lowering: Lowering) -> Expr:
    """Whether the next statement is skipped: True, False or a variable."""
    return TRUE if lowering.state.dead else flag(lowering, GONE)


def block(lowering: Lowering, statements: list[Any]) -> None:
    """Writes statements, those behind a jump where the jump is not taken."""
    for i, node in enumerate(statements):
        rest = statements[i + 1 :]
        if isinstance(node, gast.If):
            if if_statement(lowering, node, rest):
                return
        else:
            lowering.statement(node)
        gone = has_gone(lowering)
        if gone == TRUE:
            return
        if gone != FALSE:
            unless_gone(lowering, gone, rest)
            return


def unless_gone(lowering: Lowering, gone: Expr, rest: list[Any]) -> None:
    """Writes statements where no jump was taken before them."""
    if not rest:
        return

    def skipped() -> None:
        set_flag(lowering, GONE, TRUE)

    def go_on() -> None:
        set_flag(lowering, GONE, FALSE)
        no_jump(lowering)
        block(lowering, rest)

    note = lowering.note
    test = Apply("not", (gone,), (), "operator")
    before, mark = lowering.state, lowering.mark()
    then, orelse = lowering.arm(before, go_on), lowering.arm(before, skipped)
    close(lowering, test, then, orelse, mark, note)


def if_statement(lowering: Lowering, node: gast.If, rest: list[Any]) -> bool:
    """Writes a branch; True when it has taken the rest of the block in."""
    word = "case" if hasattr(node, "is_case") else "if"
    segment = lowering.source.one_line(node.test)
    lowering.start(node, "", f"{word} {segment}", node.test)
    note = lowering.note
    test = read_test(lowering, node.test)
    truth = known_truth(lowering, test)
    if truth is not None:
        block(lowering, node.body if truth else node.orelse)
        return False
    mark = lowering.mark()
    bodies, taken = with_rest(node, rest)
    ways = lambda: block(lowering, bodies[0]), lambda: block(lowering, bodies[1])
    then, orelse = arms(lowering, test, node, ways)
    for one, other in ((then, orelse), (orelse, then)):
        if rest and not taken and _left(lowering, one) and not _left(lowering, other):
            lowering.resume(other, lambda: _go_on(lowering, rest))
            taken = True
    close(lowering, test, then, orelse, mark, note)
    return taken


def attempt(lowering: Lowering, write: Callable[[], T]) -> T | None:
    """What `write` gives; nothing is written where it is refused."""
    length, problems, state = (
        len(lowering.body),
        len(lowering.problems),
        lowering.state.copy(),
    )
    frame, note, loops = lowering.frame, lowering.note, lowering.frame.loops
    active, lists = len(lowering.active), list(lowering.lists_read)
    gone_over, generated = list(lowering.gone_over), list(lowering.generated)
    found: T | None = None
    try:
        found = write()
    except Refusal:
        pass
    if found is not None and len(lowering.problems) == problems:
        return found
    del lowering.body[length:], lowering.problems[problems:], lowering.active[active:]
    lowering.state, lowering.frame, lowering.note = state, frame, note
    lowering.frame.loops = loops
    lowering.lists_read, lowering.gone_over = lists, gone_over
    lowering.generated = generated
    return None


def unless_none(
    lowering: Lowering, node: gast.AST, write: Callable[[], Expr | None]
) -> Expr | None:
    """What `write` gives; nothing is written where it gives None.

    The node's arguments are read again then, and what they change is changed once.
    """
    if not _may_change_inside(lowering, node):
        return write()
    written, state = len(lowering.body), lowering.state.copy()
    lists, generated = list(lowering.lists_read), list(lowering.generated)
    found = write()
    if found is None:
        del lowering.body[written:]
        lowering.state = state
        lowering.lists_read, lowering.generated = lists, generated
    return found


def _may_change_inside(lowering: Lowering, node: gast.AST) -> bool:
    """Whether anything in an expression may change something; asked once of each."""
    known = lowering.changing.get(id(node))
    if known is None:
        found = any(
            _may_change(lowering, one) or _may_change_inside(lowering, one)
            for one in gast.iter_child_nodes(node)
        )
        known = lowering.changing[id(node)] = node, found
    return known[1]


def _may_change(lowering: Lowering, node: gast.AST) -> bool:
    """Whether an expression may change something: a call of no library's."""
    if not isinstance(node, gast.Call):
        return isinstance(node, gast.NamedExpr)
    root = node.func
    while isinstance(root, gast.Attribute):
        root = root.value
    named = lowering.source.globals.get(getattr(root, "id", ""))
    return getattr(named, "__name__", "").partition(".")[0] not in PURE


def _left(lowering: Lowering, arm: Arm) -> bool:
    """Whether an arm surely ends in a jump."""
    gone = arm.state.names.get((lowering.frame.number, GONE), FALSE)
    return gone == TRUE and not arm.state.dead


def _go_on(lowering: Lowering, rest: list[Any]) -> None:
    gone = has_gone(lowering)
    if gone == FALSE:
        block(lowering, rest)
    elif gone != TRUE:
        unless_gone(lowering, gone, rest)


def close(
    lowering: Lowering, test: Expr, then: Arm, orelse: Arm, mark: int, note: Note
) -> None:
    """Puts the branch behind the statements, and its state behind this one.

    An arm that surely raises is a branch of its own, and the other arm's
    statements stand behind it.
    """
    if then.state.dead != orelse.state.dead and not is_block(test):
        raising, other = (then, orelse) if then.state.dead else (orelse, then)
        if raising is orelse:
            test = negated(test)
        lowering.body.append(Branch(test, tuple(raising.body), (), (), note))
        lowering.body.extend(other.body)
        lowering.state = other.state
        return
    join = Join(lowering, test, then, orelse, mark)
    lowering.state = join.state()
    branch = Branch(
        test, tuple(then.body), tuple(orelse.body), tuple(join.merges), note
    )
    lowering.body.append(branch)


def choose(
    lowering: Lowering,
    test: Expr,
    then: Callable[[], Expr],
    orelse: Callable[[], Expr],
    name: str,
    note: Note,
) -> Expr:
    """The handle of one of two values, each written in an arm."""
    key = (lowering.frame.number, f"%{name}.{lowering.mark()}")

    def keep(write: Callable[[], Expr]) -> Callable[[], None]:
        def arm() -> None:
            try:
                lowering.state.names[key] = write()
            except Refusal:
                lowering.state.names[key] = REFUSED

        return arm

    before, mark = lowering.state, lowering.mark()
    arms = lowering.arm(before, keep(then)), lowering.arm(before, keep(orelse))
    close(lowering, test, *arms, mark, note)
    return lowering.state.names.pop(key, REFUSED)


def is_block(test: Expr) -> bool:
    """Whether the test of a branch stands for a with or a try block."""
    return isinstance(test, Apply) and test.op in ("numpy.errstate", "try")
