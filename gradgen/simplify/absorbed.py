"""Products that the user has named are read again in larger ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from gradgen.ir.nodes import Apply, Expr, Function, Let, Loop, Origin, Role, Stmt, Var
from gradgen.ir.operators import STORES
from gradgen.ir.walk import (
    defined_inside,
    lets,
    reads,
    reads_of,
    with_located,
)
from gradgen.shapes.infer import Facts
from gradgen.simplify.in_order import in_order
from gradgen.simplify.cost import cost
from gradgen.simplify.counts import is_counted, may_be_whole
from gradgen.simplify.normal import Normal

Products = dict[Var, tuple[Expr, ...]]


def absorbed(function: Function, facts: Facts) -> Function:
    """The function whose gradient multiplies by what the user has multiplied already.

        before:  z = gap * rate
                 d_x = d_z * rate
                 d_u = np.sum(d_z * gap * x, axis=0) * rate
        after:   z = gap * rate
                 d_x = d_z * rate
                 d_u = np.sum(d_z * x * z, axis=0)

    Only where that is less work, of what is computed anyway and never stored into. A
    loop of the gradient reads no more of the primal's round than before: that is kept.
    """
    facts = facts.remembering()
    body = tuple(_block(function.body, (), facts, _products(function, facts)))
    return function if body == function.body else replace(function, body=body)


def _products(function: Function, facts: Facts) -> Products:
    """The factors of the products that the user has named."""
    forms, found = Normal(facts), {}
    stored: set[Var] = set()
    for let in lets(function.body):
        value = let.value
        if not isinstance(value, Apply):
            continue
        if value.op in STORES:
            stored.update(reads(value.args[0]))
        if let.note.derived or let.var.origin is not Origin.USER:
            continue
        if value.op != "numpy.multiply" or value.spelling != "operator":
            continue
        if is_counted(value, facts) or may_be_whole(value, facts):
            continue
        factors = forms.factors(value)
        if len(factors) > 1:
            found[let.var] = factors
    return {var: factors for var, factors in found.items() if var not in stored}


def _block(
    source: Iterable[Stmt], path: tuple[object, ...], facts: Facts, named: Products
) -> Iterator[Stmt]:
    for stmt, here in in_order(source, facts, path):
        if not isinstance(stmt, Let):
            new = with_located(stmt, path, partial(_block, facts=here, named=named))
            yield new if _kept(new, facts) <= _kept(stmt, facts) else stmt
        elif stmt.note.derived and isinstance(stmt.value, Apply):
            yield _shorter(stmt, here, named)
        else:
            yield stmt


def _kept(stmt: Stmt, facts: Facts) -> int:
    """How much a loop of the gradient reads of what a round of the primal computes."""
    if not isinstance(stmt, Loop) or stmt.note.role is not Role.GRAD:
        return 0
    own = set(defined_inside(stmt))
    read = set(reads_of(stmt)) - own
    return sum(1 for var in read if (stmt.mark, None) in facts.homes.get(var, ()))


def _shorter(let: Let, facts: Facts, named: Products) -> Let:
    """The statement with products that are there, where that is less work."""
    read = set(reads(let.value))
    may = {
        var: factors
        for var, factors in named.items()
        if facts.visible(var) and read.issuperset(v for f in factors for v in reads(f))
    }
    if not may:
        return let
    value = Normal(facts, may).normal(let.value)
    if not set(reads(value)) & may.keys():
        return let
    return (
        replace(let, value=value)
        if cost(value, facts) < cost(let.value, facts)
        else let
    )
