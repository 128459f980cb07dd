"""The adjoints of one block of statements, last statement first.

For each variable the contributions to its adjoint are collected; when the walk
backwards has passed the first statement of the block that reads it, they become
one sum. A value that goes through the block (an accumulator of a loop) is the
first of the contributions, and the others are added to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from gradgen.derive.activity import differentiable_reads, varied_inside
from gradgen.derive.control import reverse_branch, reverse_loop
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
    Place,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.operators import STORES, add, call, getitem
from gradgen.ir.walk import lets
from gradgen.rules.load import operations
from gradgen.rules.rule import Call, Rule, bind, instantiate
from gradgen.shapes.indexing import names_places_once
from gradgen.shapes.infer import Facts


@dataclass(frozen=True)
class Part:
    """One contribution: what, where in the variable (None: all), from which line.

    A running part is the variable's adjoint so far, to which others are added.
    """

    value: Expr
    key: Expr | None = None
    line: Line | None = None
    place: Place | None = None
    running: bool = False


@dataclass(frozen=True)
class Walk:
    """What the walks through all blocks of a function share."""

    facts: Facts
    supply: Supply
    active: frozenset[Var]
    # of an operation with several results: its users' names for them
    items: dict[Var, list[Expr]]


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


class Block:
    """The walk backwards through one block."""

    def __init__(self, walk: Walk, source: tuple[Stmt, ...]):
        self.walk, self.source = walk, source
        self.facts, self.supply, self.active = walk.facts, walk.supply, walk.active
        self.items = walk.items
        self.parts: dict[Var, list[Part]] = defaultdict(list)
        self.adjoints: dict[Var, Expr] = {}
        self.item_parts: dict[Var, dict[int, list[Part]]] = defaultdict(dict)
        self.body: list[Stmt] = []
        self.carried: set[Var] = set()
        self.first_use = self._first_uses()

    def child(self, source: tuple[Stmt, ...]) -> Block:
        """The walk through a block inside this one."""
        return Block(self.walk, source)

    def add(self, var: Var, value: Expr, lines: tuple[Line, ...] = ()) -> None:
        """Adds a contribution to a variable's adjoint."""
        self.parts[var].append(Part(value, None, lines[0] if lines else None))

    def go_on(self, var: Var, value: Expr, lines: tuple[Line, ...] = ()) -> None:
        """Takes over a variable's adjoint so far, to be added to."""
        line = lines[0] if lines else None
        self.parts[var].insert(0, Part(value, None, line, None, running=True))

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
        groups: list = []
        start = 0

        def kind(stmt: Stmt):
            return stmt.note if isinstance(stmt, Let) else id(stmt)

        for _, items in groupby(self.source, key=kind):
            group = list(items)
            if isinstance(group[0], Let):
                groups.append((start, group))
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
        for var in self._read_by(group):
            if var in inside:
                continue
            if self.first_use.get(var, -1) >= start:
                self.finish(var)
            elif Ref(var) in stored and var in self.parts:
                # From here on it is changed in place.
                self.go_on(var, self._total(var, self.parts.pop(var)))

    def _read_by(self, group: list[Let]) -> Iterable[Var]:
        """The active variables the statement reads, in the order of its text.

        An array that the statement stores into comes first: what was stored is
        cleared before anything is added.
        """
        live = [let for let in group if let.var in self.active]
        stored = [let.value.args[0].var for let in live if _is_store(let)]
        read = [var for let in live for var in differentiable_reads(let)]
        # What goes on to the next round comes last.
        read.sort(key=self.carried.__contains__)
        return [v for v in dict.fromkeys(stored + read) if v in self.active]

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
        rule = operations()[let.value.op]
        if _is_store(let):
            cotangent = self.in_full(cotangent, let.var)
        result: Expr = Ref(let.var)
        if let.var in self.items:
            result = Apply("tuple", tuple(self.items[let.var]))
        place = Call(
            result=result,
            bound=bind(rule, let.value),
            cotangent=cotangent,
            rank=self.facts.rank,
            fresh=lambda name: self.supply.var(name, Origin.LOCAL),
            wanted=self.active.__contains__,
        )
        try:
            if _is_store(let):
                self._refuse_repeated(let)
            shared, contributions = instantiate(rule, place)
        except GradgenError as error:
            raise error.at(let.note.place) from None
        note = Note(Role.GRAD, (line,) if line else (), let.note.place)
        self.body += [Let(var, value, note) for var, value in shared]
        self._refuse_silence(let, rule, {item.to for item in contributions})
        for item in contributions:
            if item.to in self.active:
                self.parts[item.to].append(
                    Part(item.value, item.key, line, let.note.place)
                )

    def _refuse_repeated(self, let: Let) -> None:
        """Refuses a store to places that may be named twice: the last one wins."""
        if let.value.op == "setitem":
            if not names_places_once(self.facts, let.value.args[1]):
                raise GradgenError(
                    "GG309",
                    "a store to places that an index array may name twice",
                    advice="np.add.at, a mask, or one store for each place",
                )

    def _refuse_silence(self, let: Let, rule: Rule, given: set[Var]) -> None:
        """Refuses a rule that says nothing of an argument that is asked for."""
        for var in differentiable_reads(let):
            if var in self.active and var not in given and not rule.items:
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
        self.adjoints[var] = self._total(var, parts)

    def collapsed(self, var: Var) -> Expr | None:
        """The contributions to a variable so far, as one array of its shape."""
        parts = self.parts.pop(var, None)
        if not parts:
            return None
        if len(parts) == 1 and parts[0].running:
            return parts[0].value
        return self.in_full(self._total(var, parts), var)

    def in_full(self, value: Expr, var: Var) -> Expr:
        """An adjoint with the full shape of its variable, under a name."""
        last = self.body[-1].note if self.body else Note(Role.GRAD)
        adjoint = self.new(var)
        real = value
        if isinstance(value, Ref) or value == Const(0):
            real = Apply("real", (value, Ref(var)))
        self.body.append(Let(adjoint, real, last))
        return Ref(adjoint)

    def _placed(
        self, var: Var, total: Expr | None, keyed: list[Part], note: Note
    ) -> Expr:
        """The adjoints of a list, each part added to its entry."""
        total = total or Apply("zeros_of", (Ref(var),))
        for part in keyed:
            current = self.new(var)
            self.body.append(Let(current, total, note))
            entry = getitem(Ref(current), part.key)
            total = Apply("setitem", (Ref(current), part.key, add(entry, part.value)))
        return total

    def zero(self, var: Var) -> Expr:
        """The adjoint of a variable that nothing contributes to."""
        if self.facts.is_list(Ref(var)):
            return Apply("zeros_of", (Ref(var),))
        if self.facts.rank(Ref(var)) == 0:
            return Const(0.0)
        return call("numpy.zeros_like", Ref(var))

    def _total(self, var: Var, parts: list[Part]) -> Expr:
        lines = tuple(dict.fromkeys(part.line for part in parts if part.line))
        note = Note(Role.GRAD, lines, parts[0].place)
        running = next((part.value for part in parts if part.running), None)
        plain = [part.value for part in parts if part.key is None and not part.running]
        keyed = [part for part in parts if part.key is not None]
        for i, value in enumerate(plain):
            if isinstance(value, Apply) and value.op in STORES:
                cleared = self.new(var)
                self.body.append(Let(cleared, value, note))
                plain[i] = Ref(cleared)
                if running is None:
                    running = plain.pop(i)
                    break
        if running is not None and not plain and not keyed:
            return running
        total: Expr | None = None
        is_list = self.facts.is_list(Ref(var))
        if is_list and running is not None:
            plain, running = [running, *plain], None
        for value in plain:
            if total is None:
                total = value
            elif is_list:
                total = Apply("added_lists", (total, value))
            else:
                total = add(total, value)
        if running is not None:
            total = running if total is None else Apply("accumulate", (running, total))
        if keyed:
            total = self._scattered(var, total, keyed, note)
        adjoint = self.new(var)
        self.body.append(Let(adjoint, total, note))
        return Ref(adjoint)

    def _adjoints_of_items(self, var: Var) -> Expr:
        """The adjoints of several results; 0 for those that nothing reads."""
        adjoints: list[Expr] = []
        for index, item in enumerate(self.items[var]):
            parts = self.item_parts[var].get(index, [])
            total: Expr = Const(0)
            for part in parts:
                total = part.value if total == Const(0) else add(total, part.value)
            if len(parts) > 1:
                lines = tuple(dict.fromkeys(part.line for part in parts))
                adjoint = self.supply.var(f"d_{var.name}_{index}", Origin.LOCAL)
                self.body.append(Let(adjoint, total, Note(Role.GRAD, lines)))
                total = Ref(adjoint)
            adjoints.append(total)
        return Apply("tuple", tuple(adjoints))

    def new(self, var: Var) -> Var:
        """A variable for the adjoint of another."""
        return self.supply.var(f"d_{var.name}", Origin.ADJOINT, var, var.order + 1)

    def _scattered(
        self, var: Var, total: Expr | None, keyed: list[Part], note: Note
    ) -> Expr:
        """An array of the variable's shape, and each part added into its place."""
        if self.facts.is_list(Ref(var)):
            return self._placed(var, total, keyed, note)
        base = call("numpy.zeros_like", Ref(var))
        if total is not None:
            base = Apply("real", (total, Ref(var)))
        current = self.new(var)
        self.body.append(Let(current, base, note))
        for i, part in enumerate(keyed):
            unique = names_places_once(self.facts, part.key)
            op = "additem" if unique else "add_at"
            if unique and i == 0 and total is None:
                op = "setitem"
            value = part.value
            if isinstance(value, Apply) and value.op == "real":
                value = value.args[0]  # numpy stretches what is stored
            stored = Apply(op, (Ref(current), part.key, value))
            if i == len(keyed) - 1:
                return stored
            current = self.new(var)
            self.body.append(Let(current, stored, note))
        raise AssertionError("a scatter without parts")


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
