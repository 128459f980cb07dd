"""Quotients of exponentials in products: what stays in range where e overflows."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE, add, divide, subtract
from gradgen.ir.walk import reads
from gradgen.shapes.infer import Facts
from gradgen.simplify.monomials import Monomial


def with_bounded(monomial: Monomial, facts: Facts) -> Monomial:
    """The product without quotients whose parts overflow where they do not."""
    monomial = with_tangents(with_complements(monomial, facts), facts)
    return with_shares(monomial, facts)


def with_complements(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with 1 - z for e / (1 + e), where it has z = 1 / (1 + e) as well.

    The slope of a logistic function: z * (1 - z) is a number where e overflows. So is
    z * (1 - 1 / t) with z = n / t and t = 1 + e, and z * (1 + 1 / t) with t = e - 1.
    Not where n depends on e: e / (1 + e) may be a small number that counts.
    """
    for one in monomial.numerators:
        z = _defined(one, facts)
        if not _is(z, "numpy.divide"):
            continue
        below, total = z.args[1], _defined(z.args[1], facts)
        factor = next(
            (f for f in monomial.denominators if f.base in (below, total)), None
        )
        if factor is None:
            continue
        for e in monomial.numerators:
            rest = _rest(total, e, facts)
            if rest is None:
                continue
            share: Expr
            if _is_one(z.args[0]) and rest == 1 and facts.same(one, e):
                share = subtract(Const(1), one)
            elif _may_be_written(z, e, facts):
                share = _share(rest, below)
            else:
                continue
            above, left = list(monomial.numerators), list(monomial.denominators)
            above[above.index(e)] = share
            left.remove(factor)
            return replace(monomial, numerators=tuple(above), denominators=tuple(left))
    return monomial


def _rest(total: Expr, e: Expr, facts: Facts) -> int | None:
    """1 of 1 + e, -1 of e - 1 and of the e = t + 1 of t = expm1(u), 0 of 1 - e; else None."""
    if _is(total, "numpy.expm1"):
        own = _less_one(e)
        return -1 if own is not None and _defined(own, facts) == total else None
    if _is(total, "numpy.add"):
        return 1 if _less_one(total) == e else None
    if _is(total, "numpy.subtract"):
        if _is_one(total.args[1]):
            return -1 if total.args[0] == e else None
        return 0 if _is_one(total.args[0]) and total.args[1] == e else None
    return None


def _less_one(total: Expr) -> Expr | None:
    """x of 1 + x and x + 1."""
    if not _is(total, "numpy.add") or not any(map(_is_one, total.args)):
        return None
    return total.args[1] if _is_one(total.args[0]) else total.args[0]


def _share(rest: int, total: Expr) -> Expr:
    """e / (1 + e), e / (e - 1) and, where `rest` is 0, e / (1 - e)."""
    part = divide(Const(1), total)
    if rest == 0:
        return subtract(part, Const(1))
    return subtract(Const(1), part) if rest == 1 else add(Const(1), part)


def _may_be_written(z: Apply, e: Expr, facts: Facts) -> bool:
    """Whether e may overflow, has the shape of z's t, and is not in what z divides."""
    power = e if isinstance(e, Ref) else _less_one(e)
    if not isinstance(power, Ref) or not facts.same(z.args[1], e):
        return False
    known = is_exponential(power.var, facts) or not isinstance(e, Ref)
    return known and power.var not in _all(z.args[0], facts)


def is_exponential(var: Var, facts: Facts) -> bool:
    """Whether a variable is a power of e."""
    return facts.visible(var) and _is(facts.definitions.get(var, Ref(var)), "numpy.exp")


def _all(expr: Expr, facts: Facts) -> set[Var]:
    """What a value is computed from."""
    found: set[Var] = set()
    waiting = list(reads(expr))
    while waiting:
        var = waiting.pop()
        if var not in found:
            found.add(var)
            waiting += reads(facts.definitions.get(var, Const(0)))
    return found


def with_tangents(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with tanh(u) for sinh(u) / cosh(u), both of which overflow."""
    for one in monomial.numerators:
        sinh = _defined(one, facts)
        if not _is(sinh, "numpy.sinh"):
            continue
        for factor in monomial.denominators:
            cosh = _defined(factor.base, facts)
            if _is(cosh, "numpy.cosh") and _alike(cosh.args[0], sinh.args[0], facts):
                above, left = list(monomial.numerators), list(monomial.denominators)
                above[above.index(one)] = replace(sinh, op="numpy.tanh", spelling="")
                left.remove(factor)
                return replace(
                    monomial, numerators=tuple(above), denominators=tuple(left)
                )
    return monomial


def with_shares(monomial: Monomial, facts: Facts) -> Monomial:
    """The product with e / (1 + e) in brackets beside others, which may make e overflow.

    before:  k * e / (1 + e)        d_p * e / np.sum(e)
    after:   k * (e / (1 + e))      d_p * (e / np.sum(e))

    Beside a seed alone, which is 1 as a rule, it stays as it is, and so does an e of
    what its own maximum was taken from, as softmax has it: it is at most 1.
    """
    for e in monomial.numerators:
        others = [one for one in monomial.numerators if one is not e]
        if all(map(_is_seed, others)) and abs(monomial.coefficient) <= 1:
            continue
        power = _defined(e, facts)
        if not _is(power, "numpy.exp") or _is_shifted(power.args[0], facts):
            continue
        for factor in monomial.denominators:
            total = _defined(factor.base, facts)
            inside = isinstance(total, Apply) and total.op in (*ADDITIVE, "numpy.sum")
            if inside and e in total.args:
                left = list(monomial.denominators)
                left.remove(factor)
                above = tuple(
                    divide(e, factor.base) if one is e else one
                    for one in monomial.numerators
                )
                return Monomial(monomial.coefficient, above, tuple(left))
    return monomial


def _is_shifted(expr: Expr, facts: Facts) -> bool:
    """Whether a value is a - np.max(a), which is at most 0."""
    found = _defined(expr, facts)
    if not _is(found, "numpy.subtract"):
        return False
    a, top = found.args[0], _defined(found.args[1], facts)
    return isinstance(top, Apply) and top.op == "numpy.max" and top.args[0] == a


def _is_seed(expr: Expr) -> bool:
    return isinstance(expr, Ref) and expr.var.origin is Origin.SEED


def _alike(one: Expr, other: Expr, facts: Facts) -> bool:
    return one == other or _defined(one, facts) == _defined(other, facts)


def _defined(expr: Expr, facts: Facts) -> Expr:
    """What a variable is computed from, where it can be read."""
    if isinstance(expr, Ref) and facts.visible(expr.var):
        return facts.definitions.get(expr.var, expr)
    return expr


def _is_one(expr: Expr) -> bool:
    return (
        isinstance(expr, Const) and type(expr.value) in (int, float) and expr.value == 1
    )


def _is(expr: Expr, op: str) -> TypeGuard[Apply]:
    return isinstance(expr, Apply) and expr.op == op and not expr.kwargs
