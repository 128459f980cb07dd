"""The values and adjoints of an emitted function, and which are computed of which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gradgen.explain.originals import Keys
from gradgen.explain.record import Recorded
from gradgen.frozen import dataclass
from gradgen.ir.nodes import (
    Apply,
    Branch,
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
from gradgen.ir.operators import STORES
from gradgen.ir.walk import reads
from gradgen.shapes.display import show_shape
from gradgen.shapes.kinds import Kind

CHANGES = (*STORES, "append")  # operations whose result is the list or array changed


@dataclass(frozen=True)
class Value:
    """A value of the text under its printed name.

    `adjoint` tells the gradient half, `of` is the place of the value that an
    adjoint belongs to; `lines` are the keys of those that it comes from; `looped` says that it is computed in rounds.
    """

    name: str
    shape: str
    adjoint: bool
    lines: tuple[str, ...]
    looped: bool = False
    returned: bool = False
    of: int | None = None


@dataclass(frozen=True)
class Flow:
    """Values in the order of the text; an edge (a, b) says that b reads a."""

    values: tuple[Value, ...]
    edges: tuple[tuple[int, int], ...]


def numbers(lines: Iterable[Line]) -> tuple[str, ...]:
    """The numbers of lines as keys, where there is one original."""
    return tuple(str(line.number) for line in lines if line.text)


def flow(recorded: Recorded, keys: Keys = numbers) -> Flow:
    """What is computed of what in the final form of a function.

    What a loop carries is one value, as is an array that is filled: what has one
    name in the text from one round, or store, to the next.
    """
    return _Flow(recorded, keys).flow()


class _Flow:
    def __init__(self, recorded: Recorded, keys: Keys) -> None:
        self.keys = keys
        function = recorded.rendered.function
        assert function is not None
        self.function, self.facts = function, recorded.facts
        self.names: Mapping[Var, str] = recorded.rendered.names
        self.parent: dict[Var, Var] = {}  # one value, several variables
        self.found: dict[Var, dict[Any, Any]] = {}
        self.edges: dict[tuple[Var, Var], None] = {}
        seeds = set(function.seeds)
        for param in function.params:
            self._add(param.var, None, False, param.var in seeds)
        self._block(function.body, False)

    def flow(self) -> Flow:
        returned = self._results()
        read = {self._root(a) for a, _ in self.edges}
        kept = [
            var
            for var, one in self.found.items()
            if var in read or var in returned or one["note"] is not None
        ]
        places = {var: i for i, var in enumerate(kept)}
        pairs = ((self._root(a), self._root(b)) for a, b in self.edges)
        edges = dict.fromkeys((places[a], places[b]) for a, b in pairs if a != b)
        values = tuple(self._value(var, places, var in returned) for var in kept)
        return Flow(values, tuple(edges))

    def _value(self, var: Var, places: Mapping[Var, int], returned: bool) -> Value:
        one = self.found[var]
        origin = var.of
        while origin is not None and self._root(origin) not in places:
            origin = origin.of
        of = None if origin is None else places[self._root(origin)]
        shape = self.facts.shapes.get(var)
        known = shape is not None and shape.dims is not None
        if self.facts.kinds.get(var) is Kind.OTHER:  # a callback, a string, None
            known = False
        return Value(
            one["name"],
            show_shape(shape, {}) if shape is not None and known else "",
            one["adjoint"],
            tuple(dict.fromkeys(one["lines"])),
            one["looped"],
            returned,
            of if one["adjoint"] else None,
        )

    def _results(self) -> set[Var]:
        """The values that are returned; one that has no name gets a value."""
        returned = set()
        for result in self.function.results:
            if isinstance(result.value, Ref):
                returned.add(self._root(result.value.var))
                continue
            name = result.name or f"d_{result.of.name}"
            var = Var(-1 - len(returned), name, Origin.ADJOINT, result.of)
            note = Note(Role.GRAD, result.lines)
            self._add(var, note, False, True, name)
            self._reads(result.value, var)
            returned.add(var)
        for value in self.function.values:
            if isinstance(value, Ref):
                returned.add(self._root(value.var))
        return returned

    def _root(self, var: Var) -> Var:
        while var in self.parent:
            var = self.parent[var]
        return var

    def _same(self, var: Var, other: Var) -> None:
        """Both are one value, the one that is known first."""
        one, two = self._root(var), self._root(other)
        if one == two:
            return
        if one not in self.found:
            one, two = two, one
        self.parent[two] = one
        gone = self.found.pop(two, None)
        if gone is not None and one in self.found:
            self.found[one]["lines"] += gone["lines"]

    def _add(
        self,
        var: Var,
        note: Note | None,
        looped: bool,
        adjoint: bool,
        name: str | None = None,
    ) -> None:
        name = name or self.names.get(var)
        if name is None:
            return
        lines = list(self.keys(note.lines)) if note else []
        if self._root(var) in self.found:
            self.found[self._root(var)]["lines"] += lines
            return
        about = dict(name=name, note=note, lines=lines, looped=looped, adjoint=adjoint)
        self.found[self._root(var)] = about

    def _reads(self, expr: Expr | None, var: Var) -> None:
        for read in reads(expr) if expr is not None else ():
            if self._root(read) in self.found:
                self.edges[read, var] = None

    def _is_named(self, expr: Expr, var: Var) -> bool:
        """Whether an expression is what has the variable's name already."""
        name = self.names.get(var)
        return isinstance(expr, Ref) and self.names.get(expr.var) == name is not None

    def _block(self, body: Iterable[Stmt], looped: bool) -> None:
        for stmt in body:
            adjoint = stmt.note.role is not Role.FORWARD
            if isinstance(stmt, Let):
                self._let(stmt, looped, adjoint)
            elif isinstance(stmt, Loop):
                self._loop(stmt, adjoint)
            elif isinstance(stmt, Branch):
                self._branch(stmt, looped, adjoint)

    def _let(self, let: Let, looped: bool, adjoint: bool) -> None:
        value = let.value
        if self._is_named(value, let.var):
            self._same(value.var, let.var)
            return
        changed = isinstance(value, Apply) and value.op in CHANGES
        if changed and self._is_named(value.args[0], let.var):
            self._same(value.args[0].var, let.var)
        self._add(let.var, let.note, looped, adjoint)
        self._reads(value, let.var)

    def _loop(self, loop: Loop, adjoint: bool) -> None:
        for slot in loop.carried:
            if self.names.get(slot.inner) is None:
                continue
            self._add(slot.inner, None, True, adjoint)
            self._same(slot.inner, slot.exit)
            self._reads(slot.entry, slot.inner)
        self._block(loop.body, True)
        for slot in loop.carried:
            if self._root(slot.inner) not in self.found:
                continue
            if self._is_named(slot.next, slot.inner):
                self._same(slot.inner, slot.next.var)
            self._reads(slot.next, slot.inner)
            self._stand_last(slot.inner)

    def _stand_last(self, var: Var) -> None:
        """What the rounds only add to or fill stands behind what it is filled with."""
        root = self._root(var)
        read = (self._root(b) for a, b in self.edges if self._root(a) == root)
        if all(one == root for one in read):
            self.found[root] = self.found.pop(root)

    def _branch(self, branch: Branch, looped: bool, adjoint: bool) -> None:
        self._block(branch.then, looped)
        self._block(branch.orelse, looped)
        for merge in branch.merges:
            if self.names.get(merge.var) is None:
                continue
            self._add(merge.var, branch.note, looped, adjoint)
            for way in (merge.then, merge.orelse):
                if self._is_named(way, merge.var):
                    self._same(merge.var, way.var)
            for expr in (branch.test, merge.then, merge.orelse):
                self._reads(expr, merge.var)
