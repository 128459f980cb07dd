"""What stands for no value has the type of the value: numba has one type a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.errors import GradgenError
from gradgen.ir.nodes import Apply, Branch, Carried, Const, Expr, Function, Let
from gradgen.ir.nodes import Loop, Merge, Note, Origin, Ref, Stmt, Supply, Var
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.target.numba_lengths import Lengths
from gradgen.target.numba_tokens import learned

NOTHING = Const(None)


def fillers(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function with values of one type for what an arm or a round has no value of.

    before:  y = None
    after:   y = np.empty(0, x.dtype)

    So where a branch keeps a value that the other arm does not make, which nothing
    reads; and where an adjoint that is an array is 0 as a number: np.zeros(n, x.dtype).
    """
    known = learned(function, facts)
    filling = _Fillers(function, known, supply)
    body = tuple(filling.block(function.body))
    for var in filling.filled:
        facts.shapes[var], facts.kinds[var] = known.shapes[var], known.kinds[var]
    return function if not filling.filled else replace(function, body=body)


class _Fillers:
    def __init__(self, function: Function, facts: Facts, supply: Supply):
        self.facts, self.supply = facts, supply
        self.lengths = Lengths(function, facts)
        # the variables that have a value of one type now
        self.filled: set[Var] = set()
        self.like = [
            var
            for var, _ in self.lengths.params
            if facts.kinds.get(var) is Kind.LIKE and not facts.is_complex(Ref(var))
        ]

    def block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, Branch):
                then, orelse = (
                    list(self.block(stmt.then)),
                    list(self.block(stmt.orelse)),
                )
                merges = []
                for one in stmt.merges:
                    merges.append(self._merged(one, then, orelse, stmt.note))
                stmt = replace(
                    stmt, then=tuple(then), orelse=tuple(orelse), merges=tuple(merges)
                )
            elif isinstance(stmt, Loop):
                inside, carried = list(self.block(stmt.body)), []
                for slot in stmt.carried:
                    first = self._empty(slot.next) if slot.entry == NOTHING else None
                    if isinstance(first, Apply):
                        var = self._version(slot.exit, slot.next)
                        yield Let(var, first, replace(stmt.note, lines=()))
                        slot = replace(slot, entry=Ref(var))
                    entry = self._in_full(slot.entry, slot, stmt.note)
                    if entry is not None:
                        yield entry
                        slot = replace(slot, entry=Ref(entry.var))
                    after = self._in_full(slot.next, slot, stmt.note)
                    if after is not None:
                        inside.append(after)
                        slot = replace(slot, next=Ref(after.var))
                    carried.append(slot)
                stmt = replace(stmt, body=tuple(inside), carried=tuple(carried))
            yield stmt

    def _merged(
        self, one: Merge, then: list[Stmt], orelse: list[Stmt], note: Note
    ) -> Merge:
        """A merge without None, where the other arm tells what is meant."""
        for arm, other, block in (
            ("then", one.orelse, then),
            ("orelse", one.then, orelse),
        ):
            if getattr(one, arm) != NOTHING or other == NOTHING:
                continue
            made = self._empty(other)
            if made is None:
                raise GradgenError(
                    "GG713",
                    f"{one.var.name} has no value in one arm, and numba gives each "
                    "name one type",
                    advice="a value in both arms",
                ).at(note.place)
            if isinstance(made, Apply):
                var = self._version(one.var, other)
                block.append(Let(var, made, replace(note, lines=())))
                made = Ref(var)
            self._learn(one.var, other)
            one = (
                replace(one, then=made) if arm == "then" else replace(one, orelse=made)
            )
        return one

    def _empty(self, like: Expr) -> Expr | None:
        """A number, or an array without entries, of the type of a value."""
        if self.facts.is_list(like) or self.facts.is_complex(like):
            return None
        try:
            rank, kind = self.facts.rank(like), self.facts.kind(like)
        except KeyError:
            return None
        if rank is None or kind is Kind.OTHER:
            return None
        if rank == 0:
            if kind is Kind.BOOLEAN:
                return Const(False)
            return Const(0) if kind in INTEGRAL else Const(0.0, "0.0")
        return self._made("numpy.empty", (Const(0),) * rank, kind)

    def _made(self, op: str, sizes: tuple[Expr, ...], kind: Kind) -> Apply:
        shape = sizes[0] if len(sizes) == 1 else Apply("tuple", sizes)
        if kind is Kind.BOOLEAN:
            return Apply(op, (shape, Const(None, "np.bool_")))
        if kind in INTEGRAL:
            return Apply(op, (shape, Const(None, "np.int64")))
        if kind is not Kind.WIDE and self.like:
            dtype = Apply("dtype", (Ref(self.like[0]),), spelling="attribute:dtype")
            return Apply(op, (shape, dtype))
        return Apply(op, (shape,))

    def _in_full(self, value: Expr, slot: Carried, note: Note) -> Let | None:
        """np.zeros for an adjoint that is 0, in a loop where it is an array."""
        if slot.exit.origin is not Origin.ADJOINT or not isinstance(value, Const):
            return None
        if type(value.value) not in (int, float) or value.value != 0:
            return None
        for other in (slot.entry, slot.next, Ref(slot.inner)):
            try:
                dims = self.facts.of(other).dims
            except KeyError:
                continue
            if not dims or self.facts.is_complex(other):
                continue
            sizes = [self.lengths.of_params(dim) for dim in dims]
            known = tuple(one for one in sizes if one is not None)
            if len(known) < len(dims):
                continue
            var = self._version(slot.exit, other)
            self._learn(slot.exit, other)
            self._learn(slot.inner, other)
            made = self._made("numpy.zeros", known, self.facts.kinds[var])
            return Let(var, made, replace(note, lines=()))
        return None

    def _version(self, var: Var, like: Expr) -> Var:
        made = self.supply.var(var.name, var.origin, var.of, var.order)
        self._learn(made, like)
        return made

    def _learn(self, var: Var, like: Expr) -> None:
        self.filled.add(var)
        self.facts.shapes[var] = self.facts.of(like)
        self.facts.kinds[var] = self.facts.kind(like)
