"""Convention C of what meets its own product: h @ W + h, d @ P * d."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradgen.facts.matrices import Step
from gradgen.facts.through import as_one_shape, factors_of, terms_of
from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Var
from gradgen.ir.operators import ADDITIVE, MATRIX_PRODUCTS, TOTALS
from gradgen.ir.upstream import upstream
from gradgen.ir.walk import lets
from gradgen.shapes.infer import Facts

LAST = (Const(1), Const(-1))


def own_products(primal: Function, facts: Facts) -> Iterator[Step]:
    """What multiplies an array, and is added to it, is a matrix: it keeps its axes.

    before:  x + np.tanh(x) @ w          np.sum(d @ p * d, axis=1)
    after:   x and d are matrices of rows, w and p are matrices

    With a vector w the product would be stretched along the rows of a square x. So it
    is with what a product is multiplied with, where the columns are summed.
    """
    for let in lets(primal.body):
        for parts in _met(let.value, facts):
            for part in parts:
                made = _made(part, facts)
                if made is None or made.op not in MATRIX_PRODUCTS:
                    continue
                others = [_arrays(one, facts) for one in parts if one is not part]
                # rows are on the left of their weights, a vector is behind a matrix
                for rank, (one, other) in ((2, made.args[:2]), (1, made.args[1::-1])):
                    arrays = _arrays(one, facts)
                    if _is_of(one, other, facts):  # f = A @ x; f - f @ x
                        continue
                    if isinstance(other, Ref) and arrays and arrays in others:
                        yield [(other.var, 2)]
                        if isinstance(one, Ref):
                            yield [(one.var, rank)]


def _met(value: Expr, facts: Facts) -> Iterator[Sequence[Expr]]:
    """The terms of a sum, or the factors of what is summed along its columns."""
    if not isinstance(value, Apply):
        return
    if value.op in ADDITIVE:
        yield list(upstream(value, facts.definitions, terms_of))
    axis = dict(value.kwargs).get("axis", (*value.args, None, None)[1])
    if value.op in TOTALS and axis in LAST:
        yield list(upstream(value.args[0], facts.definitions, factors_of))


def _made(value: Expr, facts: Facts) -> Apply | None:
    made = facts.definitions.get(value.var) if isinstance(value, Ref) else value
    return made if isinstance(made, Apply) else None


def _is_of(value: Expr, factor: Expr, facts: Facts) -> bool:
    """Whether a value is a product with what it is multiplied with again."""
    made, turned = _made(value, facts), _made(factor, facts)
    if turned is not None and turned.op == "numpy.transpose":
        factor = turned.args[0]
    return made is not None and made.op in MATRIX_PRODUCTS and factor in made.args


def _arrays(value: Expr, facts: Facts) -> set[Var]:
    """The arrays, of whatever rank, that a value is computed of entry by entry."""
    ends = upstream(value, facts.definitions, as_one_shape)
    rest = [one for one in ends if not isinstance(one, Const) and facts.rank(one) != 0]
    found = {one.var for one in rest if isinstance(one, Ref)}
    return found if len(found) == len(rest) else set()
