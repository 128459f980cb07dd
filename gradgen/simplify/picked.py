"""Entries that are divided by what they were picked of, which multiplies them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Ref, Var
from gradgen.ir.operators import ADDITIVE, multiply
from gradgen.ir.walk import children, lets, reads, reads_of, subexpressions
from gradgen.ir.walk import uses, with_children
from gradgen.shapes.infer import Facts


class _Left(Exception):
    """An array of entries is read where the quotient does not cancel."""


def picked(function: Function, facts: Facts) -> Function:
    """The function whose gradient divides no picked entries by what multiplies them.

        before:  d_p[rows, y] = -d_out / p[rows, y]
                 d_z = p * (d_p - np.sum(d_p * p, axis=1, keepdims=True))
        after:   d_z = d_out * p
                 d_z[rows, y] -= d_out

    d_p was zeros; it is the adjoint of np.log(p) now, and rows with one entry each have
    that for their sums. So it is where the array is read by one statement alone, in
    products with p.
    """
    counted = uses(function)
    made = {let.var: let.value for let in lets(function.body)}
    body = list(function.body)
    for at, let in enumerate(body):
        if not isinstance(let, Let) or not let.note.derived:
            continue
        found = _quotient(let.value, made, counted)
        if found is None:
            continue
        entries, whole = found
        readers = [i for i, stmt in enumerate(body) if let.var in reads_of(stmt)]
        reader = body[readers[0]] if len(readers) == 1 else None
        if not isinstance(reader, Let) or let.var in _returned(function):
            continue
        if not facts.same(Ref(let.var), whole):
            continue
        try:
            value = _Products(let.var, whole).closed(reader.value)
        except _Left:
            continue
        assert isinstance(let.value, Apply)
        stored = replace(let.value, args=(*let.value.args[:2], entries))
        body[at] = replace(let, value=stored)
        body[readers[0]] = replace(reader, value=value)
        for one in (body[at], body[readers[0]]):
            assert isinstance(one, Let)
            facts.learn(one)
    after = tuple(body)
    return function if after == function.body else replace(function, body=after)


def _quotient(
    value: Expr, made: Mapping[Var, Expr], counted: Counter[Var]
) -> tuple[Expr, Ref] | None:
    """Entries c of a store of c / p[key] at the same key of zeros, and p."""
    if not isinstance(value, Apply) or value.op != "setitem":
        return None
    base, key, entries = value.args
    zeros = made.get(base.var) if isinstance(base, Ref) else None
    if not isinstance(zeros, Apply) or zeros.op != "numpy.zeros_like":
        return None
    if isinstance(entries, Ref) and counted[entries.var] == 1:
        entries = made.get(entries.var, entries)
    if not isinstance(entries, Apply) or entries.op != "numpy.divide":
        return None
    above, below = entries.args
    part = made.get(below.var) if isinstance(below, Ref) else below
    if not isinstance(part, Apply) or part.op != "getitem" or part.args[1] != key:
        return None
    whole = part.args[0]
    return (above, whole) if isinstance(whole, Ref) else None


class _Products:
    """An expression in which a variable stands for its product with another one."""

    def __init__(self, var: Var, factor: Ref) -> None:
        self.one, self.factor = Ref(var), factor

    def closed(self, expr: Expr) -> Expr:
        """An expression that reads the variable in products with the factor alone."""
        if expr == self.one:
            raise _Left
        if not isinstance(expr, Apply) or self.one.var not in reads(expr):
            return expr
        if expr.op == "numpy.multiply" and self.factor in expr.args:
            at = expr.args.index(self.factor)
            return self.times(expr.args[1 - at])
        return with_children(expr, map(self.closed, children(expr)))

    def times(self, expr: Expr) -> Expr:
        """An expression times the factor."""
        if expr == self.one:
            return expr
        if isinstance(expr, Apply) and expr.op in ADDITIVE:
            if any(self.one in subexpressions(arg) for arg in expr.args):
                return with_children(expr, map(self.times, expr.args))
        return multiply(self.factor, self.closed(expr))


def _returned(function: Function) -> set[Var]:
    found = {var for one in function.results for var in reads(one.value)}
    return found | {var for value in function.values for var in reads(value)}
