"""The ranks that the arguments of a function may have, by what its body does with them.

Each variable has the set of ranks that it may have. Each operation allows some ranks
of its operands and its result together: which ones, its shape line in the rules says,
asked for arrays of each rank. Sets are narrowed until nothing changes (arc consistency).
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from itertools import product
from math import prod

from gradgen.errors import GradgenError
from gradgen.ir.nodes import (
    Apply,
    Branch,
    Const,
    Expr,
    Function,
    Let,
    Loop,
    Ref,
    Stmt,
    Var,
)
from gradgen.ir.operators import STORES
from gradgen.ir.walk import reads
from gradgen.rules.load import operations
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import Shape, ShapeConflict, ranked

# 5 stands for 5 and more
MOST = 5
ANY = frozenset(range(MOST + 1))
# An operation of more operands of unknown rank says nothing.
TRIES = 220
# functions that take a matrix, or a stack of them, first
MATRICES = {
    f"{module}.linalg.{name}"
    for module in ("numpy", "scipy")
    for name in (
        "solve inv det slogdet cholesky eig eigh eigvals eigvalsh qr svd lstsq pinv "
        "matrix_power cho_factor solve_triangular expm"
    ).split()
} | {"numpy.trace"}


# which ranks go together in an operation of operands that may have some
Tables = dict[tuple[object, ...], list[tuple[int, ...]]]


# ... of which these take others than square ones
OBLONG = {
    f"{module}.linalg.{name}"
    for module in ("numpy", "scipy")
    for name in "qr svd lstsq pinv".split()
} | {"numpy.trace"}


class NoRanks(Exception):
    """A variable has no rank left: what was assumed does not fit the body."""


class Ranks:
    """The ranks of a function's variables; `facts` are those of unknown shapes.

    With `everywhere` what stands in arms and loops counts as well, where it may not
    run: that is good for a guess, and proves nothing. With `carried`, what a loop
    carries has the rank that it starts with. `tables` are those of other ranks of the
    same facts.
    """

    def __init__(
        self,
        function: Function,
        facts: Facts,
        everywhere: bool,
        carried: bool = False,
        tables: Tables | None = None,
    ) -> None:
        self.facts, self.everywhere, self.carried = facts, everywhere, carried
        self.known: dict[Var, frozenset[int]] = {}
        self.readers: dict[Var, list[int]] = {}
        self.statements: list[Let] = list(self._lets(function.body))
        self.tables: Tables = {} if tables is None else tables
        for i, let in enumerate(self.statements):
            value = let.value
            value = self._of_results(value) if isinstance(value, Apply) else value
            for var in {let.var, *reads(value)}:
                self.readers.setdefault(var, []).append(i)

    def _lets(self, body: Iterable[Stmt]) -> Iterator[Let]:
        for stmt in body:
            if isinstance(stmt, Let):
                yield stmt
            elif isinstance(stmt, Branch) and self.everywhere:
                yield from self._lets(stmt.then)
                yield from self._lets(stmt.orelse)
                for merge in stmt.merges:
                    for way in (merge.then, merge.orelse):
                        yield Let(merge.var, way, stmt.note)
            elif isinstance(stmt, Loop) and self.everywhere:
                yield from self._lets(stmt.body)
                for slot in stmt.carried:
                    # a sum grows from 0.0
                    if self.carried and self.facts.rank(slot.entry) != 0:
                        yield Let(slot.inner, slot.entry, stmt.note)
                    yield Let(slot.exit, slot.next, stmt.note)
                    yield Let(slot.exit, Ref(slot.inner), stmt.note)

    def of(self, expr: Expr) -> frozenset[int]:
        """The ranks that a value may have."""
        if isinstance(expr, Const):
            return frozenset([0]) if not isinstance(expr.value, tuple) else ANY
        if not isinstance(expr, Ref):
            return ANY
        found = self.known.get(expr.var)
        if found is None:
            rank = self.facts.shapes[expr.var].rank
            is_list = self.facts.is_list(expr)
            known = rank is not None and not is_list
            found = frozenset([min(rank or 0, MOST)]) if known else ANY
        return found

    def narrow(self, var: Var, ranks: Iterable[int]) -> None:
        """Takes only these ranks for a variable, and all that follows. Raises NoRanks."""
        queue: dict[int, None] = {}
        self._keep(var, frozenset(ranks), queue)
        self._settle(queue)

    def settle(self) -> None:
        """All that the body says by itself. Raises NoRanks."""
        self._settle(dict.fromkeys(range(len(self.statements))))

    def asked(self) -> Iterator[tuple[Let, Var, frozenset[int]]]:
        """The ranks that operations by themselves take of operands, whatever made them.

        Elementwise ones take all.
        """
        alone = self.copy()
        alone.known = {}
        for let in self.statements:
            if not isinstance(let.value, Apply) or self._is_elementwise(let.value):
                continue
            rows = alone._rows(let.value)
            if rows is not None and rows[1]:
                for var, column in zip(rows[0], zip(*rows[1])):
                    yield let, var, frozenset(column)

    def copy(self) -> Ranks:
        """The same ranks, to be narrowed by a guess."""
        other = copy(self)
        other.known = dict(self.known)
        return other

    def _keep(self, var: Var, ranks: frozenset[int], queue: dict[int, None]) -> None:
        before = self.of(Ref(var))
        after = before & ranks
        if not after:
            raise NoRanks
        if after != before:
            self.known[var] = after
            queue.update(dict.fromkeys(self.readers.get(var, ())))

    def _settle(self, queue: dict[int, None]) -> None:
        while queue:
            i = next(iter(queue))
            del queue[i]
            self._apply(self.statements[i], queue)

    def _apply(self, let: Let, queue: dict[int, None]) -> None:
        value = let.value
        if self.facts.is_list(Ref(let.var)):
            return
        if isinstance(value, Ref):
            both = self.of(value) & self.of(Ref(let.var))
            self._keep(let.var, both, queue)
            self._keep(value.var, both, queue)
        if not isinstance(value, Apply):
            return
        if self._is_elementwise(value):
            if not self.facts.several(value):
                self._elementwise(let, value, queue)
            return
        if value.op == "numpy.array" and getattr(value.args[0], "op", "") == "list":
            self._written_out(let, value.args[0], queue)
        rows = self._rows(self._of_results(value))
        if rows is None:
            return
        refs, table = rows
        out = self.of(Ref(let.var))
        sets = [self.of(Ref(var)) for var in refs]
        fit = [
            (*given, z)
            for *given, z in table
            if (z < 0 or z in out) and all(r in s for r, s in zip(given, sets))
        ]
        if not fit:
            if table:
                raise NoRanks
            return
        columns = list(zip(*fit))
        for var, column in zip(refs, columns):
            self._keep(var, frozenset(column), queue)
        if all(z >= 0 for z in columns[-1]):
            self._keep(let.var, frozenset(columns[-1]), queue)

    def _of_results(self, value: Apply) -> Apply:
        """One of several results, as read of what makes these: np.linalg.slogdet(K)[1]."""
        whole = value.args[0] if value.op == "getitem" else None
        made = self.facts.definitions.get(whole.var) if isinstance(whole, Ref) else None
        if isinstance(made, Apply) and self.facts.several(made):
            return replace(value, args=(made, *value.args[1:]))
        return value

    def _is_elementwise(self, value: Apply) -> bool:
        rule = operations().get(value.op)
        return rule is not None and rule.shape is None and not value.kwargs

    def _elementwise(self, let: Let, value: Apply, queue: dict[int, None]) -> None:
        """The rank of the result is the greatest among the operands."""
        args = [arg for arg in value.args if arg != Const(None)]
        sets = [self.of(arg) for arg in args]
        out = self.of(Ref(let.var))
        least = max((min(s) for s in sets), default=0)
        reach = {z for z in out if z >= least and any(z in s for s in sets)}
        if value.spelling == "augmented" and 0 not in sets[0]:
            reach &= sets[0]  # an array keeps its shape
        if not reach:
            raise NoRanks
        self._keep(let.var, frozenset(reach), queue)
        for i, arg in enumerate(args):
            if not isinstance(arg, Ref):
                continue
            rest = sets[:i] + sets[i + 1 :]
            fit = {
                r
                for r in sets[i]
                if any(r == z or r < z and any(z in s for s in rest) for z in reach)
            }
            if self.facts.is_list(arg):
                continue
            if not fit:
                raise NoRanks
            self._keep(arg.var, frozenset(fit), queue)

    def _written_out(self, let: Let, listed: Expr, queue: dict[int, None]) -> None:
        """An array of entries that are written out, in rows: these have one rank."""
        depth, level = 0, [listed]
        while level and all(getattr(one, "op", "") == "list" for one in level):
            depth += 1
            level = [arg for one in level for arg in getattr(one, "args")]
        if not level or not all(isinstance(one, (Ref, Const)) for one in level):
            return
        if any(self.facts.is_list(one) for one in level):
            return
        fit = frozenset.intersection(*map(self.of, level))
        fit &= frozenset(rank - depth for rank in self.of(Ref(let.var)))
        for one in level:
            if isinstance(one, Ref):
                self._keep(one.var, fit, queue)
        self._keep(let.var, frozenset(rank + depth for rank in fit), queue)

    def _rows(self, value: Apply) -> tuple[list[Var], list[tuple[int, ...]]] | None:
        """The operands of unknown rank, and which ranks go together with a result's."""
        stored: Expr | None = None
        if value.op in STORES:
            stored = value.args[-1]
            value = Apply("getitem", value.args)
        given = list(dict.fromkeys(reads(value)))
        unknown = [var for var in given if self.facts.shapes[var].rank is None]
        if not unknown or any(self.facts.is_list(Ref(var)) for var in given):
            return None
        sets = [sorted(self.of(Ref(var))) for var in unknown]
        if prod(map(len, sets)) > TRIES:
            return None
        key = (value, tuple(map(tuple, sets)))
        if key not in self.tables:
            read = value if stored is None else replace(value, args=value.args[:2])
            self.tables[key] = list(self._tried(read, unknown, sets, stored))
        return unknown, self.tables[key]

    def _tried(
        self,
        value: Apply,
        unknown: list[Var],
        sets: list[list[int]],
        stored: Expr | None,
    ) -> Iterator[tuple[int, ...]]:
        """The ranks that the operation's shape line takes, with its result's (or -1).

        What is stored into a part has no more axes than that: an entry takes a number.
        """
        for given in product(*sets):
            if value.op == "numpy.matmul" and any(
                self._rank(arg, unknown, given) == 0 for arg in value.args
            ):
                continue
            if value.op in MATRICES and value.args:
                first = self._rank(value.args[0], unknown, given)
                if first is not None and first < 2:
                    continue
                rest = [self._rank(arg, unknown, given) for arg in value.args[1:]]
                if 0 in rest and value.op.endswith("solve"):
                    continue
            if value.op in ("getitem", "len", "numpy.outer"):  # of no number
                if 0 in (self._rank(arg, unknown, given) for arg in value.args[:1]):
                    continue
            shapes: Mapping[Var, Shape] = {
                var: ranked(*(f"?{var.id}_{i}" for i in range(rank)))
                for var, rank in zip(unknown, given)
            }
            try:
                found = self._with(shapes).of(value).rank
            except ShapeConflict:
                continue
            except (GradgenError, ValueError, IndexError, TypeError, AssertionError):
                found = None  # a form that the rules do not have: nothing is said
            if stored is not None:
                size = self._rank(stored, unknown, given)
                if found is None or size is None or size <= found:
                    base = self._rank(value.args[0], unknown, given)
                    yield (*given, -1 if base is None else base)  # it keeps its shape
                continue
            yield (*given, -1 if found is None else min(found, MOST))

    def _rank(
        self, arg: Expr, unknown: list[Var], given: tuple[int, ...]
    ) -> int | None:
        if isinstance(arg, Ref) and arg.var in unknown:
            return given[unknown.index(arg.var)]
        return None

    def _with(self, shapes: Mapping[Var, Shape]) -> Facts:
        other = copy(self.facts)
        other.shapes = ChainMap(dict(shapes), self.facts.shapes)  # type: ignore[assignment]
        return other


def square_axes(body: Iterable[Let], facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The sizes that are one where a matrix is factorised, inverted or solved with."""
    for let in body:
        value = let.value
        if isinstance(value, Apply) and value.op in MATRICES - OBLONG and value.args:
            dims = facts.of(value.args[0]).dims or ()
            if len(dims) > 1 and dims[-1] != dims[-2]:
                yield dims[-2], dims[-1]
            if len(dims) > 1 and value.op.endswith("solve") and len(value.args) > 1:
                known = facts.of(value.args[1]).dims or ()
                rows = known[-2:][:1]  # of a vector its entries
                if rows and rows[0] != dims[-1]:
                    yield rows[0], dims[-1]


def masked_axes(body: Iterable[Let], facts: Facts) -> Iterator[tuple[Dim, Dim]]:
    """The sizes that are one where an array is read, or stored into, by a mask.

    before:  zero = y == 0; out[zero] = 0        y (k), out (n)
    after:   k and n
    """
    for let in body:
        value = let.value
        if not isinstance(value, Apply) or value.op not in ("getitem", *STORES):
            continue
        base, key = value.args[:2]
        if not isinstance(key, Ref) or not facts.is_boolean(key):
            continue
        yield from zip(facts.of(key).dims or (), facts.of(base).dims or ())
