"""Convention C of scales: what matrices are multiplied with entry by entry are numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gradgen.facts.matrices import Step
from gradgen.facts.through import is_elementwise, of_entries
from gradgen.ir.nodes import Apply, Const, Expr, Function, Origin, Ref, Var
from gradgen.ir.operators import ADDITIVE
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets
from gradgen.rules.load import operations
from gradgen.shapes.infer import Facts
from gradgen.shapes.ranks import Ranks

# the shape word of np.eye and np.identity
UNIT = "square_of"


def scales(primal: Function, facts: Facts, ranks: Ranks) -> Iterator[Step]:
    """The factors of two matrices, and those of np.eye(n) that is added to one.

    before:  A = s * K + (noise + 1e-8) * np.eye(n)        # K is a matrix
             mean = s * Ks @ np.linalg.solve(A, y)         # Ks as well
    after:   s and noise are numbers

    By np.eye(n) alone a vector is multiplied as well, and a matrix with a vector. A gain
    of columns whose mean is taken off has an entry for each of them. So is t of (1 - t) * points[:-1] + t * points[1:], between parts of one array.
    """
    products = {
        let.var: let.value
        for let in lets(primal.body)
        if isinstance(let.value, Apply) and let.value.op == "numpy.multiply"
    }
    added = {
        arg
        for let in lets(primal.body)
        if isinstance(let.value, Apply) and let.value.op in ADDITIVE
        for arg in let.value.args
    }
    for let in lets(primal.body):
        value = let.value
        if isinstance(value, Apply) and value.op == "numpy.add":
            for one, other in (value.args, value.args[::-1]):
                yield from _between(one, other, products, facts)
    of: dict[Var, set[Expr]] = {}
    gains: set[Var] = set()
    for var, value in products.items():
        for one, other in (value.args, value.args[::-1]):
            if ranks.of(other) != {2}:
                continue
            if _is_unit(other, facts) and Ref(var) in added:
                yield [(name, 0) for name in _arguments(one, facts)]
            elif isinstance(one, Ref) and _is_lower(one.var):
                if _is_centred(other, facts):
                    gains.add(one.var)
                of.setdefault(one.var, set()).add(other)
    for var, matrices in of.items():
        if var not in gains and len(matrices) > 1 and len(ranks.of(Ref(var))) > 1:
            yield [(var, 0)]


def _is_unit(value: Expr, facts: Facts) -> bool:
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else None
    rule = operations().get(made.op) if isinstance(made, Apply) else None
    return rule is not None and getattr(rule.shape, "op", "") == UNIT


def _is_centred(value: Expr, facts: Facts) -> bool:
    """Whether a value is computed entry by entry of x less its means along an axis."""
    waiting, seen = [value], set()
    while waiting:
        one = waiting.pop()
        made = facts.definitions.get(one.var) if isinstance(one, Ref) else one
        if one in seen or not isinstance(made, Apply) or not is_elementwise(made):
            continue
        seen.add(one)
        waiting += made.args
        if made.op == "numpy.subtract" and isinstance(made.args[1], Ref):
            mean = facts.definitions.get(made.args[1].var)
            if isinstance(mean, Apply) and mean.op == "numpy.mean" and mean.kwargs:
                return True
    return False


def _between(
    one: Expr, other: Expr, products: Mapping[Var, Apply], facts: Facts
) -> Iterator[Step]:
    """t of t * a[1:] beside (1 - t) * a[:-1]."""
    sides = [products.get(x.var) if isinstance(x, Ref) else None for x in (one, other)]
    if sides[0] is None or sides[1] is None:
        return
    for t, part in (sides[0].args, sides[0].args[::-1]):
        for rest, second in (sides[1].args, sides[1].args[::-1]):
            made = facts.definitions.get(rest.var) if isinstance(rest, Ref) else None
            if getattr(made, "op", "") != "numpy.subtract" or not isinstance(t, Ref):
                continue
            if getattr(made, "args") == (Const(1), t) and _is_lower(t.var):
                base = _whole(part, facts)
                if base is not None and base == _whole(second, facts):
                    yield [(t.var, 0)]


def _whole(part: Expr, facts: Facts) -> Expr | None:
    """What a part was taken of."""
    made = facts.definitions.get(part.var) if isinstance(part, Ref) else None
    is_part = isinstance(made, Apply) and made.op == "getitem"
    return getattr(made, "args")[0] if is_part else None


def _arguments(value: Expr, facts: Facts) -> list[Var]:
    """The arguments of which a value is computed entry by entry; none if of others."""
    ends = upstream(value, facts.definitions, of_entries)
    read = [end.var for end in ends if isinstance(end, Ref)]
    params = [var for var in read if var.origin is Origin.PARAM]
    return [v for v in params if facts.shapes[v].rank is None and _is_lower(v)]


def _is_lower(var: Var) -> bool:
    return var.origin is Origin.PARAM and var.name.islower()
