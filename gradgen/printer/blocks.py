"""Statements of a function -> gast: assignments, loops, branches, and comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import gast

from gradgen.ir.absent import is_absent
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Let,
    Line,
    Loop,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import negated
from gradgen.ir.walk import (
    own_expressions,
    raises,
    reads,
    reads_of,
    statements,
    subexpressions,
    substitute,
)
from gradgen.printer.chosen import in_one_line
from gradgen.printer.dispatch import without_first
from gradgen.printer.headings import Headings
from gradgen.printer.several import Several
from gradgen.printer.scopes import name
from gradgen.printer.syntax import Syntax
from gradgen.printer.text import Comment

WIDTH = 88
# operations to which None says something
NONE_TELLS = ("slice", "getitem", "tuple")
Copies = list[tuple[Var, Expr]]


class Blocks:
    """Prints blocks under the chosen names.

    `headings` gives the comments above an adjoint; `items` tells how many items a value
    has; `read` are the variables that anything reads.
    """

    def __init__(
        self,
        names: Mapping[Var, str],
        syntax: Syntax,
        headings: Headings,
        body: Iterable[Stmt],
        items: Callable[[Expr], int | None],
    ) -> None:
        self.names, self.syntax, self.headings = names, syntax, headings
        body = tuple(body)
        self.read = Counter(var for stmt in body for var in reads_of(stmt))
        self.several = Several(names, syntax, self.read, items)
        self.handed_on = self._handed_on(body)
        # whether adjoints get headings: tangents stand behind their statements
        self.headed = True
        self.around: frozenset[str] = frozenset()  # the headings of the loops around

    def _handed_on(self, body: tuple[Stmt, ...]) -> set[Var]:
        """The variables that have to have a value, if only None, on every way.

        What a list keeps has one in every round, and so has what is assigned to
        another name after a branch. A slice and a key take None as a value.
        """
        needed: set[Var] = set()
        joins: list[tuple[Var, Expr]] = []
        for stmt in statements(body):
            for node in own_expressions(stmt):
                for part in subexpressions(node):
                    if isinstance(part, Apply) and part.op in ("is", "is_not"):
                        needed.update(reads(part))
                    elif isinstance(part, Apply) and part.op in NONE_TELLS:
                        needed.update(r.var for r in part.args if isinstance(r, Ref))
            if isinstance(stmt, Let) and isinstance(stmt.value, Apply):
                if stmt.value.op == "append":
                    needed.update(reads(stmt.value.args[1]))
                elif stmt.value.op == "list" and stmt.var.origin is Origin.SAVED:
                    needed.update(reads(stmt.value))
            elif isinstance(stmt, Let):
                joins.append((stmt.var, stmt.value))
            elif isinstance(stmt, Branch):
                joins += [(m.var, w) for m in stmt.merges for w in (m.then, m.orelse)]
            elif isinstance(stmt, Loop):
                joins += [(slot.inner, slot.next) for slot in stmt.carried]
                joins += [(slot.inner, slot.entry) for slot in stmt.carried]
                joins += [(slot.exit, Ref(slot.inner)) for slot in stmt.carried]
        size = -1
        while size != len(needed):
            size = len(needed)
            for var, way in joins:
                for read in reads(way):
                    if var in needed or self.names[read] != self.names[var]:
                        needed.add(read)
        return needed

    def forward(self, body: Iterable[Stmt], indent: int) -> list[Any]:
        """The user's own statements, with their comments, and tangents with none."""
        self.headed = False
        return self._block(tuple(body), indent, set(), [])

    def gradient(self, body: Iterable[Stmt], indent: int) -> list[Any]:
        """The adjoints, each block headed by the line it is the gradient of."""
        self.headed = True
        return self._block(tuple(body), indent, set(), [])

    def _block(
        self, body: tuple[Stmt, ...], indent: int, shown: set[Line], above: list[str]
    ) -> list[Any]:
        done: list[Any] = []
        at = 0
        while at < len(body):
            stmt = body[at]
            if self.headed and stmt.note.role is Role.GRAD:
                above = self._heading(_needing(body, at), above, indent, done)
            else:
                self._comments(stmt, shown, done)
            known = isinstance(stmt, Branch) and self.several.counted(body, at) > 0
            if known:
                at += 1
                stmt = body[at]
            count = self.several.unpacked(body, at)
            taken = 0 if count else self.several.taken_apart(body, at, known)
            values = self.several.values(body, at)
            if values is not None:
                assert isinstance(stmt, Let) and isinstance(stmt.value, Apply)
                targets = {
                    let.value.args[1].value: self.names[let.var] for let in values
                }
                nodes = [self.syntax.unpacking(stmt.value, targets)]
                at += len(values)
            elif count:
                node = self.several.unpacking(body, at, count)
                nodes = [node]
                at += count
            elif taken:
                nodes = [self.several.as_written(body[at : at + taken])]
                at += taken - 1
            else:
                nodes = self._statement(stmt, indent, shown)
            at += 1
            last = at >= len(body) or body[at].note != stmt.note
            line = stmt.note.lines[0] if stmt.note.lines else None
            forward = stmt.note.role is Role.FORWARD and isinstance(stmt, Let)
            own = line is not None and not line.text and bool(nodes)
            if line is not None and line.trailing and (own or last and forward):
                nodes[-1].trailing = line.trailing
            for node in nodes:
                node.origin = stmt.note
            done += nodes
        return done

    def _heading(
        self, stmt: Stmt, above: list[str], indent: int, done: list[Any]
    ) -> list[str]:
        stacked, heading = self.headings(stmt)
        texts = [one.text for one in heading]
        # what a loop takes its rounds from has the loop's own heading
        if not heading or texts == above or self.around.issuperset(texts):
            return above
        room = WIDTH - len("# ") - indent
        for text, one in {one.text: one for one in stacked + heading}.items():
            short = text if len(text) <= room else text[: room - 3].rstrip() + "..."
            comment = Comment(short)
            comment.origin = replace(stmt.note, lines=one.lines)
            done.append(comment)
        return texts

    def _comments(self, stmt: Stmt, shown: set[Line], done: list[Any]) -> None:
        line = stmt.note.lines[0] if stmt.note.lines else None
        if line is not None and line not in shown:
            done += [Comment(text) for text in line.comments]
            shown.add(line)

    def _statement(self, stmt: Stmt, indent: int, shown: set[Line]) -> list[Any]:
        if isinstance(stmt, Let):
            return self._let(stmt)
        if isinstance(stmt, Branch):
            return self._branch(stmt, indent, shown)
        if isinstance(stmt, Loop):
            return self._loop(stmt, indent, shown)
        assert isinstance(stmt, Effect)
        return [self.syntax.effect(stmt.value)]

    def _let(self, let: Let) -> list[Any]:
        value = let.value
        if isinstance(value, Ref) and self.names[value.var] == self.names[let.var]:
            return []
        out = dict(value.kwargs).get("out") if isinstance(value, Apply) else None
        if out is not None and self.names[out.var] == self.names[let.var]:
            return [gast.Expr(self.syntax.expression(value))]  # np.exp(x, out=x)
        return [self.syntax.statement(let.var, value)]

    # branches

    def _branch(self, branch: Branch, indent: int, shown: set[Line]) -> list[Any]:
        arms = []
        above: list[str] = []  # an arm that begins with the branch's line has no second
        if self.headed and branch.note.role is Role.GRAD:
            above = [one.text for one in self.headings(branch)[1]]
        for side, block in enumerate((branch.then, branch.orelse)):
            ways = [((m.then, m.orelse)[side], m.var) for m in branch.merges]
            copies = [(var, way) for way, var in ways if self._is_needed(var, way)]
            copied = self._copies(copies)
            if side and not copied:
                block = _with_else(block)
            body = self._block(block, indent + 4, shown, above)
            if side and not copied and _is_next_test(body):
                # Without a heading in between it is an elif.
                body = [node for node in body if not isinstance(node, Comment)]
            arms.append(body + copied)
        chosen = in_one_line(branch, self.syntax, arms, self.read, indent)
        return chosen or self._if(branch.test, *arms)

    def _is_needed(self, var: Var, way: Expr) -> bool:
        """Whether a value that leaves a branch has to be there; None only in lists."""
        if is_absent(way):
            return var in self.handed_on
        return var in self.names

    def _if(self, test: Expr, then: list[Any], orelse: list[Any]) -> list[Any]:
        if isinstance(test, Apply) and test.op == "numpy.errstate":
            context = self.syntax.expression(test)
            return [gast.With([gast.withitem(context, None)], then or [gast.Pass()])]
        if isinstance(test, Apply) and test.op == "try":
            return [self._try(test, then, orelse)]
        node = self.syntax.expression(test)
        if _is_bare(then) and _is_bare(orelse):
            return []  # nothing, or comments alone
        if _is_bare(then) and (found := without_first(node, orelse)) is not None:
            return found
        if _is_bare(then):
            node, then, orelse = self.syntax.expression(negated(test)), orelse, []
        return [gast.If(node, then, [] if _is_bare(orelse) else orelse)]

    def _try(self, test: Apply, then: list[Any], orelse: list[Any]) -> Any:
        kinds = [self.syntax.expression(one) for one in test.args]
        kind = kinds[0] if len(kinds) == 1 else gast.Tuple(kinds, gast.Load())
        handler = gast.ExceptHandler(kind, None, orelse or [gast.Pass()])
        return gast.Try(then or [gast.Pass()], [handler], [], [])

    def _copies(self, copies: Copies) -> list[Any]:
        """Assignments that happen together: A, B = B, A."""
        pairs = []
        for var, value in copies:
            if isinstance(value, Ref) and self.names[value.var] == self.names[var]:
                continue
            pairs.append((self.names[var], value))
        if not pairs:
            return []
        targets = [target for target, _ in pairs]
        clash = any(
            self.names[read] in targets and self.names[read] != target
            for target, value in pairs
            for read in reads(value)
        )
        if len(pairs) > 1 and clash:
            left = gast.Tuple([name(t, store=True) for t in targets], gast.Store())
            values = [self.syntax.expression(value) for _, value in pairs]
            return [gast.Assign([left], gast.Tuple(values, gast.Load()), None)]
        return [
            gast.Assign([name(target, store=True)], self.syntax.expression(value), None)
            for target, value in pairs
        ]

    # loops

    def _loop(self, loop: Loop, indent: int, shown: set[Line]) -> list[Any]:
        before = self._copies(
            [
                (slot.inner, slot.entry)
                for slot in loop.carried
                if not is_absent(slot.entry) or slot.inner in self.handed_on
            ]
        )
        body: list[Any] = []
        stops = loop.test is not None or loop.until is not None or loop.over is None
        if stops and loop.count in self.read:
            counter = self.names[loop.count]
            zero = gast.Constant(0, None)
            before.append(gast.Assign([name(counter, store=True)], zero, None))
            one = gast.Constant(1, None)
            body.append(gast.AugAssign(name(counter, store=True), gast.Add(), one))
        ends = [(slot.inner, slot.next) for slot in loop.carried]
        around = self.around
        if self.headed and loop.note.role is Role.GRAD:
            self.around |= {one.text for one in self.headings(loop)[1]}
        if loop.until is None:
            body += self._block(loop.body, indent + 4, shown, [])
            body += self._copies(ends)
        else:
            body += self._tail(loop.body, ends, loop.until, indent + 4, shown)
        self.around = around
        while body and isinstance(body[-1], gast.Continue):
            body.pop()
        if _is_bare(body):
            body = [*body, gast.Pass()]
        if loop.over is None:
            test = Const(True, "True") if loop.test is None else loop.test
            return [*before, gast.While(self.syntax.expression(test), body, [])]
        target = name(self._index(loop), store=True)
        over = self.syntax.expression(loop.over)
        return [*before, gast.For(target, over, body, [], None)]

    def _index(self, loop: Loop) -> str:
        read = loop.index in self.read or loop.index.origin is not Origin.COUNT
        return self.names[loop.index] if read else "_"

    def _tail(
        self,
        body: tuple[Stmt, ...],
        ends: Copies,
        until: Expr,
        indent: int,
        shown: set[Line],
    ) -> list[Any]:
        """The last statements of a round that may end the loop."""
        last = body[-1] if body else None
        if not isinstance(last, Branch) or not _decides(last, until):
            done = self._block(body, indent, shown, []) + self._copies(ends)
            if until == Const(True):
                return [*done, gast.Break()]
            if until == Const(False):
                return done
            test = self.syntax.expression(until)
            return [*done, gast.If(test, [gast.Break()], [])]
        done = self._block(body[:-1], indent, shown, [])
        self._comments(last, shown, done)
        arms = []
        for side, block in enumerate((last.then, last.orelse)):
            ways = {m.var: (m.then, m.orelse)[side] for m in last.merges}
            arm_ends = [
                (var, substitute(value, ways))
                for var, value in ends
                if not is_absent(substitute(value, ways))
            ]
            stop = substitute(until, ways)
            arms.append(self._tail(block, arm_ends, stop, indent + 4, shown))
        then, orelse = arms
        if then and isinstance(then[-1], gast.Break):
            return [*done, *self._if(last.test, then, []), *orelse]
        return [*done, *self._if(last.test, then, orelse)]


def _needing(body: tuple[Stmt, ...], at: int) -> Stmt:
    """The statement whose heading a statement stands under.

    That of a guard, and of the names around it, is the statement that needs it.
    """
    guarded = False
    for stmt in body[at:]:
        first = stmt.note.lines[0] if stmt.note.lines else None
        if not isinstance(stmt, Let) or first is not None and first.text:
            return stmt if guarded else body[at]
        guarded |= first is not None and bool(first.trailing)
    return body[at]


def _is_bare(body: list[Any]) -> bool:
    """Whether a block has nothing but comments."""
    return all(isinstance(node, Comment) for node in body)


def _is_next_test(body: list[Any]) -> bool:
    """Whether the other arm of a gradient's branch is one branch."""
    nodes = [node for node in body if not isinstance(node, Comment)]
    if len(nodes) != 1 or not isinstance(nodes[0], gast.If):
        return False
    origin = getattr(nodes[0], "origin", None)
    return origin is not None and origin.role is Role.GRAD


def _decides(branch: Branch, until: Expr) -> bool:
    return isinstance(until, Ref) and any(m.var == until.var for m in branch.merges)


def _with_else(arm: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """An else that begins with a test that raises: an elif, and raise in its else."""
    first = arm[0] if len(arm) > 1 else None
    if not isinstance(first, Branch) or first.orelse or not raises(first.then):
        return arm
    test = negated(first.test)
    return (replace(first, test=test, then=arm[1:], orelse=first.then),)
