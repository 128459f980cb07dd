"""e / (1 + e) of an exponential that may overflow is 1 / (1 + 1 / e)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Origin, Ref, Role, Var
from gradgen.ir.operators import (
    ADDITIVE,
    ARITHMETIC,
    MULTIPLICATIVE,
    add,
    call,
    negative,
)
from gradgen.ir.walk import lets, map_values, rewrite, uses
from gradgen.shapes.infer import Facts
from gradgen.simplify.terms import shortest

EXP, ONE = "numpy.exp", Const(1)
ONES = ONE, Const(1.0)


def overflows(function: Function, facts: Facts) -> Function:
    """The function whose gradient has a logistic function that is finite everywhere.

        before:  e = np.exp(-z)
                 d_z = -d * (e / (1 + e))
        after:   e = np.exp(-z)
                 d_z = -d / (1 + np.exp(z))

    e is inf for large -z, and e / (1 + e) nan, where the slope of log(1 + exp(-z)) is 1.
    Where nothing else reads e, so that no second exponential is computed, and where the
    exponent loses a minus: z may be integers without a sign, of which -z is another one.
    """
    made = {
        let.var: let.value
        for let in lets(function.body)
        if let.note.role is Role.FORWARD and let.var.origin is Origin.TEMP
        if isinstance(let.value, Apply) and let.value.op == EXP and not let.value.kwargs
    }
    if not made:
        return function
    facts = facts.remembering()
    turned = {
        var: shortest(negative(getattr(value, "args")[0]), facts)
        for var, value in made.items()
    }
    sums = {
        let.var: let.value
        for let in lets(function.body)
        if let.note.role is Role.FORWARD and let.var.origin is Origin.TEMP
    }
    counted, met = uses(function), Counter[Var]()
    found: list[tuple[Var, Expr]] = []

    def note(node: Expr) -> Expr:
        var = _logistic(node, made, sums)
        if var is not None and isinstance(node, Apply):
            found.append((var, node.args[1]))
        return node

    for let in lets(function.body):
        if let.note.role is Role.GRAD:
            rewrite(let.value, note)
    below = Counter(one.var for _, one in found if isinstance(one, Ref))
    for var, one in found:
        # above, and below, in a line of its own once
        met[var] += 1 if isinstance(one, Ref) else 2
    for var, one in dict.fromkeys(found):
        if isinstance(one, Ref):
            met[var] += below[one.var] == counted[one.var]
    alone = {
        var for var in met if met[var] == counted[var] and not _has_minus(turned[var])
    }
    if not alone:
        return function

    def change(node: Expr) -> Expr:
        var = _logistic(node, made, sums)
        if var not in alone:
            return node
        assert isinstance(node, Apply) and var is not None
        below = add(ONE, call(EXP, turned[var]))
        above = _without(node.args[0], var)
        return replace(node, args=(ONE if above is None else above, below))

    def value(let: Let) -> Expr:
        if let.note.role is not Role.GRAD:
            return let.value
        changed = rewrite(let.value, change)
        return let.value if changed == let.value else shortest(changed, facts)

    return map_values(function, value)


def _logistic(
    node: Expr, made: Mapping[Var, Expr], sums: Mapping[Var, Expr]
) -> Var | None:
    """e of d * e / (1 + e)."""
    if not isinstance(node, Apply) or node.op != "numpy.divide":
        return None
    above, below = node.args
    below = sums.get(below.var, below) if isinstance(below, Ref) else below
    if not isinstance(below, Apply) or below.op != "numpy.add":
        return None
    for one, other in (below.args, below.args[::-1]):
        if one in ONES and isinstance(other, Ref) and other.var in made:
            return other.var if _has(above, other) else None
    return None


def _has_minus(expr: Expr) -> bool:
    """Whether something is subtracted in arithmetic, or negated."""
    if not isinstance(expr, Apply) or expr.op not in ARITHMETIC:
        return (
            isinstance(expr, Const)
            and not isinstance(expr.value, bool | str)
            and (bool(expr.value < 0))
        )
    minus = expr.op == "numpy.negative" or expr.op in ADDITIVE and ADDITIVE[expr.op] < 0
    return minus or any(map(_has_minus, expr.args))


def _has(product: Expr, factor: Ref) -> bool:
    """Whether a product has a factor, once."""
    if product == factor:
        return True
    if not isinstance(product, Apply) or product.op not in MULTIPLICATIVE:
        return False
    first, second = product.args
    return (
        _has(first, factor) or product.op == "numpy.multiply" and _has(second, factor)
    )


def _without(product: Expr, var: Var) -> Expr | None:
    """A product without one of its factors; None where that is all."""
    if product == Ref(var):
        return None
    assert isinstance(product, Apply)
    first, second = product.args
    if _has(first, Ref(var)):
        rest = _without(first, var)
        if rest is not None:
            return replace(product, args=(rest, second))
        return (
            replace(product, args=(ONE, second))
            if product.op == "numpy.divide"
            else second
        )
    rest = _without(second, var)
    return first if rest is None else replace(product, args=(first, rest))
