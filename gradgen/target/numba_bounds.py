"""Checks that written indices are inside of their arrays: numba looks at none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Branch, Const, Effect, Expr, Function
from gradgen.ir.nodes import Let, Loop, Note, Ref, Stmt, Var
from gradgen.ir.operators import STORES
from gradgen.ir.walk import own_expressions, static, subexpressions
from gradgen.shapes.dims import Dim
from gradgen.shapes.infer import Facts
from gradgen.shapes.spans import side
from gradgen.target.numba_scalars import length
from gradgen.target.numba_tokens import learned

Known = dict[Dim, int]


def bounds(function: Function, facts: Facts) -> Function:
    """The function with checks of the lengths that its written indices need.

    before:  if k > 0:
                 y = x[7]
    after:   if k > 0:
                 if x.shape[0] < 8:
                     raise IndexError("axis 0 of x has no index 7")
                 y = x[7]

    A compiled text would read, and write, past the end of the array.
    """
    bounding = _Bounds(learned(function, facts))
    early = {param.var for param in function.params}
    body = tuple(bounding.block(function.body, {}, early))
    return replace(function, body=body)


class _Bounds:
    def __init__(self, facts: Facts):
        self.facts = facts

    def block(
        self, body: Iterable[Stmt], known: Known, early: set[Var]
    ) -> Iterator[Stmt]:
        """Statements with checks; those of `early` variables stand before a run."""
        run: list[Stmt] = []
        checks: list[Stmt] = []
        inside: set[Var] = set()
        for stmt in body:
            found = [(_need(one[3]), *one) for one in self._indices(stmt)]
            for need, var, axis, dim, index in sorted(
                found, key=lambda one: (one[1] not in early, -one[0])
            ):
                if known.get(dim, 0) >= need:
                    continue
                if side(dim - Dim.of(need)) > 0:
                    continue  # x[0] of n + 1 entries
                known[dim] = need
                to = checks if var in early and isinstance(stmt, Let) else run
                to.append(_check(var, axis, index, stmt.note))
            if isinstance(stmt, Let):
                run.append(stmt)
                inside.add(stmt.var)
                continue
            yield from (*checks, *run)
            early, run, checks, inside = early | inside, [], [], set()
            yield self._deep(stmt, known, early)
        yield from (*checks, *run)

    def _deep(self, stmt: Stmt, known: Known, early: set[Var]) -> Stmt:
        if isinstance(stmt, Loop):
            return replace(stmt, body=tuple(self.block(stmt.body, dict(known), early)))
        if isinstance(stmt, Branch):
            then = tuple(self.block(stmt.then, dict(known), early))
            orelse = tuple(self.block(stmt.orelse, dict(known), early))
            return replace(stmt, then=then, orelse=orelse)
        return stmt

    def _indices(self, stmt: Stmt) -> Iterator[tuple[Var, int, Dim, int]]:
        """Written indices of axes whose length no fact tells."""
        for expr in own_expressions(stmt):
            for one in subexpressions(expr):
                if isinstance(one, Apply) and one.op in ("getitem", *STORES):
                    yield from self._of_key(one.args[0], one.args[1])

    def _of_key(self, base: Expr, key: Expr) -> Iterator[tuple[Var, int, Dim, int]]:
        if not isinstance(base, Ref) or self.facts.is_list(base):
            return
        dims = self.facts.of(base).dims
        is_tuple = isinstance(key, Apply) and key.op == "tuple"
        items = list(key.args) if isinstance(key, Apply) and is_tuple else [key]
        items = [one for one in items if one != Const(None)]
        if dims is None:
            return
        if Const(...) in items:
            at = items.index(Const(...))
            items[at : at + 1] = [Const(None)] * (len(dims) - len(items) + 1)
        for axis, (one, dim) in enumerate(zip(items, dims, strict=False)):
            try:
                index = static(one)
            except ValueError:
                continue
            if type(index) is int and dim.number is None:
                yield base.var, axis, dim, index


def _need(index: int) -> int:
    """How long an axis is at least that has an index."""
    return index + 1 if index >= 0 else -index


def _check(var: Var, axis: int, index: int, note: Note) -> Branch:
    """if x.shape[0] < 8: raise IndexError("axis 0 of x has no index 7")"""
    note, need = replace(note, lines=()), _need(index)
    test = Apply(
        "numpy.less", (length(Ref(var), axis), Const(need)), spelling="operator"
    )
    said = Const(f"axis {axis} of {var.name} has no index {index}")
    fail = Effect(Apply("raise", (Const(IndexError, "IndexError"), said)), note)
    return Branch(test, (fail,), (), (), note)
