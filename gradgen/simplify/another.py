"""Another variable for a value, and what is known to be zero."""

from __future__ import annotations

from collections.abc import Iterable

from gradgen.ir.nodes import Apply, Const, Expr, Let, Ref, Stmt, Supply, Var
from gradgen.shapes.infer import Facts
from gradgen.shapes.kinds import Kind

NOTHING = (Const(0), Const(0.0))


def another(var: Var, supply: Supply, facts: Facts) -> Var:
    """Another variable of the same name, of which the same is known."""
    new = supply.var(var.name, var.origin, var.of, var.order)
    if var in facts.shapes:
        facts.shapes[new], facts.kinds[new] = facts.shapes[var], facts.kinds[var]
    if var in facts.complexes:
        facts.complexes.add(new)
    if var in facts.unset:
        facts.unset.add(new)
    return new


def is_zero(value: Expr, arm: Iterable[Stmt]) -> bool:
    """Whether a value is 0, or an array of zeros that its arm makes."""
    if isinstance(value, Ref):
        own = (s.value for s in arm if isinstance(s, Let) and s.var == value.var)
        value = next(own, value)
    return value in NOTHING or (
        isinstance(value, Apply) and value.op == "numpy.zeros_like"
    )


def is_alike(one: Expr, other: Expr, facts: Facts) -> bool:
    """Whether a floating term has the shape of the whole sum.

    What it is cast to at the end is the same, where that is of float64.
    """
    same = facts.same(one, other) and facts.kind(one) > Kind.INTEGER
    return same and facts.is_complex(one) == facts.is_complex(other)
