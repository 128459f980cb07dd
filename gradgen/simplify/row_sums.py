"""Sums of rows in which one entry is stored, and fills of what is one number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Supply, Var
from gradgen.ir.nodes import Origin
from gradgen.ir.operators import (
    ARITHMETIC,
    MULTIPLICATIVE,
    SIGNED,
    STORES,
    add,
    getitem,
    multiply,
)
from gradgen.ir.walk import (
    is_static,
    lets,
    static,
    subexpressions,
    uses,
    with_blocks,
)
from gradgen.ir.walk import children, with_children
from gradgen.shapes.indexing import is_basic
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import INTEGRAL, Kind
from gradgen.shapes.shape import SCALAR, equal

FILLED = "numpy.full_like"
ROWS = (slice(None), None)
WHOLE = Apply("slice", (Const(None),) * 3)


def row_sums(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose gradient does not add up rows of zeros with an entry each.

        before:  d_p[np.arange(len(x)), labels] = -d_out * w
                 d_x = d_p - np.sum(d_p, axis=1, keepdims=True) / z_exp_sum * z_exp
        after:   d_p_entries = -d_out * w
                 d_p[np.arange(len(x)), labels] = d_p_entries
                 d_x = d_p - d_p_entries[:, None] / z_exp_sum * z_exp

    d_p was zeros. What is stored into a part of zeros, or where a mask is true, is
    summed without the zeros: np.sum(v) for d_m[ok] = v and np.sum(d_m). np.arange(len(x)) has each row once. Rows that begin filled with c add c for each of
    their entries. An array that is filled with one number, full_like(x, c)[:, None] / 2,
    is full_like(x, c / 2).
    """
    rows = _Rows(facts, supply, uses(function))
    derived = [let for let in lets(function.body) if let.note.derived]
    if not any(_is_stored(let.value) or _is_filled(let.value) for let in derived):
        return function
    for let in derived:
        rows.summed.update(map(_summed, subexpressions(let.value)))
    body = tuple(rows.block(function.body))
    return function if body == function.body else replace(function, body=body)


class _Rows:
    def __init__(self, facts: Facts, supply: Supply, counted: Counter[Var]) -> None:
        self.facts, self.supply, self.counted = facts, supply, counted
        self.values: dict[Var, Expr] = {}
        # arrays whose rows are added up
        self.summed: set[Var | None] = set()

    def block(self, body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if not isinstance(stmt, Let):
                yield with_blocks(stmt, lambda block: tuple(self.block(block)))
                continue
            if stmt.note.derived:
                value = self._written(stmt.value)
                if equal(self.facts.of(value), self.facts.of(stmt.value)):
                    stmt = stmt if value == stmt.value else replace(stmt, value=value)
                stored = self._named(stmt)
                if stored is not None:
                    yield stored[0]
                    stmt = stored[1]
            self.values[stmt.var] = stmt.value
            yield stmt

    def _named(self, let: Let) -> tuple[Let, Let] | None:
        """A vector that is stored into rows, under a name of its own."""
        value = let.value
        if not _is_stored(value) or isinstance(value.args[2], Ref):
            return None
        if let.var not in self.summed:
            return None
        base, key, entries = value.args
        if self.facts.rank(entries) != 1 or self._one_each(base, key) is None:
            return None
        name = self.supply.var(f"{let.var.name}_entries", Origin.NAMED)
        self.facts.shapes[name] = self.facts.of(entries)
        self.facts.kinds[name] = self.facts.kind(entries)
        self.values[name] = entries
        args = (base, key, Ref(name))
        return Let(name, entries, let.note), replace(
            let, value=replace(value, args=args)
        )

    def _written(self, expr: Expr) -> Expr:
        """An expression with its sums replaced.

        A sum of rows may become a number: only what computes entry by entry takes that
        for an array, an index or a reshape does not.
        """
        if not isinstance(expr, Apply):
            return expr
        old = children(expr)
        new = [self._written(part) for part in old]
        if expr.op not in ARITHMETIC and expr.op not in SIGNED:
            of = self.facts.of
            new = [n if equal(of(n), of(o)) else o for n, o in zip(new, old)]
        if any(n is not o for n, o in zip(new, old)):
            expr = with_children(expr, new)
        return self._shorter(expr)

    def _shorter(self, node: Expr) -> Expr:
        if not isinstance(node, Apply):
            return node
        if node.op == FILLED and len(node.args) == 2:
            number = None if self.facts.rank(node.args[1]) == 0 else self._number(node)
            return (
                node if number is None else replace(node, args=(node.args[0], number))
            )
        if node.op == "numpy.sum" and len(node.args) == 1:
            return self._sum(node) or node
        return node

    def _sum(self, node: Apply) -> Expr | None:
        """The sum of rows, each of which has one entry beside a number."""
        said = dict(node.kwargs)
        if not said:
            return self._sum_of_part(node)
        if "axis" not in said or said.keys() - {"axis", "keepdims"}:
            return None
        if not is_static(said["axis"]):
            return None
        if static(said["axis"]) not in (1, -1):
            return None
        keeps = said.get("keepdims", Const(False))
        stored = self._value(node.args[0])
        if not _is_stored(stored) or not isinstance(keeps, Const):
            return None
        base, key, entries = stored.args
        if self.facts.rank(entries) == 1 and not isinstance(entries, Ref):
            return None
        count = self._one_each(base, key)
        if count is None or stored.op == "setitem" and count != Const(0):
            return None
        if keeps.value and self.facts.rank(entries) == 1:
            entries = getitem(entries, ROWS)
        return entries if count == Const(0) else add(count, entries)

    def _sum_of_part(self, node: Apply) -> Expr | None:
        """The sum of zeros with a part is that of the part."""
        whole = node.args[0]
        stored = self._value(whole)
        if not _is_stored(stored) or not isinstance(whole, Ref):
            return None
        base, key, entries = stored.args
        made = self._value(base)
        if not isinstance(made, Apply) or made.op != "numpy.zeros_like":
            return None
        is_mask = self.facts.kind(key) is Kind.BOOLEAN and self.facts.rank(key)
        if not is_mask and not is_basic(self.facts, key):
            return None
        if not isinstance(entries, Ref) and self.counted[whole.var] > 1:
            return None
        if not self.facts.rank(entries):
            return None
        place = self.facts.of(getitem(base, key))
        fits = equal(self.facts.of(entries), place)
        return replace(node, args=(entries,)) if fits else None

    def _one_each(self, base: Expr, key: Expr) -> Expr | None:
        """The sum of a row before each gets an entry; None where not each gets one."""
        dims = self.facts.of(base).dims
        if dims is None or len(dims) != 2 or dims[0].number == 1:
            return None
        places = key.args if isinstance(key, Apply) and key.op == "tuple" else ()
        if len(places) != 2 or self.facts.kind(places[1]) not in INTEGRAL:
            return None
        rows = self._value(places[0])
        if not isinstance(rows, Apply) or rows.op != "numpy.arange":
            return None
        if (
            len(rows.args) != 1
            or rows.kwargs
            or self.facts.dim(rows.args[0]) != dims[0]
        ):
            return None
        if self.facts.rank(places[1]) not in (0, 1):
            return None
        made = self._value(base)
        if not isinstance(made, Apply):
            return None
        if made.op == "numpy.zeros_like":
            return Const(0)
        if made.op != FILLED or self.facts.of(made.args[1]) != SCALAR:
            return None
        shape = Apply("numpy.shape", (made.args[0],), spelling="attribute:shape")
        return multiply(getitem(shape, 1), made.args[1])

    def _number(self, expr: Expr) -> Expr | None:
        """The number that every entry of an array is; None where they differ."""
        if self.facts.of(expr) == SCALAR:
            return expr
        expr = self._value(expr)
        if not isinstance(expr, Apply):
            return None
        if expr.op == FILLED and len(expr.args) == 2:
            return self._number(expr.args[1])
        if expr.op == "getitem" and _adds_axes(expr.args[1]):
            return self._number(expr.args[0])
        if expr.op in MULTIPLICATIVE or expr.op in SIGNED:
            parts = [self._number(part) for part in expr.args]
            if all(part is not None for part in parts) and not expr.kwargs:
                return with_children(expr, (part for part in parts if part is not None))
        return None

    def _value(self, expr: Expr) -> Expr:
        """What a variable is computed as."""
        return self.values.get(expr.var, expr) if isinstance(expr, Ref) else expr


def _summed(node: Expr) -> Var | None:
    """The variable whose sum an expression is."""
    if not isinstance(node, Apply) or node.op != "numpy.sum":
        return None
    first = node.args[0]
    return first.var if isinstance(first, Ref) else None


def _is_stored(value: Expr) -> bool:
    stores = isinstance(value, Apply) and value.op in STORES
    return stores and value.op in ("setitem", "additem") and len(value.args) == 3


def _is_filled(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op == FILLED


def _adds_axes(key: Expr) -> bool:
    """Whether an index is that of x[:, None]."""
    items = key.args if isinstance(key, Apply) and key.op == "tuple" else (key,)
    return all(item in (WHOLE, Const(None)) for item in items)
