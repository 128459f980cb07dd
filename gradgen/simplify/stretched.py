"""Sums of products that are stretched to be summed: einsum makes no array of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from gradgen.ir.nodes import Apply, Const, Expr, Function, Let, Ref, Stmt, Var
from gradgen.ir.operators import call, getitem, lift, matmul
from gradgen.ir.walk import map_values, reads, rewrite, substitute, uses, with_blocks
from gradgen.shapes.certain import dims_of, is_floating
from gradgen.shapes.infer import Facts
from gradgen.simplify.contracted import LETTERS, axes_of
from gradgen.simplify.monomials import Monomial, build
from gradgen.simplify.normal import Normal
from gradgen.simplify.terms import shortest

# A product of matrices says it of fewer axes.
AXES = 3


def stretched(function: Function, facts: Facts) -> Function:
    """The function whose gradient stretches no array to sum it along its own axes.

        before:  d_gaps = -d_w[:, :, None] * gaps
                 d_x = np.sum(d_gaps, axis=1)
                 d_scale = np.sum(d_gaps * gaps, axis=0)
        after:   d_x = -(d_w[:, None] @ gaps)[:, 0]
                 d_scale = -np.einsum("ij,ijk->jk", d_w, gaps**2)

    The last axis is not summed, so that the terms are added in the order of np.sum. Each
    row by a matrix of its own is a product of matrices, which takes a seventh of the time
    of einsum where there are hundreds of rows.
    """
    facts = facts.remembering()
    forms = Normal(facts)
    function = map_values(function, lambda let: _value(let, {}, forms, True))
    body = _without(function.body, function, forms)
    return function if body == function.body else replace(function, body=body)


def _without(
    source: Iterable[Stmt], function: Function, forms: Normal
) -> tuple[Stmt, ...]:
    """A block without the products that only such sums read."""
    body = [
        with_blocks(stmt, lambda b: _without(b, function, forms)) for stmt in source
    ]
    counted = uses(function)
    for let in list(body):
        if not isinstance(let, Let) or not let.note.derived:
            continue
        if not _is_stretched_product(let.value, forms):
            continue
        once = counted[let.var] == 1
        values = {let.var: let.value}
        new = [
            replace(stmt, value=_value(stmt, values, forms, once))
            if isinstance(stmt, Let) and let.var in reads(stmt.value)
            else stmt
            for stmt in body
        ]
        before, after = (_counted(some, let.var) for some in (body, new))
        if before == counted[let.var] and before and not after:
            body = [
                stmt
                for stmt in new
                if not (isinstance(stmt, Let) and stmt.var == let.var)
            ]
    return tuple(body)


def _counted(body: Iterable[Stmt], var: Var) -> int:
    return sum(reads(stmt.value).count(var) for stmt in body if isinstance(stmt, Let))


def _is_stretched_product(expr: Expr, forms: Normal) -> bool:
    """Whether a value is a product with an array that has no axis where it has."""
    rank = len(dims_of(expr, forms.facts) or ())
    term = forms.product(expr) if rank >= AXES else None
    return term is not None and any(
        _base(one, rank, forms.facts) for one in term.numerators
    )


def _value(let: Let, values: Mapping[Var, Expr], forms: Normal, anything: bool) -> Expr:
    if not let.note.derived:
        return let.value
    value = rewrite(let.value, lambda node: _product(node, values, forms, anything))
    return value if value == let.value else shortest(value, forms.facts)


def _product(
    node: Expr, values: Mapping[Var, Expr], forms: Normal, anything: bool
) -> Expr:
    """A sum of a stretched product by einsum; what is stretched is a name or anything."""
    facts = forms.facts
    if not isinstance(node, Apply) or node.op != "numpy.sum" or len(node.args) != 1:
        return node
    inner = node.args[0]
    rank = len(dims_of(inner, facts) or ())
    axes = axes_of(dict(node.kwargs).get("axis"), rank)
    if not AXES <= rank <= len(LETTERS) or [name for name, _ in node.kwargs] != [
        "axis"
    ]:
        return node
    term = forms.product(substitute(inner, values))
    if axes is None or term is None or rank - 1 in axes:
        return node
    front, small, large = (_part(term, which, rank, facts) for which in range(3))
    if not small.numerators or not large.numerators:
        return node
    ours = {len(dims_of(one, facts) or ()) for one in small.numerators}
    own = ours.pop()
    if ours or any(axis >= own for axis in axes):
        return node
    left, right = build(small, facts), build(large, facts)
    if not anything and not isinstance(left, Ref):
        return node
    if not all(is_floating(one, facts) for one in (left, right)):
        return node
    whole = dims_of(inner, facts)
    if (
        whole is None
        or dims_of(right, facts) != whole
        or dims_of(left, facts) != whole[:own]
    ):
        return node
    summed = _summed(left, right, own, rank, axes)
    total = build(front.times(Monomial(Fraction(1), (summed,))), facts)
    return total if dims_of(total, facts) == dims_of(node, facts) else node


def _summed(left: Expr, right: Expr, own: int, rank: int, axes: list[int]) -> Expr:
    """The sum of left, stretched behind its axes, times right; rows by matrices by BLAS."""
    if own == rank - 1 and axes == [own - 1]:
        lead = (slice(None),) * (own - 1)
        return getitem(matmul(getitem(left, (*lead, None)), right), (*lead, 0))
    letters = LETTERS[:rank]
    kept = "".join(one for at, one in enumerate(letters) if at not in axes)
    names = Const(f"{letters[:own]},{letters}->{kept}")
    return call("numpy.einsum", names, left, right)


def _part(term: Monomial, which: int, rank: int, facts: Facts) -> Monomial:
    """The numbers of a product, what it stretches behind its axes, or the other arrays."""
    above, below = [], []
    for base in term.numerators:
        inner = _base(base, rank, facts)
        kind = 0 if facts.rank(base) == 0 else 2 if inner is None else 1
        if kind == which:
            above.append(base if inner is None else inner)
    for factor in term.denominators:
        inner = _base(factor.base, rank, facts)
        kind = 0 if facts.rank(factor.base) == 0 else 2 if inner is None else 1
        if kind == which:
            below.append(factor if inner is None else replace(factor, base=inner))
    number = term.coefficient if which == 0 else Fraction(1)
    return Monomial(number, tuple(above), tuple(below))


def _base(expr: Expr, rank: int, facts: Facts) -> Expr | None:
    """w of w[:, :, None], where that has so many axes."""
    if not isinstance(expr, Apply) or expr.op != "getitem":
        return None
    own = facts.rank(expr.args[0])
    if own is None or not 1 <= own < rank:
        return None
    key = lift((slice(None),) * own + (None,) * (rank - own))
    return expr.args[0] if expr.args[1] == key else None
