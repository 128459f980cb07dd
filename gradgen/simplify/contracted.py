"""Sums of products without the products: dot, vdot and einsum."""

from __future__ import annotations

from string import ascii_lowercase

from gradgen.ir.nodes import Apply, Const, Expr, Function, Ref, Supply
from gradgen.ir.operators import TOTALS, call, divide, getitem, matmul, multiply
from gradgen.ir.walk import is_static, static
from gradgen.shapes.certain import dims_of, is_floating
from gradgen.shapes.infer import Facts
from gradgen.simplify.counts import may_be_whole
from gradgen.simplify.parts import Parts, witness

LETTERS = ascii_lowercase[8:]


def contracted(function: Function, facts: Facts, supply: Supply) -> Function:
    """The function whose sums of products make no array of the products.

        before:  s = np.sum(A * B)
                 c = A - B
                 m = np.mean(c**2, axis=1)
        after:   s = np.vdot(A, B)
                 c = A - B
                 m = np.einsum("ij,ij->i", c, c) / c.shape[1]

    Both factors are floating arrays of one shape; of two vectors the sum is x @ y. So are np.linalg.norm, and sums of
    a matrix times a row, which is a product of matrix and vector.
    """
    facts = facts.remembering()
    return Parts(facts, supply, _contracted).through(function)


def _contracted(expr: Expr, parts: Parts) -> Expr:
    if not isinstance(expr, Apply) or len(expr.args) != 1:
        return expr
    is_norm = expr.op == "numpy.linalg.norm"
    if expr.op not in TOTALS and not is_norm:
        return expr
    facts, whole = parts.facts, expr.args[0]
    rank, given = len(dims_of(whole, facts) or ()), dict(expr.kwargs)
    axes = axes_of(given.get("axis"), rank)
    keeps = given.get("keepdims", Const(False))
    known = set(given) <= {"axis", "keepdims"} and isinstance(keeps, Const)
    if not rank or axes is None or not known or rank > len(LETTERS):
        return expr
    if is_norm and len(axes) not in (1, rank):
        return expr
    pair = (whole, whole) if is_norm else _factors(whole)
    if pair is None or not all(is_floating(one, facts) for one in pair):
        return expr
    if all(may_be_whole(one, facts) for one in pair):
        return expr  # np.sum of bytes is of 64 bits
    kept = bool(keeps.value)
    if not _alike(pair, facts):
        return expr if kept or is_norm else _by_vector(expr, pair, axes, facts)
    if len(axes) == rank and kept:
        return expr
    if pair[0] == pair[1]:
        pair = (parts.named(pair[0]),) * 2
    length = None
    if expr.op == "numpy.mean":
        seen = witness(pair, pair[0], facts)
        if seen is None:
            first = parts.named(pair[0])
            pair = first, pair[1]
            seen = witness(pair, first, facts)
        if seen is None:
            return expr
        length = count(seen, axes, rank)
    total = _total(pair, axes, rank, kept)
    if is_norm:
        return call("numpy.sqrt", total)
    return total if length is None else divide(total, length)


def _total(pair: tuple[Expr, Expr], axes: list[int], rank: int, kept: bool) -> Expr:
    """The sum of the products of two arrays of one shape along some axes."""
    if len(axes) == rank:
        return matmul(*pair) if rank == 1 else call("numpy.vdot", *pair)
    letters = LETTERS[:rank]
    left = "".join(one for at, one in enumerate(letters) if at not in axes)
    total = call("numpy.einsum", Const(f"{letters},{letters}->{left}"), *pair)
    if not kept:
        return total
    key = tuple(None if at in axes else slice(None) for at in range(rank))
    while key and key[-1] == slice(None):
        key = key[:-1]
    return getitem(total, key if len(key) > 1 else key[0])


def count(seen: Ref, axes: list[int], rank: int) -> Expr:
    """How many entries a sum along axes of an array adds up: x.size, x.shape[1]."""
    if len(axes) == rank:
        return Apply("numpy.size", (seen,), (), "attribute:size")
    shape = Apply("numpy.shape", (seen,), (), "attribute:shape")
    number: Expr | None = None
    for at in axes:
        length = getitem(shape, at)
        number = length if number is None else multiply(number, length)
    assert number is not None
    return number


def _by_vector(
    expr: Apply, pair: tuple[Expr, Expr], axes: list[int], facts: Facts
) -> Expr:
    """M @ v for np.sum(M * v, axis=1), and v @ M for np.sum(M * v[:, None], axis=0)."""
    if expr.op != "numpy.sum" or len(axes) != 1:
        return expr
    for matrix, other in (pair, pair[::-1]):
        dims = dims_of(matrix, facts)
        if dims is None or len(dims) != 2:
            continue
        if axes == [1] and dims_of(other, facts) == dims[1:]:
            return matmul(matrix, other)
        if axes == [0] and isinstance(other, Apply) and other.op == "getitem":
            vector, key = other.args
            column = getitem(vector, (slice(None), None))
            if other == column and dims_of(vector, facts) == dims[:1]:
                return matmul(vector, matrix)
    return expr


def axes_of(axis: Expr | None, rank: int) -> list[int] | None:
    """The axes that a sum is along, in their order; None where they are not known."""
    if not is_static(axis):
        return None
    told = static(axis)
    if told is None:
        return list(range(rank))
    axes = told if isinstance(told, tuple) else (told,)
    if not all(type(one) is int and -rank <= one < rank for one in axes):
        return None
    found = sorted({one % rank for one in axes})
    return found if found and len(found) == len(axes) else None


def _factors(expr: Expr) -> tuple[Expr, Expr] | None:
    """The two factors of a product, or of a square."""
    if not isinstance(expr, Apply) or expr.kwargs:
        return None
    if expr.op == "numpy.multiply":
        return expr.args[0], expr.args[1]
    if expr.op == "numpy.power" and expr.args[1] == Const(2):
        return expr.args[0], expr.args[0]
    return (expr.args[0], expr.args[0]) if expr.op == "numpy.square" else None


def _alike(pair: tuple[Expr, Expr], facts: Facts) -> bool:
    """Whether two arrays have one known shape."""
    dims = dims_of(pair[0], facts)
    return dims is not None and dims == dims_of(pair[1], facts)
