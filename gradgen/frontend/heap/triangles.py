"""Functions that read one triangle of a matrix, of a matrix that was put together.

np.linalg.eigh and its like read one triangle, and their rules take the matrix for
symmetric: what flows back goes to both triangles. A matrix whose entries were written
one by one may hold something else, or nothing, in the other triangle:

    K = np.array([[a, 0.0], [b, c]])
    w = np.linalg.eigvalsh(K)    # b counts twice

It is read as np.tril(K) + np.tril(K, -1).T: the same value, to the bit, and the right
gradient, whether K is symmetric or not. Where K is complex, the other triangle is the
conjugate one.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from gradgen.frontend.lowering.lowering import Lowering
from gradgen.ir.nodes import Apply, Const, Expr, Origin, Ref
from gradgen.ir.operators import OF_SEQUENCE, STORES

# which keyword says which triangle, and what it is for the lower one; the default
READ: dict[str, tuple[str, tuple[object, ...], object]] = {
    "numpy.linalg.eigh": ("UPLO", ("L", "l"), "L"),
    "numpy.linalg.eigvalsh": ("UPLO", ("L", "l"), "L"),
    "numpy.linalg.cholesky": ("upper", (False,), False),
    "scipy.linalg.cholesky": ("lower", (True,), False),
    "scipy.linalg.cho_factor": ("lower", (True,), False),
}
# what makes an array of other arrays entry by entry, or in another order
THROUGH = tuple(
    f"numpy.{name}"
    for name in (
        "add subtract multiply divide negative positive astype asarray array copy "
        "transpose where reshape"
    ).split()
) + ("getitem",)
ONE_SIDED = ("numpy.tril", "numpy.triu", *STORES)
DEEP = 12  # so many definitions are looked through


def of_one_triangle(lowering: Lowering, value: Apply, node: gast.AST | None) -> Apply:
    """The operation, of the matrix that it reads."""
    if value.op not in READ or not value.args:
        return value
    matrix, lower = value.args[0], _is_lower(value)
    if lower is None or not _put_together(
        lowering, lowering.current(matrix, node), DEEP
    ):
        return value
    word = "numpy.tril" if lower else "numpy.triu"
    half = lowering.bind(Apply(word, (matrix,)), node)
    rest = lowering.bind(Apply(word, (matrix, Const(-1 if lower else 1))), node)
    if lowering.facts.rank(matrix) == 2:
        turned = Apply("numpy.transpose", (rest,), (), "attribute:T")
    else:
        turned = Apply("numpy.swapaxes", (rest, Const(-1), Const(-2)))
    # a conjugate of what turns out to be real is left out
    turned = Apply("numpy.conj", (lowering.bind(turned, node),))
    both = (half, lowering.bind(turned, node))
    whole = lowering.bind(Apply("numpy.add", both, (), "operator"), node)
    return replace(value, args=(whole, *value.args[1:]))


def _is_lower(value: Apply) -> bool | None:
    """Whether the lower triangle is read; None where that is not known."""
    word, lower, default = READ[value.op]
    told = value.args[1] if len(value.args) > 1 else dict(value.kwargs).get(word)
    if told is None:
        return default in lower
    return told.value in lower if isinstance(told, Const) else None


def _put_together(lowering: Lowering, expr: Expr, steps: int) -> bool:
    """Whether the two triangles may have been written apart."""
    if isinstance(expr, Ref):
        found = lowering.facts.definitions.get(expr.var)
        if found is None:  # a loop's result, or a branch's: perhaps stored into
            return expr.var.origin is not Origin.PARAM
        return steps == 0 or _put_together(lowering, found, steps - 1)
    if not isinstance(expr, Apply):
        return False
    if expr.op in ONE_SIDED:
        return True
    if expr.op in OF_SEQUENCE and expr.args:
        rows = _rows(lowering, expr.args[0])
        if rows is not None:
            return not _symmetric(lowering, rows)
    if expr.op in THROUGH:
        return any(_put_together(lowering, arg, steps) for arg in expr.args)
    return False


def _rows(lowering: Lowering, expr: Expr) -> list[tuple[Expr, ...]] | None:
    """The rows of a matrix that is written out."""
    listed = _listed(lowering, expr)
    if listed is None:
        return None
    rows = [_listed(lowering, row) for row in listed]
    return [row for row in rows if row is not None] if None not in rows else None


def _listed(lowering: Lowering, expr: Expr) -> tuple[Expr, ...] | None:
    if isinstance(expr, Ref):
        expr = lowering.facts.definitions.get(expr.var, expr)
    if isinstance(expr, Apply) and expr.op in ("list", "tuple"):
        return expr.args
    return None


def _symmetric(lowering: Lowering, rows: list[tuple[Expr, ...]]) -> bool:
    n = len(rows)
    return all(len(row) == n for row in rows) and all(
        _spelled(lowering, rows[i][j], DEEP) == _spelled(lowering, rows[j][i], DEEP)
        for i in range(n)
        for j in range(i)
    )


def _spelled(lowering: Lowering, expr: Expr, steps: int) -> Expr:
    """An entry by what it is made of, so that the same reads are equal."""
    if isinstance(expr, Ref) and steps and expr.var in lowering.facts.definitions:
        return _spelled(lowering, lowering.facts.definitions[expr.var], steps - 1)
    if isinstance(expr, Apply):
        return replace(
            expr, args=tuple(_spelled(lowering, a, steps) for a in expr.args)
        )
    return expr
