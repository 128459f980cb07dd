"""The shape words of decompositions: the factors of an m by n matrix, or a stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradgen.ir.nodes import Apply, Const, Expr
from gradgen.ir.walk import static
from gradgen.shapes.dims import Dim
from gradgen.shapes.shape import SCALAR, Dropped, Shape, ShapeConflict, ranked

if TYPE_CHECKING:
    from gradgen.shapes.infer import Facts

# the full_matrices of svd, and the modes of qr
WHOLE = (True, "complete")
FORMS = (False, "reduced", *WHOLE)


def _least(m: Dim, n: Dim) -> Dim:
    """min(m, n), under a name of its own where neither is known to be it."""
    if m == n:
        return m
    if m.number is not None and n.number is not None:
        return Dim.of(min(m.number, n.number))
    return Dim.of(f"?min({m}, {n})")


def _pair(dims: tuple[Dim, ...]) -> tuple[Dim, Dim]:
    """The last two axes. Raises ShapeConflict where there are fewer."""
    if len(dims) < 2:
        raise ShapeConflict("there is no axis -2")
    return dims[-2], dims[-1]


def of_matrices(facts: Facts, a: Expr) -> Shape:
    """The shape of an array that has two axes at least: eigenvectors."""
    shape = facts.of(a)
    if shape.dims is not None:
        _pair(shape.dims)
    return shape


def factor_values(facts: Facts, a: Expr) -> Shape:
    """The singular values: one for each of the shorter of the last two axes."""
    dims = facts.of(a).dims
    if dims is None:
        return Shape(frozenset([Dropped(facts.of(a), ("shorter",))]))
    return ranked(*dims[:-2], _least(*_pair(dims)))


def left_factor(facts: Facts, a: Expr, full: Expr = Const(False)) -> Shape:
    """The left factor, m by min(m, n); in full, or complete, m by m."""
    dims = facts.of(a).dims
    if dims is None or static(full) not in FORMS:
        return facts.fresh()
    m, n = _pair(dims)
    return ranked(*dims[:-1], m if static(full) in WHOLE else _least(m, n))


def right_factor(facts: Facts, a: Expr, full: Expr = Const(False)) -> Shape:
    """The right factor, min(m, n) by n; in full n by n; of a complete qr m by n."""
    dims = facts.of(a).dims
    if dims is None or static(full) not in FORMS:
        return facts.fresh()
    if static(full) == "complete":
        return ranked(*dims)
    m, n = _pair(dims)
    return ranked(*dims[:-2], n if static(full) is True else _least(m, n), n)


def solved(facts: Facts, a: Expr, b: Expr) -> Shape:
    """lstsq: the columns of a, for each column of b."""
    rows, sides = facts.of(a).dims, facts.of(b).dims
    if rows is None or sides is None:
        return facts.fresh()
    return ranked(rows[-1], *sides[1:])


def later_axes(facts: Facts, a: Expr, n: Expr) -> Shape:
    """tensorsolve: the axes of a that b does not have."""
    dims, first = facts.of(a).dims, _number(facts, n)
    return facts.fresh() if dims is None or first is None else ranked(*dims[first:])


def turned_axes(facts: Facts, a: Expr, n: Expr) -> Shape:
    """tensorinv: the first n axes behind the others."""
    dims, first = facts.of(a).dims, _number(facts, n)
    if dims is None or first is None:
        return facts.fresh()
    return ranked(*dims[first:], *dims[:first])


def told(facts: Facts, argument: Expr) -> Shape:
    """A result that is a constant argument: a number."""
    return SCALAR


def diagonal_blocks(facts: Facts, arrays: Expr) -> Shape:
    """block_diag: rows and columns add up."""
    parts = [facts.of(array).dims for array in arrays.args]
    pairs = [dims for dims in parts if dims is not None and len(dims) == 2]
    if not parts or len(pairs) != len(parts):
        return facts.fresh()
    rows, columns = pairs[0]
    for more in pairs[1:]:
        rows, columns = rows + more[0], columns + more[1]
    return ranked(rows, columns)


def _number(facts: Facts, n: Expr) -> int | None:
    if isinstance(n, Apply) and n.op == "rank":
        return facts.rank(n.args[0])
    number: int | None = static(n)
    return number


LINALG = {
    word.__name__: word
    for word in (
        of_matrices,
        factor_values,
        left_factor,
        right_factor,
        solved,
        later_axes,
        turned_axes,
        told,
        diagonal_blocks,
    )
}
