"""The gradient for another library: its functions, its stores, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from gradgen.errors import GradgenError, gather
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
)
from gradgen.ir.operators import STORES, add, subtract
from gradgen.ir.sharing import Sharing, shared_with
from gradgen.ir.walk import lets, rewrite, subexpressions, with_expressions
from gradgen.shapes.indexing import names_places_once
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL
from gradgen.shapes.shape import ShapeConflict
from gradgen.target.calls import Calls
from gradgen.target.host import Host, array_like
from gradgen.target.table import Target
from gradgen.target.torch_values import TorchValues, refuse_key

# functions of dask that may return their argument, which a store then changes
MAY_BE_SAME = tuple(
    f"numpy.{name}"
    for name in (
        "append astype column_stack concatenate delete diff hstack pad positive repeat "
        "tile vstack where"
    ).split()
)
# arrays of the host: dask computes what is stored into them
MADE = ("numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full", "numpy.eye")


def retarget(function: Function, facts: Facts, target: Target) -> Function:
    """The function in the words of a library that stands for NumPy.

        before:  jnp.add.at(d_x, k, 2 * d_out * x[k])
        after:   d_x = d_x.at[k].add(2 * d_out * x[k])

    Operations keep NumPy's names here, and the printer writes the library's alias
    before them. Raises GradgenError for everything that the library cannot do, with
    the lines of the primal.
    """
    if target.name in ("numpy", "xp") or not (target.table or target.library.pure):
        return function
    return _Retargeting(facts, target).done(function)


class _Retargeting:
    def __init__(self, facts: Facts, target: Target):
        self.facts, self.target = facts, target
        self.calls = Calls(facts, target)
        self.torch: TorchValues | None = None
        self.problems: list[GradgenError] = []

    def done(self, function: Function) -> Function:
        self.sharing = Sharing(function.body)
        self.made = {
            self.sharing.root(let.var)
            for let in lets(function.body)
            if _op(let.value) in MADE
        }
        self.calls.arrays.begin(function)
        self.host = Host(self.facts, self.target, function.body)
        if self.target.name == "torch":
            self.torch = TorchValues(
                self.facts, self.host, self.sharing, function.params
            )
        body = tuple(self._block(function.body))
        change = self._changed
        results = tuple(replace(r, value=change(r.value)) for r in function.results)
        values = tuple(map(change, function.values))
        if self.problems:
            raise gather(list({str(one): one for one in self.problems}.values()))
        return replace(function, body=body, results=results, values=values)

    def _block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if self.target.device or self.target.lazy:
                self._guarded(stmt, self.host.check, stmt)
            if (
                isinstance(stmt, Branch)
                and _is_errstate(stmt)
                and self._lacks_errstate()
            ):
                yield from self._block(stmt.then)
                for merge in stmt.merges:
                    yield Let(merge.var, merge.then, stmt.note)
                continue
            if isinstance(stmt, Let) and _op(stmt.value) in STORES:
                stmt = self._guarded(stmt, self._stored, stmt) or stmt
            elif isinstance(stmt, Let) and self.target.library.pure:
                stmt = _rebound(stmt)
            if isinstance(stmt, Let) and self.torch and isinstance(stmt.value, Apply):
                stmt = self.torch.stored(stmt)
            if isinstance(stmt, Let) and self.target.entry_views:
                stmt = replace(stmt, value=self._of_its_own(stmt.value))
            if isinstance(stmt, Let) and self.target.lazy:
                self._guarded(stmt, self._refuse_masks, stmt.value)
                stmt = self._made_anew(stmt)
            # not by with_blocks, for which equal blocks are the same: spellings differ
            if isinstance(stmt, Branch):
                then, orelse = self._block(stmt.then), self._block(stmt.orelse)
                stmt = replace(stmt, then=tuple(then), orelse=tuple(orelse))
            elif isinstance(stmt, Loop):
                stmt = replace(stmt, body=tuple(self._block(stmt.body)))
            yield with_expressions(stmt, partial(self._changed, stmt=stmt))
            if isinstance(stmt, Let):
                self.calls.arrays.learn(stmt)

    def _lacks_errstate(self) -> bool:
        return not self.calls.has("numpy.errstate")

    def _changed(self, expr: Expr, stmt: Stmt | None = None) -> Expr:
        if self.torch or self.target.lazy:
            for part in subexpressions(expr):
                if _op(part) in ("getitem", *STORES):
                    self._guarded(stmt, refuse_key, part, self.facts, self.target.name)
        if self.torch:
            expr = self.torch.changed(expr)
        changed = self._guarded(stmt, rewrite, expr, self.calls.changed)
        changed = expr if changed is None else changed
        return rewrite(changed, self.torch.placed) if self.torch else changed

    def _guarded(
        self, stmt: Stmt | None, work: Callable[..., Any], *args: Any
    ) -> Any | None:
        """What the work gives; a refusal is kept, with the statement's place."""
        try:
            return work(*args)
        except GradgenError as error:
            place = stmt.note.place if stmt is not None else None
            self.problems.append(error.at(place))
            return None

    def _stored(self, let: Let) -> Let:
        """A store as the library makes it."""
        value = let.value
        assert isinstance(value, Apply)
        base, key, stored = value.args[:3]
        key = _merged(key, self.facts)
        let = replace(let, value=replace(value, args=(base, key, *value.args[2:])))
        if self.facts.is_list(base) or value.op == "put":
            return let
        unique = value.op == "add_at" or self._names_once(key)
        if not unique:
            raise GradgenError(
                "GG704",
                f"{self.target.name} does not say which value stays where an index "
                "of a store names a place twice",
                advice="a slice, a mask, or np.argsort's order as the index",
            )
        if self.target.lazy:
            self._refuse_lazy(value, key)
        if _op(key) == "chain" and (self.target.lazy or self.target.library.pure):
            raise GradgenError(
                "GG705",
                f"a part of a part cannot be stored in {self.target.name}",
                advice="x[i, j] = ... instead of x[i][j] = ...",
            )
        if not self.target.library.pure:
            return let
        op = "at.set" if value.op == "setitem" else "at.add"
        return replace(let, value=Apply(op, (base, key, stored)))

    def _names_once(self, key: Expr) -> bool:
        try:
            return names_places_once(self.facts, key)
        except ShapeConflict:
            return False

    def _of_its_own(self, value: Expr) -> Expr:
        """An entry that is kept, as a number that no later store changes.

        before:  s = x[0]           t = Y.T[0, 1]
        after:   s = x[0].copy()    t = Y.T[0, 1].copy()
        """
        if _op(value) == "append":
            entries, last = value.args
            return replace(value, args=(entries, self._of_its_own(last)))
        if _op(value) != "getitem" or self.facts.is_list(value.args[0]):
            return value
        if not any(map(self.sharing.is_changed, shared_with(value))):
            return value
        if self.facts.rank(value) != 0:
            return value  # a view in numpy as well
        return Apply("numpy.copy", (value,), spelling="method:copy")

    def _made_anew(self, let: Let) -> Let:
        """What NumPy makes anew and dask may hand on: x.astype(t) of x's own dtype.

        before:  y = x.astype(t)           y[0] = 1
        after:   y = x.astype(t).copy()    y[0] = 1
        """
        value = let.value
        if not isinstance(value, Apply) or value.op not in MAY_BE_SAME:
            return let
        if value.op == "numpy.where" and not isinstance(value.args[0], Const):
            return let
        refs = [one.var for one in subexpressions(value) if isinstance(one, Ref)]
        if not any(map(self.sharing.is_changed, (let.var, *refs))):
            return let
        copied = Apply("numpy.copy", (value,), spelling="method:copy")
        return replace(let, value=copied)

    def _refuse_masks(self, value: Expr) -> None:
        """Places chosen by a mask: dask does not know how many they are."""
        for part in subexpressions(value):
            if _op(part) not in ("getitem", *STORES) or self.facts.is_list(
                part.args[0]
            ):
                continue
            key = part.args[1]
            for item in key.args if _op(key) == "tuple" else (key,):
                is_array = array_like(item, self.facts) and _op(item) != "slice"
                if is_array and self.facts.kind(item) not in INTEGRAL:
                    raise GradgenError(
                        "GG704",
                        "a mask chooses a number of places that dask does not know",
                        advice='np.where(mask, x, 0), or --shape of integers, "n:int"',
                    )

    def _refuse_lazy(self, value: Apply, key: Expr) -> None:
        """Stores that dask arrays do not have, or that compute what is stored."""
        base = value.args[0]
        of_numpy = isinstance(base, Ref) and self.sharing.root(base.var) in self.made
        if of_numpy and array_like(value.args[2], self.facts):
            raise GradgenError(
                "GG704",
                "a store into an array of NumPy's own, np.zeros(n), computes what is "
                "stored",
                advice="np.zeros_like(x) of a dask array, or np.stack of a list",
            )
        parts = key.args if _op(key) == "tuple" else (key,)
        arrays = [part for part in parts if _op(part) != "slice"]
        arrays = [part for part in arrays if self.host.is_array(part)]
        ranks = [self.facts.of(part).rank for part in arrays]
        if value.op == "add_at" or len(arrays) > 1 or any(r != 1 for r in ranks):
            raise GradgenError(
                "GG704",
                "dask arrays have no np.add.at, and are stored to by slices, one mask "
                "or one vector of places",
                advice="np.where(mask, value, x), or a slice",
            )


def _merged(key: Expr, facts: Facts) -> Expr:
    """A key for the keys of a part of a part, where one does.

    before:  x[1:][:]   x[i][j]
    after:   x[1:]      x[i, j]
    """
    if _op(key) != "chain":
        return key
    first, second = key.args
    everything = Apply("slice", (Const(None),) * 3)
    if second in (Const(...), everything):
        return first
    parts = [*(first.args if _op(first) == "tuple" else (first,))]
    if not all(facts.is_index(part) for part in parts):
        return key
    parts += second.args if _op(second) == "tuple" else (second,)
    return Apply("tuple", tuple(parts))


def _op(expr: Expr) -> str:
    return expr.op if isinstance(expr, Apply) else ""


def _is_errstate(branch: Branch) -> bool:
    return _op(branch.test) == "numpy.errstate"


def _rebound(let: Let) -> Let:
    """x += y as x = x + y."""
    value = let.value
    if isinstance(value, Apply) and value.op == "accumulate":
        base, added = value.args
        if _op(added) == "numpy.negative" and isinstance(added, Apply):
            return replace(let, value=subtract(base, *added.args))
        return replace(let, value=add(base, added))
    if isinstance(value, Apply) and value.spelling == "augmented":
        return replace(let, value=replace(value, spelling="operator"))
    return let
