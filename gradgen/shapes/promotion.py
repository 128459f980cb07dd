"""Which arguments' dtypes the dtype of a value is made of."""

from __future__ import annotations

from collections.abc import Iterable

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
from gradgen.ir.operators import (
    ARRAY_PRODUCTS,
    IN_PLACE,
    LIKES,
    MADE,
    OF_FIRST,
    OF_SEQUENCE,
)
from gradgen.ir.sharing import viewed
from gradgen.ir.walk import children
from gradgen.rules.traits import is_ufunc
from gradgen.shapes.certain import kind_of
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind

Roots = frozenset[object]
NONE: Roots = frozenset()
# of what is float64, whatever the arguments are
WIDE: Roots = frozenset([Kind.WIDE])
FLOATING = (Kind.LIKE, Kind.WIDE)


class Promotion:
    """Of each variable the arguments that it surely, and that it perhaps, promotes.

    float32 times float64 is float64: what x alone has made has not room for x * y, where
    x and y may be of two dtypes. A Python number takes part in none.
    """

    def __init__(self, function: Function, facts: Facts) -> None:
        self.facts = facts
        self.surely: dict[Var, Roots] = {}
        self.perhaps: dict[Var, Roots] = {}
        seeds = {v for v in function.seeds if not facts.shapes[v].rank}
        for param in function.params:
            own = NONE if param.var in seeds else frozenset([param.var])
            self._set(param.var, own, own)
        self._block(function.body)

    def has_room(self, var: Expr, value: Expr) -> bool:
        """Whether an array surely has the dtype of what is computed with it."""
        kind = kind_of(var, self.facts)
        if kind not in FLOATING or kind_of(value, self.facts) is not kind:
            return False
        if self.facts.is_complex(var) != self.facts.is_complex(value):
            return False
        return WIDE <= self.roots(var)[0] or self.roots(value)[1] <= self.roots(var)[0]

    def roots(self, expr: Expr) -> tuple[Roots, Roots]:
        """The arguments that a value surely, and that it perhaps, promotes."""
        if isinstance(expr, Ref):
            return self.surely.get(expr.var, NONE), self.perhaps.get(
                expr.var, frozenset([expr.var])
            )
        if not isinstance(expr, Apply):
            is_numpys = isinstance(expr, Const) and expr.dtype
            return NONE, frozenset([expr]) if is_numpys else NONE
        if expr.op == "dtype":
            return self.roots(expr.args[0])
        if self._is_widened(expr):
            return WIDE, WIDE
        given = dict(expr.kwargs)
        own: Iterable[Expr] | None = None
        if expr.op in MADE or expr.op in OF_SEQUENCE:
            dtype = given.get("dtype", expr.args[1] if len(expr.args) == 2 else None)
            own = None if dtype is None else [dtype]
        elif "dtype" in given:
            own = [given["dtype"]]
        elif expr.op in (*IN_PLACE, *LIKES, *OF_FIRST) or expr.spelling == "augmented":
            own = expr.args[:1]
        elif is_ufunc(expr.op) or expr.op in ARRAY_PRODUCTS:
            own = expr.args
        elif expr.op == "numpy.where" and len(expr.args) == 3:
            own = expr.args[1:]
        elif expr.op in ("getitem", "real") or viewed(expr):
            own = expr.args[:1]
        if own is None:
            return NONE, frozenset([expr])
        found = [self.roots(one) for one in own if self._counts(one)]
        surely = NONE.union(*(one for one, _ in found))
        return surely, NONE.union(*(one for _, one in found))

    def _is_widened(self, expr: Apply) -> bool:
        """Whether an operation makes float64 of what is none."""
        kinds = (kind_of(part, self.facts) for part in children(expr))
        return kind_of(expr, self.facts) is Kind.WIDE and Kind.WIDE not in kinds

    def _counts(self, expr: Expr) -> bool:
        """Whether a value takes part in the dtype of what is computed with it."""
        if isinstance(expr, Apply) and expr.op == "dtype":
            return True
        no_part = (Kind.OTHER, Kind.BOOLEAN, *INTEGRAL)
        return kind_of(expr, self.facts) not in no_part

    def _set(self, var: Var, surely: Roots, perhaps: Roots) -> bool:
        before = self.surely.get(var), self.perhaps.get(var)
        self.surely[var], self.perhaps[var] = surely, perhaps
        return before != (surely, perhaps)

    def _block(self, body: Iterable[Stmt]) -> None:
        for stmt in body:
            if isinstance(stmt, Let):
                self._set(stmt.var, *self.roots(stmt.value))
            elif isinstance(stmt, Branch):
                self._block(stmt.then)
                self._block(stmt.orelse)
                for merge in stmt.merges:
                    self._joined((merge.var,), merge.then, merge.orelse)
            elif isinstance(stmt, Loop):
                for slot in stmt.carried:
                    self._joined((slot.inner, slot.exit), slot.entry, slot.entry)
                changed = True
                while changed:
                    self._block(stmt.body)
                    changed = False
                    for slot in stmt.carried:
                        ways = Ref(slot.inner), slot.next
                        changed |= self._joined((slot.inner, slot.exit), *ways)

    def _joined(self, targets: tuple[Var, ...], one: Expr, other: Expr) -> bool:
        """Variables that have one of two values."""
        first, second = self.roots(one), self.roots(other)
        roots = first[0] & second[0], first[1] | second[1]
        return any([self._set(var, *roots) for var in targets])
