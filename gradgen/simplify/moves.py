"""Which subexpressions of the primal may move to the places that read them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import inf

from gradgen.ir.callee import stays
from gradgen.ir.nodes import Apply, Branch, Effect, Function, Let, Loop, Role, Stmt, Var
from gradgen.ir.operators import IN_PLACE
from gradgen.ir.walk import blocks, own_expressions, reads


class Reading:
    """Where each variable is read, and where what it stands for is changed."""

    def __init__(self, function: Function) -> None:
        self.forward: Counter[Var] = Counter()
        self.gradient: Counter[Var] = Counter()
        # read where only a name can stand, or where it would be computed again
        # in every round
        self.pinned: set[Var] = set()
        self.places: dict[Var, int] = {}
        self.block: dict[Var, int] = {}
        self.readers: dict[Var, set[int]] = defaultdict(set)
        self.end: dict[Var, float] = defaultdict(int)
        self.changed: dict[Var, list[int]] = defaultdict(list)
        self._count, self._blocks = 0, 0
        self._block(function.body, in_loop=False)
        for value in function.values:
            self.forward.update(reads(value))
            for var in reads(value):
                self.end[var] = inf
                self.readers[var].add(0)
        for result in function.results:
            for var in reads(result.value):
                self.gradient[var] += 1
                self.end[var] = inf

    def _block(self, body: Iterable[Stmt], in_loop: bool) -> None:
        number, self._blocks = self._blocks, self._blocks + 1
        for stmt in body:
            self._count += 1
            here = self._count
            self._own_reads(stmt, number, here, in_loop)
            if isinstance(stmt, Let):
                self.places[stmt.var], self.block[stmt.var] = here, number
                value = stmt.value
                if isinstance(value, Apply) and value.op in IN_PLACE:
                    for var in reads(value.args[0]):
                        self.changed[var].append(here)
                        self.pinned.add(var)
            elif isinstance(stmt, Loop):
                for slot in stmt.carried:
                    for var in reads(slot.entry):
                        self.changed[var].append(here)
            for block in blocks(stmt):
                self._block(block, in_loop or isinstance(stmt, Loop))

    def _own_reads(self, stmt: Stmt, number: int, here: int, in_loop: bool) -> None:
        movable = []
        if isinstance(stmt, (Let, Effect)):
            movable = [stmt.value]
        elif isinstance(stmt, Branch):
            movable = [stmt.test]
        elif isinstance(stmt, Loop) and stmt.over is not None:
            movable = [stmt.over]
        for expr in own_expressions(stmt):
            atom = not any(expr is one for one in movable)
            for var in reads(expr):
                if stmt.note.role is Role.GRAD:
                    self.gradient[var] += 1
                    self.end[var] = inf
                    if in_loop and self.block.get(var) != number or atom:
                        self.pinned.add(var)
                    continue
                counts = self.gradient if stmt.note.derived else self.forward
                counts[var] += 1
                self.readers[var].add(number)
                self.end[var] = max(self.end[var], here)
                if atom:
                    self.pinned.add(var)

    def may_move(self, let: Let) -> bool:
        """Whether the value may be computed where it is read instead."""
        var = let.var
        if isinstance(let.value, Apply) and let.value.op in IN_PLACE:
            return False
        if stays(let.value):
            return False
        if var in self.pinned or self.readers[var] - {self.block[var]}:
            return False
        start, end = self.places[var], self.end[var]
        return not any(
            start < place < end
            for read in reads(let.value)
            for place in self.changed[read]
        )

    def moved(self, let: Let) -> None:
        """Notes that the value's operands are now read wherever it was."""
        f, g = self.forward[let.var], self.gradient[let.var]
        for var in reads(let.value):
            self.forward[var] += f - 1
            self.gradient[var] += g
            self.end[var] = max(self.end[var], self.end[let.var])
