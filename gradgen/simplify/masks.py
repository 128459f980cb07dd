"""Masks at the end of what they mask: no 0 * inf in lanes that were not chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import (
    Apply,
    Const,
    Expr,
    Function,
    Let,
    Origin,
    Ref,
    Role,
    Stmt,
    Supply,
    Var,
)
from gradgen.ir.walk import (
    children,
    reads,
    substitute,
    with_blocks,
    with_children,
)
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind
from gradgen.shapes.shape import equal

# stands for the value in a mask
HOLE = Var(-1, "value", Origin.LOCAL)
# linear in the first argument, entry by entry
LINEAR = {"numpy.negative", "numpy.positive", "numpy.conj", "numpy.real"}
ZEROS = (Const(0), Const(0.0))


def masks(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose adjoints are selected last, not first.

        before:  d_Y = np.where(M, d_Z, 0)
                 d_X = d_Y * E
                 return d_X
        after:   d_X = np.where(M, d_Z * E, 0)
                 return d_X

    An adjoint that leaves np.where, a maximum, a clip or a nansum is a value and a
    mask. Elementwise adjoints act on the value and hand the mask on; what follows
    is anything else (a sum, a product of matrices, another mask, a store) reads
    the masked value. No finite entry changes, but for the sign of a zero.
    """
    return replace(function, body=tuple(_Masks(facts, supply).block(function.body)))


class _Masks:
    def __init__(self, facts: Facts, supply: Supply):
        self.facts, self.supply = facts, supply
        # variable -> its value before the mask, and the mask around it
        self.masked: dict[Var, tuple[Expr, Expr]] = {}
        self.done: list[Stmt] = []

    def block(self, body: Iterable[Stmt]) -> list[Stmt]:
        """One block; a mask is not handed on into another."""
        outer, self.done, before, self.masked = self.done, [], self.masked, {}
        for stmt in body:
            if stmt.note.role is Role.GRAD and isinstance(stmt, Let):
                self._let(stmt)
            else:
                self.done.append(with_blocks(stmt, self.block))
        done, self.done, self.masked = self.done, outer, before
        return done

    def _let(self, let: Let) -> None:
        self.note = let.note
        value, mask = self._split(let.value)
        if mask is None:
            self._put(replace(let, value=value))
            return
        if not isinstance(value, Ref):
            raw = self.supply.var(let.var.name, Origin.LOCAL)
            self._put(Let(raw, value, let.note))
            value = Ref(raw)
        self.masked[let.var] = value, mask
        self._put(replace(let, value=substitute(mask, {HOLE: value})))

    def _put(self, let: Let) -> None:
        self.facts.learn(let)
        self.done.append(let)

    def _split(self, expr: Expr) -> tuple[Expr, Expr | None]:
        """A value and the mask around it, None where there is none."""
        if isinstance(expr, Ref):
            return self.masked.get(expr.var, (expr, None))
        if not isinstance(expr, Apply):
            return expr, None
        if expr.op == "numpy.where" and len(expr.args) == 3 and not expr.kwargs:
            return self._selected(expr)
        if expr.op in ("numpy.multiply", "numpy.divide") and len(expr.args) == 2:
            left, right = expr.args
            one, mask = self._split(left)
            if expr.op == "numpy.divide" or mask is not None:
                return with_children(expr, (one, self._whole(right))), mask
            other, mask = self._split(right)
            return with_children(expr, (one, other)), mask
        if expr.op in LINEAR and len(expr.args) == 1:
            value, mask = self._split(expr.args[0])
            return with_children(expr, (value,)), mask
        if expr.op in ("numpy.add", "numpy.subtract") and len(expr.args) == 2:
            (one, first), (other, second) = map(self._split, expr.args)
            if first is not None and first == second:
                return with_children(expr, (one, other)), first
        if expr.op == "numpy.transpose" and len(expr.args) == 1:
            return self._transposed(expr)
        return with_children(expr, map(self._whole, children(expr))), None

    def _whole(self, expr: Expr) -> Expr:
        """An expression with its mask in it, for what is not linear in it."""
        if isinstance(expr, Ref):
            return expr
        value, mask = self._split(expr)
        return value if mask is None else self._around(mask, value)

    def _around(self, mask: Expr, value: Expr) -> Expr:
        """The mask around a value, which gets a name where it is read twice."""
        if isinstance(value, Apply) and _holes(mask) > 1:
            part = self.supply.var("d_part", Origin.LOCAL)
            self._put(Let(part, value, self.note))
            value = Ref(part)
        return substitute(mask, {HOLE: value})

    def _selected(self, expr: Apply) -> tuple[Expr, Expr | None]:
        test, chosen, other = expr.args
        test = self._whole(test)
        if chosen in ZEROS or other in ZEROS:
            value, inner = self._split(other if chosen in ZEROS else chosen)
            inner = Ref(HOLE) if inner is None else inner
            if other in ZEROS:
                both = self._both(test, inner)
                if both is not None:
                    return value, both
            ways = (chosen, inner) if chosen in ZEROS else (inner, other)
            return value, replace(expr, args=(test, *ways))
        first, one = self._scaled(chosen)
        second, two = self._scaled(other)
        if first is not None and first == second:
            return first, replace(expr, args=(test, one, two))
        whole = (test, self._whole(chosen), self._whole(other))
        return replace(expr, args=whole), None

    def _both(self, test: Expr, inner: Expr) -> Expr | None:
        """One mask for a mask in a mask: chosen where both choose."""
        if not isinstance(inner, Apply) or inner.op != "numpy.where":
            return None
        second, chosen, other = inner.args
        kinds = {self.facts.kind(test), self.facts.kind(second)}
        if chosen != Ref(HOLE) or other not in ZEROS or kinds != {Kind.BOOLEAN}:
            return None
        both = Apply("numpy.bitwise_and", (second, test), spelling="operator")
        return replace(inner, args=(both, chosen, other))

    def _scaled(self, expr: Expr) -> tuple[Expr | None, Expr]:
        """What a leaf of a mask is a multiple of, and how."""
        if isinstance(expr, Apply) and expr.op in ("numpy.multiply", "numpy.divide"):
            left, right = expr.args
            if isinstance(right, Const):
                return left, replace(expr, args=(Ref(HOLE), right))
            if isinstance(left, Const) and expr.op == "numpy.multiply":
                return right, replace(expr, args=(left, Ref(HOLE)))
        if isinstance(expr, Apply) and expr.op == "numpy.where":
            value, mask = self._split(expr)
            return (None, expr) if mask is None else (value, mask)
        return expr, Ref(HOLE)

    def _transposed(self, expr: Apply) -> tuple[Expr, Expr | None]:
        """A mask of the value's shape moves its axes as the value does."""
        value, mask = self._split(expr.args[0])
        if mask is None:
            return with_children(expr, (value,)), None
        shape = self.facts.of(value)
        tests = [node for node in _tests(mask)]
        if not all(equal(self.facts.of(test), shape) for test in tests):
            return with_children(expr, (self._around(mask, value),)), None
        moved = {test: with_children(expr, (test,)) for test in tests}
        return with_children(expr, (value,)), _with_tests(mask, moved)


def _holes(mask: Expr) -> int:
    return sum(var == HOLE for var in reads(mask))


def _tests(mask: Expr) -> Iterator[Expr]:
    if isinstance(mask, Apply) and mask.op == "numpy.where":
        yield mask.args[0]
        for way in mask.args[1:]:
            yield from _tests(way)


def _with_tests(mask: Expr, moved: dict[Expr, Expr]) -> Expr:
    if isinstance(mask, Apply) and mask.op == "numpy.where":
        ways = (_with_tests(way, moved) for way in mask.args[1:])
        return replace(mask, args=(moved[mask.args[0]], *ways))
    return mask
