"""Entries that are stored into zeros, and added to an array, are added to the array."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Stmt, Supply, Var
from gradgen.ir.operators import ADDITIVE, ARITHMETIC, add, negative, subtract
from gradgen.ir.walk import lets, reads, uses, with_blocks
from gradgen.shapes.infer import Facts
from gradgen.shapes.shape import SCALAR, equal
from gradgen.simplify.terms import shortest

FILLED = "numpy.full_like"


def scattered(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose gradient adds entries where they belong.

        before:  d_p = np.zeros_like(p)
                 d_p[np.arange(len(x)), labels] = -d_out
                 d_x = d_p + d_out / z_exp_sum * z_exp
        after:   d_x = d_out / z_exp.sum(axis=1, keepdims=True) * z_exp
                 d_x[np.arange(len(x)), labels] -= d_out

    So are entries beside a number, np.full_like(x, c), which is added as well. Only where
    nothing else reads the array of zeros, which has the whole shape (the adjoint of
    M.sum(axis=0)[k] is a row, stretched), and what it is added to is made there and
    then, in the whole shape.
    """
    every = lets(function.body)
    if not any(let.note.derived and _is_store(let.value) for let in every):
        return function
    found = _Scattered(uses(function), facts, supply)
    found.results = {
        one.value.var: one.of for one in function.results if isinstance(one.value, Ref)
    }
    body = found.block(function.body)
    return function if body == function.body else replace(function, body=body)


class _Scattered:
    def __init__(self, counted: Counter[Var], facts: Facts, supply: Supply) -> None:
        self.counted, self.facts, self.supply = counted, facts, supply
        # of a result: the argument that it is the gradient in
        self.results: dict[Var, Var] = {}

    def block(self, body: Iterable[Stmt]) -> tuple[Stmt, ...]:
        """A block; zeros and what is stored into them stand in it as well."""
        known: dict[Var, Expr] = {}
        done: list[Stmt] = []
        for stmt in body:
            stmt = with_blocks(stmt, self.block)
            if not isinstance(stmt, Let):
                known = {}
                done.append(stmt)
                continue
            pair = self._added(stmt, known) if stmt.note.derived else None
            done += [stmt] if pair is None else pair
            known[stmt.var] = stmt.value
        return tuple(done)

    def _added(self, let: Let, known: dict[Var, Expr]) -> list[Stmt] | None:
        """An array, and the entries that are added to it."""
        total = let.value
        if not isinstance(total, Apply) or total.op not in ADDITIVE:
            return None
        for at, one in enumerate(total.args):
            stored = self._entries(one, known)
            other = total.args[1 - at]
            minus = total.op == "numpy.subtract"
            if stored is None or not self._is_made(other, let):
                continue
            if not equal(self.facts.of(one), self.facts.of(total)):
                continue
            if set(reads(other)) & set(reads(one)):
                continue
            if minus and at == 0:
                other = shortest(negative(other), self.facts)
            number = self._number(stored)
            if number is not None:
                way = subtract if minus and at == 1 else add
                other = way(other, number)
            _, key, entries = stored.args
            of = self.results.get(let.var, let.var.of)
            name = self.supply.var(let.var.name, let.var.origin, of)
            self.facts.shapes[name] = self.facts.of(total)
            self.facts.kinds[name] = self.facts.kind(total)
            value = negative(entries) if minus and at == 1 else entries
            changed = Apply("additem", (Ref(name), key, value))
            return [Let(name, other, let.note), replace(let, value=changed)]
        return None

    def _entries(self, expr: Expr, known: dict[Var, Expr]) -> Apply | None:
        """The store of entries into zeros that a name stands for, read here alone."""
        value = self._alone(expr, known)
        if not isinstance(value, Apply) or not _is_store(value):
            return None
        made = self._alone(value.args[0], known)
        if not isinstance(made, Apply):
            return None
        if made.op == "numpy.zeros_like" and value.op == "setitem":
            return value
        if made.op != FILLED or value.op != "additem":
            return None
        if self.facts.of(made.args[1]) != SCALAR or len(made.args) != 2:
            return None
        return replace(value, args=(made, *value.args[1:]))

    def _number(self, stored: Apply) -> Expr | None:
        """The number that an array is filled with before entries are added to it."""
        made = stored.args[0]
        is_filled = isinstance(made, Apply) and made.op == FILLED
        return made.args[1] if isinstance(made, Apply) and is_filled else None

    def _alone(self, expr: Expr, known: dict[Var, Expr]) -> Expr | None:
        """What a name stands for that nothing else reads."""
        if not isinstance(expr, Ref) or self.counted[expr.var] != 1:
            return None
        return known.get(expr.var)

    def _is_made(self, expr: Expr, let: Let) -> bool:
        """Whether an expression gives a new array of the whole shape and dtype."""
        if not isinstance(expr, Apply) or expr.op not in ARITHMETIC:
            return False
        facts = self.facts
        alike = equal(facts.of(expr), facts.of(let.value)) and facts.rank(expr) != 0
        return alike and facts.kind(expr) is facts.kind(let.value)


def _is_store(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op in ("setitem", "additem")
