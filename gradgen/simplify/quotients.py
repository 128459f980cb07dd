"""Quotients that the gradient has named are read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gradgen.ir.nodes import Apply, Expr, Function, Let, Origin, Ref, Stmt, Var
from gradgen.ir.walk import reads, with_located
from gradgen.shapes.infer import Facts
from gradgen.simplify.cost import cost
from gradgen.simplify.terms import shortest

Named = dict[tuple[Expr, Expr], Var]


def quotients(function: Function, facts: Facts) -> Function:
    """The function whose gradient divides once by what it divides by twice.

        before:  d_y = d_z / S
                 d_s = -d_z * R / S
        after:   d_y = d_z / S
                 d_s = -d_y * R

    So is what a quotient hands to its denominator: z = y / s gives d_s = -d_y * z. A
    number that has a name stays what it is where it is divided by another such.
    """
    facts = facts.remembering()
    body = tuple(_block(function.body, facts, {}, ()))
    return function if body == function.body else replace(function, body=body)


def _block(
    source: Iterable[Stmt], facts: Facts, outer: Named, path: tuple[object, ...]
) -> Iterator[Stmt]:
    named = dict(outer)
    for stmt in source:
        if not isinstance(stmt, Let):
            yield with_located(stmt, path, lambda b, p: _block(b, facts, named, p))
            continue
        if stmt.note.derived:
            stmt = _shorter(stmt, facts.within(path), named)
            value = stmt.value
            if isinstance(value, Apply) and value.op == "numpy.divide":
                one, other = value.args
                if _is_work(value, facts):
                    named.setdefault((one, other), stmt.var)
        yield stmt


def _is_work(value: Apply, facts: Facts) -> bool:
    """Whether a quotient is more than one number with a name over another one."""
    given = (Origin.PARAM, Origin.SEED, Origin.USER, Origin.ADJOINT)
    named = (isinstance(arg, Ref) and arg.var.origin in given for arg in value.args)
    return facts.rank(value) != 0 or not all(named)


def _shorter(let: Let, facts: Facts, named: Named) -> Let:
    """The statement with quotients of names that are there, where that is less work."""
    read = set(reads(let.value))
    may = [pair for pair in named if all(read.issuperset(reads(one)) for one in pair)]
    may = [pair for pair in may if reads(pair[0])]
    if not may or not isinstance(let.value, Apply):
        return let
    facts.quotients = {**facts.quotients, **{pair: named[pair] for pair in may}}
    value = shortest(let.value, facts)
    gains = {named[pair] for pair in may} & set(reads(value))
    if not gains or cost(value, facts) >= cost(let.value, facts):
        return let
    return replace(let, value=value)
