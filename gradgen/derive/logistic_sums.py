"""max(z, 0) + log1p(exp(-abs(z))) as one function, where second derivatives are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Var
from gradgen.ir.operators import ADDITIVE, call
from gradgen.ir.walk import lets, map_values, uses
from gradgen.shapes.infer import Facts

ZEROS = (Const(0), Const(0.0))


def logistic_sums(primal: Function, facts: Facts) -> tuple[Function, Facts]:
    """The function with np.logaddexp(0, z) for the two terms in which kinks cancel.

        before:  loss = np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z)))
        after:   loss = np.logaddexp(0, z) - z * y

    Each of the two has a kink at 0, whose second derivative no convention has; their
    sum has none, and bends there by 1/4: where weights are 0 at first, the whole
    Hessian would be 0.
    """
    counted = uses(primal)
    made = {let.var: let.value for let in lets(primal.body)}
    changed: dict[Var, Expr] = {}
    for let in lets(primal.body):
        terms = list(_terms(Ref(let.var), made, counted, False))
        for minus, one, around in terms:
            z = _positive_part(made.get(one.var))
            if z is None:
                continue
            for also, other, inside in terms:
                single = counted[one.var] == counted[other.var] == 1
                if minus != also or not single or _bend(other, made) != z:
                    continue
                for kept, left, holder in ((one, other, inside), (other, one, around)):
                    if holder is None:
                        continue
                    rest = _without(made[holder], left)
                    if rest is None or not facts.same(rest, left):
                        continue
                    if not {one.var, other.var, holder} & changed.keys():
                        changed[kept.var] = call("numpy.logaddexp", Const(0), z)
                        changed[holder] = rest
    if not changed:
        return primal, facts
    facts = facts.copy()
    facts.definitions |= changed
    return map_values(primal, lambda let: changed.get(let.var, let.value)), facts


def _terms(
    value: Expr, made: dict[Var, Expr], counted: Counter[Var], minus: bool
) -> Iterator[tuple[bool, Ref, Var | None]]:
    """The terms of a sum: whether one is subtracted, its name, and the sum it stands in."""
    expr = made.get(value.var) if isinstance(value, Ref) else None
    if not isinstance(expr, Apply) or expr.op not in ADDITIVE:
        return
    assert isinstance(value, Ref)
    for at, arg in enumerate(expr.args):
        sign = minus != (at == 1 and expr.op == "numpy.subtract")
        if isinstance(arg, Ref):
            inner = (
                list(_terms(arg, made, counted, sign)) if counted[arg.var] == 1 else []
            )
            under = made.get(arg.var)
            if not inner and isinstance(under, Apply) and under.op == "numpy.negative":
                first = under.args[0]
                if isinstance(first, Ref) and counted[arg.var] == 1:
                    inner = [(not sign, first, None)]  # -z + w
            yield from inner or [(sign, arg, value.var)]


def _without(value: Expr, term: Ref) -> Expr | None:
    """What is left of a sum of two without one; None of term - other."""
    if not isinstance(value, Apply) or len(value.args) != 2:
        return None
    left, right = value.args
    if right == term:
        return left
    return right if left == term and value.op == "numpy.add" else None


def _positive_part(value: Expr | None) -> Expr | None:
    """z of np.maximum(z, 0)."""
    if not isinstance(value, Apply) or value.op != "numpy.maximum" or value.kwargs:
        return None
    rest = [arg for arg in value.args if arg not in ZEROS]
    return rest[0] if len(rest) == 1 and len(value.args) == 2 else None


def _bend(value: Expr, made: dict[Var, Expr]) -> Expr | None:
    """z of np.log1p(np.exp(-np.abs(z)))."""
    power = _under(_under(value, "numpy.log1p", made), "numpy.exp", made)
    return _under(_under(power, "numpy.negative", made), "numpy.abs", made)


def _under(value: Expr | None, op: str, made: dict[Var, Expr]) -> Expr | None:
    """The argument of an operation, None of all others."""
    expr = made.get(value.var, value) if isinstance(value, Ref) else value
    if not isinstance(expr, Apply) or expr.op != op or len(expr.args) != 1:
        return None
    return expr.args[0]
