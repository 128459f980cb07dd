"""Where each variable is defined and read, in the order of the text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from gradgen.ir.nodes import (
    Apply,
    Branch,
    Effect,
    Expr,
    Function,
    Let,
    Loop,
    Ref,
    Role,
    Stmt,
    Var,
)
from gradgen.ir.operators import LISTS_OF_ADJOINTS
from gradgen.ir.walk import children, reads

# operations that read an argument's shape and dtype, and not its entries
SHAPE_READS = {
    "zeros_of": 0,
    "split_like": 1,
    "numpy.zeros_like": 0,
    "numpy.ones_like": 0,
    "numpy.full_like": 0,
    "numpy.empty_like": 0,
    "numpy.shape": 0,
    "numpy.ndim": 0,
    "numpy.size": 0,
    "len": 0,
    "shortened": 1,
    "put": 3,
    "dtype": 0,
    "helper._stored_last": 0,
    "helper._stored_at_last": 0,
    "helper._unbroadcast": 1,
    "helper._matmul_left": 1,
    "helper._matmul_right": 2,
    "helper._inner_left": 1,
    "helper._inner_right": 2,
    "helper._dot_left": 1,
    "helper._dot_right": 2,
    "helper._convolve_adjoint": 1,
    "helper._correlate_left": 1,
    "helper._correlate_right": 2,
    "helper._added_along_axis": 1,
    "helper._resized": 1,
    "helper._signal_adjoint": 1,
    "helper._banded_adjoint": 2,
    "helper._eigvals_adjoint": 1,
    "helper._tensordot_left": 1,
    "helper._tensordot_right": 2,
    "helper._kron_left": 1,
    "helper._kron_right": 2,
    "helper._cross_left": 1,
    "helper._vecdot_left": 1,
    "helper._untiled": 1,
    "helper._unrepeated": 1,
    "helper._unpadded": 1,
    "helper._on_diagonal": 1,
    "helper._diag_adjoint": 1,
    "helper._hstack_part": 1,
    "helper._vstack_part": 1,
    "helper._dstack_part": 1,
    "helper._column_stack_part": 1,
    "helper._block_part": 1,
    "helper._delete_adjoint": 1,
    "helper._insert_array": 1,
    "helper._part_along": 1,
    "helper._ahead_of": 1,
    "helper._solve_adjoint": 2,
    "helper._products_of": 2,
}


def entries_read(expr: Expr) -> Iterator[Var]:
    """The variables whose entries an expression reads, not the shape alone."""
    if isinstance(expr, Ref):
        yield expr.var
    elif isinstance(expr, Apply):
        # the length of a list may change, other than the shape of an array
        of_lists = expr.op in LISTS_OF_ADJOINTS
        skipped = None if of_lists else SHAPE_READS.get(expr.op)
        for i, child in enumerate(children(expr)):
            if i != skipped or not isinstance(child, Ref):
                yield from entries_read(child)


class Liveness:
    """Positions of statements, and which variables are read after them.

    A variable from outside that a loop reads is read to the loop's end. What one
    arm of a branch reads is not after the other. With `whole=False`, reads of
    shapes do not count. With `kept`, variables of the primal that the gradient
    reads are read to the end: an inner function reads them when it runs.
    """

    def __init__(
        self, function: Function, whole: bool = True, kept: bool = False
    ) -> None:
        self._reads = reads if whole else entries_read
        self._kept, self._now = kept, 0
        self.at: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        self.defined: dict[Var, int] = {param.var: 0 for param in function.params}
        self.places: dict[Var, list[int]] = defaultdict(list)
        # the loops around the statement at hand: where each starts, what it reads
        self._loops: list[tuple[int, set[Var]]] = []
        # the ranges that are not after a place, as [first, last]
        self._excluded: dict[int, tuple[list[int], ...]] = {}
        self._others: tuple[list[int], ...] = ()
        self._in_gradient = False
        self._late: set[Var] = set()
        # each call of the inner function has its seeds for itself
        given = {param.var for param in function.params}
        self._forward: set[Var] = given - set(function.seeds)
        self._block(function.body)
        self.end = self._tick()
        for value in function.values:
            self._read(value, self.end)
        for result in function.results:
            self._read(result.value, self.end)
        for var in self._late & self._forward:
            self.places[var].append(self.end)

    @property
    def read_late(self) -> frozenset[Var]:
        """The variables of the primal that the gradient reads."""
        return frozenset(self._late & self._forward)

    def read_after(self, var: Var, place: int) -> bool:
        """Whether a variable is read after a place, on some way from there."""
        excluded = self._excluded.get(place, ())
        for read in reversed(self.places.get(var, ())):
            if read <= place:
                return False
            if not any(first <= read <= last for first, last in excluded):
                return True
        return False

    def _tick(self) -> int:
        self._now += 1
        if self._others:
            self._excluded[self._now] = self._others
        return self._now

    def _define(self, var: Var, place: int) -> None:
        self.defined[var] = place
        if not self._in_gradient:
            self._forward.add(var)

    def _read(self, expr: Expr | None, place: int) -> None:
        if expr is None:
            return
        for var in self._reads(expr):
            self.places[var].append(place)
            if self._kept and self._in_gradient:
                self._late.add(var)
            for start, found in self._loops:
                if self.defined.get(var, 0) < start:
                    found.add(var)

    def _block(self, body: Iterable[Stmt]) -> None:
        for stmt in body:
            self._in_gradient = stmt.note.role is Role.GRAD
            place = self.at[id(stmt)] = self._tick()
            if isinstance(stmt, Branch):
                self._branch(stmt, place)
            elif isinstance(stmt, Loop):
                self._loop(stmt, place)
            elif isinstance(stmt, (Let, Effect)):
                self._read(stmt.value, place)
                if isinstance(stmt, Let):
                    self._define(stmt.var, place)

    def _branch(self, stmt: Branch, place: int) -> None:
        self._read(stmt.test, place)
        around, other = self._others, [0, -1]
        # a handler runs after a part of the body
        self._others = around if stmt.is_try else (*around, other)
        self._block(stmt.then)
        then_end = self._tick()
        for merge in stmt.merges:
            self._read(merge.then, then_end)
        self._others = around
        other[0] = self._now + 1
        self._block(stmt.orelse)
        other[1] = self._tick()
        for merge in stmt.merges:
            self._read(merge.orelse, other[1])
        end = self.ends[id(stmt)] = self._tick()
        for merge in stmt.merges:
            self._define(merge.var, end)

    def _loop(self, stmt: Loop, place: int) -> None:
        self._read(stmt.over, place)
        for slot in stmt.carried:
            self._read(slot.entry, place)
        start = self._tick()
        for var in (stmt.index, stmt.count, *(slot.inner for slot in stmt.carried)):
            self._define(var, start)
        found: set[Var] = set()
        self._loops.append((start, found))
        self._read(stmt.test, self._tick())
        self._block(stmt.body)
        last = self._tick()
        self._read(stmt.until, last)
        for slot in stmt.carried:
            self._read(slot.next, last)
        self._loops.pop()
        end = self.ends[id(stmt)] = self._tick()
        for var in found:
            self.places[var].append(end)
        for slot in stmt.carried:
            self._define(slot.exit, end)
