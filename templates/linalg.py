"""Systems of equations, inverses and determinants.

The matrices of a stack stand in its last two axes.
"""

import numpy as np
from gradgen.rules import (
    along_diagonal,
    as_column,
    as_row,
    beyond,
    conj,
    contracted,
    count,
    counted,
    d,
    diagonal_of,
    dtype,
    factor_values,
    general,
    holomorphic,
    is_complex,
    later_axes,
    linear,
    on_diagonal,
    outer_sum,
    own_line,
    paired,
    rank,
    reduced,
    refuse,
    same,
    scalar,
    shape,
    solved,
    swapped,
    t,
    taken_for_vectors,
    transposed,
    turned_about,
    turned_axes,
    unbroadcast,
    unreduce,
    varies,
    unused,
)

module = "numpy.linalg"


@general
@holomorphic
def inv(z, a):
    shape[z] = same(a)
    t[z] = -z @ t[a] @ z
    d[a] = -transposed(z) @ d[z] @ transposed(z)


@general
def pinv(z, a, rcond=None, *, rtol=None):
    shape[z] = swapped(a, -2, -1)
    if rcond is None and rtol is None:
        flow = transposed(d[z])
        z_t = transposed(z)
        rows = (flow - a @ (z @ flow)) @ z @ z_t
        columns = z_t @ z @ (flow - flow @ z @ a)
        d[a] = rows + columns - z_t @ d[z] @ z_t  # where the rank does not change
        turn = transposed(t[a])
        beyond_rows = z @ z_t @ (turn - turn @ a @ z)
        beyond_columns = (turn - z @ a @ turn) @ z_t @ z
        t[z] = beyond_rows + beyond_columns - z @ t[a] @ z
    else:
        # What is cut off may be more than zeros: by its singular values.
        factors = np.linalg.svd(a, full_matrices=False)
        left = factors[0]
        right = transposed(factors[2])
        inverses = np.sum(left * (transposed(z) @ right), axis=-2)
        values = factors[1]
        kept = inverses * values > 0.5
        inverse = own_line(np.where(kept, inverses, 0))
        squares = as_column(values) ** 2 - as_row(values) ** 2
        one = as_column(kept) != as_row(kept)
        gaps = own_line(np.where(one, squares, np.inf))
        share = inverse * values
        mix = own_line((as_column(share) - as_row(share)) / gaps)
        across = as_column(inverse) * as_row(values)
        back = as_column(values) * as_row(inverse)
        both = as_column(inverse) * as_row(inverse)
        turned = own_line((across - back) / gaps - both)
        flow = transposed(d[z])
        ahead = transposed(left) @ flow
        core = ahead @ right
        inner = own_line(mix * core + turned * transposed(core))
        beside = (flow @ right - left @ core) * as_row(inverse) ** 2
        above = as_column(inverse) ** 2 * (ahead - core @ transposed(right))
        d[a] = (left @ inner + beside) @ transposed(right) + left @ above
        moved = transposed(left) @ t[a]
        middle = moved @ right
        change = mix * middle + turned * transposed(middle)
        wide = (t[a] @ right - left @ middle) * as_row(inverse) ** 2
        high = as_column(inverse) ** 2 * (moved - middle @ transposed(right))
        t[z] = transposed((left @ change + wide) @ transposed(right) + left @ high)


@general
@holomorphic
def solve(z, a, b):
    shape[z] = contracted(a, b)
    if taken_for_vectors(a, b):
        d[a] = refuse(d[z], "np.linalg.solve of a stack before NumPy 2", "b[..., None]")
        d[b] = refuse(d[z], "np.linalg.solve of a stack before NumPy 2", "b[..., None]")
    elif rank(b) is None:
        flow = _solve_adjoint(d[z], a, b)
        if varies(t[a]):
            t[z] = -_solved(a, _times(t[a], z, b), b)
        if varies(t[b]):
            t[z] = _solved(a, t[b], b)
        d[a] = unbroadcast(-_products_of(flow, z, b), a)
        d[b] = unbroadcast(flow, b)
    elif rank(b) == 1 and rank(a) == 2:
        flow = np.linalg.solve(a.T, d[z])
        t[z] = np.linalg.solve(a, t[b] - t[a] @ z)
        d[a] = -np.outer(flow, z)
        d[b] = flow
    elif rank(b) == 1:
        flow = np.linalg.solve(transposed(a), d[z][..., None])
        t[z] = np.linalg.solve(a, t[b][..., None] - t[a] @ z[..., None])[..., 0]
        d[a] = -flow @ z[..., None, :]
        d[b] = unbroadcast(flow[..., 0], b)
    else:
        flow = np.linalg.solve(transposed(a), d[z])
        t[z] = np.linalg.solve(a, t[b] - t[a] @ z)
        d[a] = unbroadcast(-flow @ transposed(z), a)
        d[b] = unbroadcast(flow, b)


@general
@holomorphic
def det(z, a):
    shape[z] = reduced(a, (-2, -1), False)
    if is_complex(a):
        scale = unreduce(z, a, (-2, -1), False)
        slope = unreduce(d[z], a, (-2, -1), False)
        t[z] = z * np.sum(transposed(np.linalg.inv(a)) * t[a], axis=(-2, -1))
        d[a] = slope * scale * transposed(np.linalg.inv(a))  # regular matrices only
    else:
        t[z] = np.sum(_cofactors(a) * t[a], axis=(-2, -1))
        d[a] = unreduce(d[z], a, (-2, -1), False) * _cofactors(a)


@general
def lstsq(z, a, b, rcond=None):
    shape[z[0]] = solved(a, b)
    shape[z[1]] = counted(z)
    shape[z[2]] = scalar(z)
    shape[z[3]] = factor_values(a)
    if rcond is not None and rcond != -1:
        d[a] = refuse(d[z[0]], "np.linalg.lstsq with this rcond=", "rcond=None")
        d[b] = refuse(d[z[0]], "np.linalg.lstsq with this rcond=", "rcond=None")
    if not unused(d[z[2]]):
        d[a] = refuse(d[z[2]], "the rank that np.linalg.lstsq finds", "a constant")
        d[b] = refuse(d[z[2]], "the rank that np.linalg.lstsq finds", "a constant")
    if rcond is None or rcond == -1:
        rest = b - a @ z[0]
        moved = t[b] - t[a] @ z[0]
        if not unused(d[z[0]]):
            inverse = np.linalg.pinv(a)
            flow = inverse.T @ d[z[0]]
            along = outer_sum(flow, -z[0], a) + outer_sum(rest, inverse @ flow, a)
            d[a] = along + outer_sum(inverse.T @ z[0], d[z[0]] - a.T @ flow, a)
            d[b] = flow  # where a has full rank
            turned = t[a].T @ (inverse.T @ z[0])
            beyond = inverse.T @ (t[a].T @ rest) - a @ turned
            t[z[0]] = inverse @ (moved + beyond) + turned
        if not unused(d[z[1]]):
            d[a] = -2 * outer_sum(d[z[1]] * rest, z[0], a)
            d[b] = 2 * d[z[1]] * rest
            t[z[1]] = np.sum(2 * rest * moved, axis=0)
        if not unused(d[z[3]]):
            factors = np.linalg.svd(a, full_matrices=False)
            d[a] = as_row(d[z[3]]) * factors[0] @ factors[2]
            d[b] = 0 * b * np.sum(d[z[3]])
            t[z[3]] = np.sum(factors[0] * (t[a] @ transposed(factors[2])), axis=-2)


@general
def tensorsolve(z, a, b):
    shape[z] = later_axes(a, rank(b))
    if rank(a) is None or rank(b) is None:
        d[a] = refuse(d[z], "np.linalg.tensorsolve of unknown ranks", "shape facts")
        d[b] = refuse(d[z], "np.linalg.tensorsolve of unknown ranks", "shape facts")
    else:
        flow = np.linalg.tensorsolve(turned_about(a, rank(b)), d[z])
        t[z] = np.linalg.tensorsolve(a, t[b] - np.tensordot(t[a], z, axes=rank(z)))
        d[a] = -np.tensordot(flow, z, axes=0)
        d[b] = flow


@general
def tensorinv(z, a, ind=2):
    shape[z] = turned_axes(a, ind)
    if rank(a) is None:
        d[a] = refuse(d[z], "np.linalg.tensorinv of unknown rank", "a shape fact")
    else:
        turned = turned_about(z, rank(a) - ind)
        t[z] = -np.tensordot(np.tensordot(z, t[a], ind), z, rank(a) - ind)
        flow = np.tensordot(turned, d[z], rank(a) - ind)
        d[a] = -np.tensordot(flow, turned, ind)


@linear("x")
@holomorphic
def trace(z, x, *, offset=0):
    shape[z] = reduced(x, (-2, -1), False)
    ones = np.eye(count(x, -2), count(x, -1), k=beyond(offset, 0), dtype=dtype(x))
    d[x] = unreduce(d[z], x, (-2, -1), False) * ones


@linear("x")
def diagonal(z, x, *, offset=0):
    shape[z] = diagonal_of(x, offset, -2, -1)
    d[x][on_diagonal(z, x, offset, -2, -1)] += along_diagonal(d[z], x, offset, -2, -1)


@linear("x1", "x2")
@holomorphic
def outer(z, x1, x2):
    shape[z] = paired(x1, x2)
    d[x1] = d[z] @ x2
    d[x2] = x1 @ d[z]
