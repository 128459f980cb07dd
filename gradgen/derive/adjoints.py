"""The adjoints of one block of statements, last statement first.

For each variable the contributions to its adjoint are collected; when the walk
backwards has passed the first statement of the block that reads it, they become
one sum. A value that goes through the block (an accumulator of a loop) is the
first of the contributions, and the others are added to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from gradgen.derive.activity import differentiable_reads, varied_inside
from gradgen.derive.calls import is_call
from gradgen.derive.control import reverse_branch, reverse_loop
from gradgen.derive.sums import Part, Sums, Walk
from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Effect,
    Expr,
    Let,
    Line,
    Loop,
    Note,
    Origin,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import STORES, add, getitem
from gradgen.ir.walk import lets, substitute
from gradgen.rules.load import operations
from gradgen.rules.binding import Call, bind, instantiate
from gradgen.rules.rule import Rule
from gradgen.rules.words import only_expands
from gradgen.shapes.infer import Facts
from gradgen.shapes.wholes import whole_operands


def results_read(body: Iterable[Stmt], facts: Facts) -> dict[Var, list[Expr]]:
    """The results of each operation that has several, as they are read."""
    items: dict[Var, list[Expr]] = {}
    for let in lets(body):
        count = facts.several(let.value)
        if count and isinstance(let.value, Apply):
            items[let.var] = [getitem(Ref(let.var), i) for i in range(count)]
        source = _item_of(let, items)
        if source is not None:
            items[source][let.value.args[1].value] = Ref(let.var)
    return items


class Block(Sums):
    """The walk backwards through one block."""

    def __init__(self, walk: Walk, source: tuple[Stmt, ...]) -> None:
        super().__init__(walk)
        self.source, self.active, self.items = source, walk.active, walk.items
        self.adjoints: dict[Var, Expr] = {}
        self.item_parts: dict[Var, dict[int, list[Part]]] = defaultdict(dict)
        self.carried: set[Var] = set()
        self.first_use = self._first_uses()

    def child(self, source: tuple[Stmt, ...]) -> Block:
        """The walk through a block inside this one."""
        return Block(self.walk, source)

    def run(self) -> None:
        """The walk through the whole block."""
        for start, group in self._groups():
            if isinstance(group, list):
                self._statement(start, group)
                continue
            if isinstance(group, Loop):
                reverse_loop(self, group)
            elif isinstance(group, Branch):
                reverse_branch(self, group)
            for var in varied_inside(group, self.active):
                if self.first_use.get(var, -1) >= start:
                    self.finish(var)

    def _first_uses(self) -> dict[Var, int]:
        first: dict[Var, int] = {}
        for i, stmt in enumerate(self.source):
            if isinstance(stmt, Let):
                found = differentiable_reads(stmt) if stmt.var in self.active else ()
            else:
                found = varied_inside(stmt, self.active)
            for var in found:
                first.setdefault(var, i)
        return first

    def _groups(self) -> Iterator[tuple[int, list[Let] | Stmt]]:
        """The user's statements, last first: where each starts, and its operations."""
        groups: list[tuple[int, list[Let] | Stmt]] = []
        start = 0

        def kind(stmt: Stmt) -> object:
            return stmt.note if isinstance(stmt, Let) else id(stmt)

        for _, items in groupby(self.source, key=kind):
            group = list(items)
            own = [stmt for stmt in group if isinstance(stmt, Let)]
            if own:
                groups.append((start, own))
            elif not isinstance(group[0], Effect):
                groups.append((start, group[0]))
            start += len(group)
        return reversed(groups)

    def _statement(self, start: int, group: list[Let]) -> None:
        """The adjoint of one user's statement, from its outermost operation in."""
        inside = {let.var: let for let in group if let.var in self.active}
        waiting: dict[Var, int] = defaultdict(int)
        for let in inside.values():
            for var in differentiable_reads(let):
                waiting[var] += 1
        stack = [let for let in reversed(inside.values()) if not waiting[let.var]]
        stack.reverse()
        while stack:
            let = stack.pop()
            self._operation(let)
            ready = []
            for var in differentiable_reads(let):
                waiting[var] -= 1
                if var in inside and not waiting[var]:
                    ready.append(inside[var])
            stack += reversed(ready)
        stored = {let.value.args[0] for let in inside.values() if _is_store(let)}
        read = list(self._read_by(group))
        for var in read:
            if Ref(var) in stored:
                self._cleared(var)
        for var in read:
            if var in inside:
                continue
            if self.first_use.get(var, -1) >= start:
                self.finish(var)
            elif Ref(var) in stored and var in self.parts:
                # From here on it is changed in place.
                self.go_on(var, self.total(var, self.parts.pop(var)))

    def _read_by(self, group: list[Let]) -> Iterable[Var]:
        """The active variables the statement reads, in the order of its text.

        What was stored is read before its place is cleared.
        """
        live = [let for let in group if let.var in self.active]
        stores = [let.value.args for let in live if _is_store(let)]
        stored = [args[2].var for args in stores if isinstance(args[2], Ref)]
        read = _in_order(live)
        # What goes on to the next round comes last, but for an array that is added to
        # in its place; before it what other lines have contributed to, whose heading
        # tells of all of them.
        own = {line for let in group for line in let.note.lines}
        stayed = {args[0].var for args in stores}
        onward = {v for v in self.carried - stayed if self._is_whole(v)}
        read.sort(key=lambda v: 2 if v in onward else self._is_elsewhere(v, own))
        return [v for v in dict.fromkeys(stored + read) if v in self.active]

    def _cleared(self, var: Var) -> None:
        """Clears what a statement has stored before anything is added."""
        parts = self.parts.get(var, [])
        for i, part in enumerate(parts):
            value = part.value
            if part.key is None and isinstance(value, Apply) and value.op == "setitem":
                now = self.new(var)
                note = Note(Role.GRAD, (part.line,) if part.line else (), part.place)
                self.body.append(Let(now, value, note))
                parts[i] = replace(part, value=Ref(now))

    def _is_whole(self, var: Var) -> bool:
        """Whether something is contributed to all of a variable, and not to places."""
        parts = self.parts.get(var, ())
        return not parts or any(one.key is None and not one.running for one in parts)

    def _is_elsewhere(self, var: Var, own: set[Line]) -> bool:
        """Whether other lines than a statement's own contribute to an adjoint."""
        parts = self.parts.get(var, ())
        return any(part.line not in own for part in parts if not part.running)

    def _operation(self, let: Let) -> None:
        """Adds what one operation contributes to the adjoints of its arguments."""
        self.finish(let.var)
        if let.var not in self.adjoints:
            return
        cotangent = self.adjoints[let.var]
        line = let.note.lines[0] if let.note.lines else None
        if isinstance(let.value, Ref):
            self.parts[let.value.var].append(Part(cotangent, None, line))
            return
        source = _item_of(let, self.items)
        if source is not None:
            index = let.value.args[1].value % len(self.items[source])
            part = Part(cotangent, None, line, let.note.place)
            self.item_parts[source].setdefault(index, []).append(part)
            return
        if is_call(let):
            self.walk.calls.reverse(self, let, cotangent, line)
            return
        operation = let.value
        assert isinstance(operation, Apply)
        rule = operations()[operation.op]
        if _is_store(let) and operation.op != "put":
            cotangent = self.in_full(cotangent, let.var)
            if self._is_masked(operation):
                cotangent = self.in_array(cotangent, let.var)
        result: Expr = Ref(let.var)
        if let.var in self.items:
            result = Apply("tuple", tuple(self.items[let.var]))
        place = Call(
            result=result,
            bound=bind(rule, operation),
            cotangent=cotangent,
            rank=self.facts.rank,
            fresh=lambda name: self.supply.var(name, Origin.LOCAL),
            wanted=self.active.__contains__,
            is_complex=self.facts.is_complex,
            is_mask=self.facts.is_boolean,
            whole=whole_operands(self.facts),
            is_square=self.facts.is_square,
            optional=self.facts.optional,
        )
        try:
            shared, contributions = instantiate(rule, place)
        except GradgenError as error:
            raise error.at(let.note.place) from None
        note = Note(Role.GRAD, (line,) if line else (), let.note.place)
        self.body += [Let(var, value, note) for var, value in shared]
        for var, value in shared:
            self.walk.meant[var] = substitute(value, self.walk.meant)
        self._refuse_silence(let, rule, {item.to for item in contributions})
        for item in contributions:
            if item.to in self.active and not _is_nothing(item.value):
                value = self.of_lists(item.to, item.value)
                if self.facts.may_flow_complex(let):
                    value = self.flowing(item.to, value)
                self.parts[item.to].append(Part(value, item.key, line, let.note.place))

    def _is_masked(self, store: Apply) -> bool:
        """Whether a store into an array without axes asks a mask: y[y > 0] = 2.

        Its adjoint is read, and cleared, by the mask; a seed may be a number of Python's.
        """
        base, key = store.args[:2]
        flat = self.facts.rank(base) == 0
        return flat and only_expands(self.facts.rank, key) == Const(False)

    def _refuse_silence(self, let: Let, rule: Rule, given: set[Var]) -> None:
        """Refuses a rule that says nothing of an argument that is asked for."""
        for var in differentiable_reads(let):
            unread = rule.items or let.var in self.items  # a result may be
            if var in self.active and var not in given and not unread:
                name = rule.op.removeprefix("numpy.")
                raise GradgenError(
                    "GG307",
                    f"no gradient for this form of {name} with respect to {var.name}",
                    advice=f"another form of {name}, or --stop {var.name}",
                ).at(let.note.place)

    def finish(self, var: Var) -> None:
        """Makes one adjoint of the contributions collected for a variable."""
        if var in self.item_parts:
            self.adjoints[var] = self._adjoints_of_items(var)
            return
        parts = self.parts.pop(var, None)
        if not parts:
            return
        self.adjoints[var] = self.total(var, parts)

    def _adjoints_of_items(self, var: Var) -> Expr:
        """The adjoints of several results; 0 for those that nothing reads."""
        adjoints: list[Expr] = []
        for index, item in enumerate(self.items[var]):
            parts = self.item_parts[var].get(index, [])
            total: Expr = Const(0)
            for part in parts:
                total = part.value if total == Const(0) else add(total, part.value)
            if len(parts) > 1:
                lines = tuple(dict.fromkeys(part.line for part in parts if part.line))
                adjoint = self.supply.var(f"d_{var.name}_{index}", Origin.LOCAL)
                self.body.append(Let(adjoint, total, Note(Role.GRAD, lines)))
                total = Ref(adjoint)
            adjoints.append(total)
        return Apply("tuple", tuple(adjoints))


def _is_nothing(value: Expr) -> bool:
    """Whether a contribution is 0 * d[z], by which a rule says that there is none."""
    times = isinstance(value, Apply) and value.op == "numpy.multiply"
    return times and value.args[0] == Const(0)


def _in_order(group: list[Let]) -> list[Var]:
    """What a statement's operations read, in the order of its text.

    In a * y[t] a comes first, though y[t] is the first operation; an array that is stored
    into comes behind what is stored.
    """
    found: dict[Var, list[Var]] = {}
    ends: dict[Var, None] = {}
    for let in group:
        own: list[Var] = []
        parts = list(differentiable_reads(let))
        for var in reversed(parts) if _is_store(let) else parts:
            own += found.get(var, [var])
            ends.pop(var, None)
        found[let.var] = list(dict.fromkeys(own))
        ends[let.var] = None
    return [var for end in ends for var in found[end]]


def _is_store(let: Let) -> bool:
    return isinstance(let.value, Apply) and let.value.op in STORES


def _item_of(let: Let, items: dict[Var, list[Expr]]) -> Var | None:
    """The operation with several results of which a statement takes one."""
    value = let.value
    if isinstance(value, Apply) and value.op == "getitem":
        source, key = value.args
        if isinstance(source, Ref) and source.var in items and isinstance(key, Const):
            return source.var
    return None
