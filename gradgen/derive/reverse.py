"""The reverse-mode gradient: the primal's statements, then their adjoints.

For each variable the contributions to its adjoint are collected; when the walk
backwards has passed the first statement that reads it, they become one sum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from gradgen.derive.activity import active, differentiable_reads
from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Line,
    Note,
    Origin,
    Param,
    Place,
    Ref,
    Result,
    Role,
    Supply,
    Var,
)
from gradgen.ir.operators import add, call, getitem
from gradgen.rules.load import operations
from gradgen.rules.rule import Call, Rule, bind, instantiate
from gradgen.shapes.indexing import names_places_once
from gradgen.shapes.infer import Facts


@dataclass(frozen=True)
class _Part:
    """One contribution: what, where in the variable (None: all), from which line."""

    value: Expr
    key: Expr | None
    line: Line | None
    place: Place | None = None


def reverse(
    primal: Function,
    wrt: tuple[Var, ...],
    facts: Facts,
    supply: Supply,
    stop: frozenset[Var] = frozenset(),
) -> Function:
    """The gradient of the primal's result with respect to `wrt`.

        before:  y = np.sin(x)
                 return y
        after:   y = np.sin(x)
                 d_x = unbroadcast(d_y * np.cos(x), y, x)

    Broadcasting is left as the words unreduce, unbroadcast and real.
    """
    walk = _Backwards(primal, wrt, facts, supply, stop)
    return walk.gradient()


class _Backwards:
    def __init__(self, primal, wrt, facts, supply, stop):
        self.primal, self.wrt, self.facts, self.supply = primal, wrt, facts, supply
        self.active = active(primal, wrt, stop)
        self.parts: dict[Var, list[_Part]] = defaultdict(list)
        self.adjoints: dict[Var, Expr] = {}
        # of an operation with several results: its users' names for them, and
        # the contributions to each
        self.items = self._items()
        self.item_parts: dict[Var, dict[int, list[_Part]]] = defaultdict(dict)
        self.body: list[Let] = []
        self.first_use = self._first_uses()

    def _first_uses(self) -> dict[Var, int]:
        first: dict[Var, int] = {}
        for i, let in enumerate(self.primal.body):
            if let.var in self.active:
                for var in differentiable_reads(let):
                    first.setdefault(var, i)
        return first

    def _items(self) -> dict[Var, list[Expr]]:
        """The results of each operation that has several, as they are read."""
        items: dict[Var, list[Expr]] = {}
        for let in self.primal.body:
            count = self.facts.several(let.value)
            if count and isinstance(let.value, Apply):
                items[let.var] = [getitem(Ref(let.var), i) for i in range(count)]
            source = _item_of(let, items)
            if source is not None:
                items[source][let.value.args[1].value] = Ref(let.var)
        return items

    def gradient(self) -> Function:
        (value,) = self.primal.values
        result = value.var
        seed = self.supply.var(f"d_{result.name}", Origin.SEED, result, 1)
        self.adjoints[result] = Ref(seed)
        if result in self.first_use:
            # The result is read again by its own function.
            del self.adjoints[result]
            self.parts[result].append(_Part(Ref(seed), None, None))
        for start, group in self._groups():
            self._statement(start, group)
        params = (*self.primal.params, Param(seed))
        lines = {let.var: let.note.lines for let in self.body}
        results = tuple(self._result(var, lines) for var in self.wrt)
        body = (*self.primal.body, *self.body)
        return replace(
            self.primal, params=params, body=body, results=results, seeds=(seed,)
        )

    def _result(self, var: Var, lines: dict[Var, tuple[Line, ...]]) -> Result:
        value = self._adjoint_of(var)
        own = lines.get(value.var, ()) if isinstance(value, Ref) else ()
        return Result(value, var, own)

    def _adjoint_of(self, var: Var) -> Expr:
        return self.adjoints.get(var, call("numpy.zeros_like", Ref(var)))

    def _groups(self) -> Iterator[tuple[int, list[Let]]]:
        """The user's statements, last first: where each starts, and its operations."""
        groups, start = [], 0
        for _, items in groupby(self.primal.body, key=lambda let: let.note):
            group = list(items)
            groups.append((start, group))
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
        for var in self._read_by(group):
            if var not in inside and self.first_use.get(var, -1) >= start:
                self._finish(var)

    def _read_by(self, group: list[Let]) -> Iterable[Var]:
        """The active variables the statement reads, in the order of its text."""
        order: dict[Var, None] = {}
        for let in group:
            if let.var in self.active:
                for var in differentiable_reads(let):
                    if var in self.active:
                        order[var] = None
        return order

    def _operation(self, let: Let) -> None:
        """Adds what one operation contributes to the adjoints of its arguments."""
        self._finish(let.var)
        if let.var not in self.adjoints:
            return
        cotangent = self.adjoints[let.var]
        line = let.note.lines[0]
        if isinstance(let.value, Ref):
            self.parts[let.value.var].append(_Part(cotangent, None, line))
            return
        source = _item_of(let, self.items)
        if source is not None:
            index = let.value.args[1].value % len(self.items[source])
            part = _Part(cotangent, None, line, let.note.place)
            self.item_parts[source].setdefault(index, []).append(part)
            return
        rule = operations()[let.value.op]
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
            is_complex=self.facts.is_complex,
        )
        try:
            shared, contributions = instantiate(rule, place)
        except GradgenError as error:
            raise error.at(let.note.place) from None
        note = Note(Role.GRAD, (line,), let.note.place)
        self.body += [Let(var, value, note) for var, value in shared]
        self._refuse_silence(let, rule, {item.to for item in contributions})
        for item in contributions:
            if item.to in self.active:
                value = item.value
                if self.facts.may_flow_complex(let):
                    value = self._for(item.to, value)
                self.parts[item.to].append(_Part(value, item.key, line, let.note.place))

    def _for(self, var: Var, value: Expr) -> Expr:
        """What flows to a variable: to a real one, the real part of it."""
        if self.facts.is_complex(Ref(var)):
            return value
        if isinstance(value, Apply) and value.op == "unbroadcast":
            part = Apply("realpart", value.args[:1])
            return replace(value, args=(part, *value.args[1:]))
        return Apply("realpart", (value,))

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

    def _finish(self, var: Var) -> None:
        """Makes one adjoint of the contributions collected for a variable."""
        if var in self.item_parts:
            self.adjoints[var] = self._adjoints_of_items(var)
            return
        parts = self.parts.pop(var, None)
        if not parts:
            return
        lines = tuple(dict.fromkeys(part.line for part in parts if part.line))
        note = Note(Role.GRAD, lines, parts[0].place)
        plain = [part.value for part in parts if part.key is None]
        keyed = [part for part in parts if part.key is not None]
        total: Expr | None = None
        for value in plain:
            total = value if total is None else add(total, value)
        if keyed:
            total = self._scattered(var, total, keyed, note)
        adjoint = self._new(var)
        self.body.append(Let(adjoint, total, note))
        self.adjoints[var] = Ref(adjoint)

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

    def _new(self, var: Var) -> Var:
        return self.supply.var(f"d_{var.name}", Origin.ADJOINT, var, var.order + 1)

    def _scattered(
        self, var: Var, total: Expr | None, keyed: list[_Part], note: Note
    ) -> Expr:
        """An array of the variable's shape, and each part added into its place."""
        base = call("numpy.zeros_like", Ref(var))
        if total is not None:
            base = Apply("owned", (total, Ref(var)))
        current = self._new(var)
        self.body.append(Let(current, base, note))
        for i, part in enumerate(keyed):
            unique = names_places_once(self.facts, part.key)
            op = "additem" if unique else "add_at"
            if unique and i == 0 and total is None:
                op = "setitem"
            value = part.value
            if isinstance(value, Apply) and value.op == "real":
                value = value.args[0]  # numpy stretches what is stored
            elif _is_stretched_part(value):
                value = replace(value, args=value.args[0].args[:1])
            stored = Apply(op, (Ref(current), part.key, value))
            if i == len(keyed) - 1:
                return stored
            current = self._new(var)
            self.body.append(Let(current, stored, note))
        raise AssertionError("a scatter without parts")


def _is_stretched_part(value: Expr) -> bool:
    """Whether it is the real part of what numpy stretches anyway."""
    if not isinstance(value, Apply) or value.op != "realpart":
        return False
    inner = value.args[0]
    return isinstance(inner, Apply) and inner.op == "real"


def _item_of(let: Let, items: dict[Var, list[Expr]]) -> Var | None:
    """The operation with several results of which a statement takes one."""
    value = let.value
    if isinstance(value, Apply) and value.op == "getitem":
        source, key = value.args
        if isinstance(source, Ref) and source.var in items and isinstance(key, Const):
            return source.var
    return None
