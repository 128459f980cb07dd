"""Decompositions of matrices; the leading axes of a stack are only carried along.

A factor that nobody reads adds nothing: the d lines of a function with several
results add up. A symmetric argument gets a symmetric gradient.

Vectors of one eigenvalue, or singular value, are any basis of a space. Of a function of
the vectors alone what turns this basis adds nothing: its adjoint is 0 but for rounding,
or else there is no gradient. Where the values count as well it cannot be told (of
V * f(w) @ V.T it would be the slope of f): x / 0, unless the adjoints of these vectors
are 0. Two values are equal where rounding alone tells them apart.
"""

import numpy as np
from gradgen.rules import (
    as_column,
    as_row,
    beyond,
    conj,
    count,
    d,
    dtype,
    factor_values,
    of_matrices,
    general,
    integer,
    is_complex,
    is_square,
    left_factor,
    nonzero,
    own_line,
    rank,
    reduced,
    refuse,
    right_factor,
    same,
    shape,
    t,
    to_real,
    transposed,
    unreduce,
    unused,
)

module = "numpy.linalg"


@general
def cholesky(z, a, *, upper=False):
    shape[z] = same(a)
    inverse = np.linalg.inv(z)
    if upper:
        inner = z @ transposed(d[z])
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        half = transposed(inverse) @ t[a] @ inverse
        t[z] = (np.triu(half) + np.triu(half, 1)) @ z / 2
        d[a] = inverse @ both @ transposed(inverse) / 2  # symmetric, as a is
    else:
        inner = transposed(z) @ d[z]
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        half = inverse @ t[a] @ transposed(inverse)
        t[z] = z @ (np.tril(half) + np.tril(half, -1)) / 2
        d[a] = transposed(inverse) @ both @ inverse / 2  # symmetric, as a is


@general
def slogdet(z, a):
    shape[z[0]] = reduced(a, (-2, -1), False)
    shape[z[1]] = reduced(a, (-2, -1), False)
    if not unused(d[z[1]]):
        inverse = transposed(np.linalg.inv(a))
        d[a] = unreduce(d[z[1]], a, (-2, -1), False) * inverse
        t[z[0]] = 0 * z[0]
        t[z[1]] = np.sum(inverse * t[a], axis=(-2, -1))


@general
@to_real
def eigvalsh(z, a, UPLO="L"):
    shape[z] = reduced(a, -1, False)
    if is_complex(a):
        vectors = _hermitian_vectors(a, UPLO)
    else:
        vectors = np.linalg.eigh(a, UPLO=beyond(UPLO, "L"))[1]
    t[z] = np.sum(conj(vectors) * (t[a] @ vectors), axis=-2)
    d[a] = as_row(d[z]) * conj(vectors) @ transposed(vectors)


@general
def eigh(z, a, UPLO="L"):
    shape[z[0]] = reduced(a, -1, False)
    shape[z[1]] = of_matrices(a)
    turned = transposed(z[1]) @ t[a] @ z[1]
    t[z[0]] = np.diagonal(turned, axis1=-2, axis2=-1)
    if unused(d[z[1]]):
        d[a] = as_row(d[z[0]]) * z[1] @ transposed(z[1])
    else:
        if rank(a) == 2:
            skew = transposed(z[1]) @ d[z[1]] - transposed(d[z[1]]) @ z[1]
            size = np.maximum(-z[0][:1], z[0][-1:])
        else:
            inner = own_line(transposed(z[1]) @ d[z[1]])
            skew = inner - transposed(inner)
            size = np.maximum(-z[0][..., :1], z[0][..., -1:])[..., None]
        apart = as_row(z[0]) - as_column(z[0])
        far = own_line(np.abs(apart) > 10000 * np.spacing(size))
        if unused(d[z[0]]):
            turn = own_line(skew)
            flow = np.sum(np.abs(d[z[1]]), axis=-2)
            flows = as_row(flow) + as_column(flow)
            seen = own_line(np.abs(turn) > 64 * np.spacing(flows))
            gaps = own_line(np.where(seen, apart, np.inf))
            middle = 0.5 * turn / nonzero(gaps)
        else:
            counts = as_row(np.any(d[z[1]], axis=-2))
            told = far | (counts > np.eye(count(a, -1)))
            gaps = own_line(np.where(told, far * apart, np.inf))
            if rank(a) == 2:
                middle = np.diag(d[z[0]]) + 0.5 * skew / nonzero(gaps)
            else:
                values = as_row(d[z[0]]) * np.eye(count(a, -1), dtype=dtype(a))
                middle = values + 0.5 * skew / nonzero(gaps)
        d[a] = (
            z[1] @ middle @ transposed(z[1])
        )  # not finite at equal eigenvalues, but for functions of their space
        away = own_line(np.where(np.eye(count(a, -1)), np.inf, apart))
        known = own_line(np.where(np.abs(away) > 10000 * np.spacing(size), away, 0))
        t[z[1]] = z[1] @ (0.5 * (turned + transposed(turned)) / nonzero(known))


@general
def eigvals(z, a):
    shape[z] = reduced(a, -1, False)
    pairs = np.linalg.eig(a)
    vectors = _vectors_of(z, pairs[0], pairs[1])  # eig may order them otherwise
    d[a] = _eigvals_adjoint(d[z], z, vectors)  # real eigenvalues only
    t[z] = _eigvals_tangent(t[a], z, vectors)


@general
def eig(z, a):
    shape[z[0]] = reduced(a, -1, False)
    shape[z[1]] = of_matrices(a)
    t[z[0]] = _eigvals_tangent(t[a], z[0], z[1])
    t[z[1]] = _eigvectors_tangent(t[a], z[0], z[1])
    if not unused(d[z[0]]):
        d[a] = _eigvals_adjoint(d[z[0]], z[0], z[1])
    if not unused(d[z[1]]):
        d[a] = _eigvectors_adjoint(d[z[1]], z[0], z[1])  # real, distinct eigenvalues


@general
def svdvals(z, x):
    shape[z] = factor_values(x)
    factors = np.linalg.svd(x, full_matrices=False)
    t[z] = np.sum(factors[0] * (t[x] @ transposed(factors[2])), axis=-2)
    d[x] = as_row(d[z]) * factors[0] @ factors[2]


@general
def svd(z, a, full_matrices=True, compute_uv=True):
    if not compute_uv:
        shape[z] = factor_values(a)
        factors = np.linalg.svd(a, full_matrices=False)
        t[z] = np.sum(factors[0] * (t[a] @ transposed(factors[2])), axis=-2)
        d[a] = as_row(d[z]) * factors[0] @ factors[2]
    else:
        shape[z[0]] = left_factor(a, full_matrices)
        shape[z[1]] = factor_values(a)
        shape[z[2]] = right_factor(a, full_matrices)
        if full_matrices and unused(d[z[0]]) and unused(d[z[2]]):
            factors = np.linalg.svd(a, full_matrices=False)
            d[a] = as_row(d[z[1]]) * factors[0] @ factors[2]
        elif full_matrices and not is_square(a):
            if not unused(d[z[1]]):
                left = z[0][..., :, : count(z[1], -1)]
                d[a] = as_row(d[z[1]]) * left @ z[2][..., : count(z[1], -1), :]
            right = transposed(z[2])
            if unused(d[z[1]]) and unused(d[z[2]]):
                d[a] = _from_left_factor(d[z[0]], z[0], z[1], z[2], True)
            elif unused(d[z[1]]) and unused(d[z[0]]):
                flow = _from_left_factor(
                    transposed(d[z[2]]), right, z[1], transposed(z[0]), True
                )
                d[a] = transposed(flow)
            else:
                if not unused(d[z[0]]):
                    d[a] = _from_left_factor(d[z[0]], z[0], z[1], z[2], False)
                if not unused(d[z[2]]):
                    flow = _from_left_factor(
                        transposed(d[z[2]]), right, z[1], transposed(z[0]), False
                    )
                    d[a] = transposed(flow)
        elif not unused(d[z[1]]):
            d[a] = as_row(d[z[1]]) * z[0] @ z[2]
        if full_matrices and not is_square(a):
            t[z[0]] = _left_factor_tangent(t[a], z[0], z[1], z[2])
            first = z[0][..., :, : count(z[1], -1)]
            last = z[2][..., : count(z[1], -1), :]
            t[z[1]] = np.sum(first * (t[a] @ transposed(last)), axis=-2)
            t[z[2]] = transposed(
                _left_factor_tangent(
                    transposed(t[a]), transposed(z[2]), z[1], transposed(z[0])
                )
            )
        else:
            ones = np.eye(count(z[1], -1), dtype=dtype(a))
            row = as_row(z[1])
            column = as_column(z[1])
            squares = (row - column) * (row + column)
            if rank(a) == 2:
                size = z[1][:1]
            else:
                size = z[1][..., :1, None]
            if not unused(d[z[0]]):
                turned_u = transposed(z[0]) @ d[z[0]]
                skew_u = own_line(turned_u - transposed(turned_u))
                counts_u = np.any(d[z[0]], axis=-2)
                flow_u = np.sum(np.abs(d[z[0]]), axis=-2)
            if not unused(d[z[2]]):
                turned_v = d[z[2]] @ transposed(z[2])
                skew_v = own_line(transposed(turned_v) - turned_v)
                counts_v = np.any(d[z[2]], axis=-1)
                flow_v = np.sum(np.abs(d[z[2]]), axis=-1)
            far = own_line(np.abs(row - column) > 10000 * np.spacing(size))
            if unused(d[z[0]]) and unused(d[z[2]]):
                pass
            elif unused(d[z[2]]):
                if unused(d[z[1]]):
                    flows = as_row(flow_u) + as_column(flow_u)
                    seen = own_line(np.abs(skew_u) > 64 * np.spacing(flows))
                    gaps = own_line(np.where(seen, squares, np.inf))
                else:
                    told = far | (as_row(counts_u) > ones)
                    gaps = own_line(np.where(told, far * squares, np.inf))
                d[a] = z[0] @ (skew_u * row / nonzero(gaps)) @ z[2]
            elif unused(d[z[0]]):
                if unused(d[z[1]]):
                    flows = as_row(flow_v) + as_column(flow_v)
                    seen = own_line(np.abs(skew_v) > 64 * np.spacing(flows))
                    gaps = own_line(np.where(seen, squares, np.inf))
                else:
                    told = far | (as_row(counts_v) > ones)
                    gaps = own_line(np.where(told, far * squares, np.inf))
                d[a] = z[0] @ (skew_v * column / nonzero(gaps)) @ z[2]
            elif unused(d[z[1]]):
                alike = own_line(skew_u + skew_v)
                flows = as_row(flow_u + flow_v) + as_column(flow_u + flow_v)
                seen = own_line(np.abs(alike) > 64 * np.spacing(flows))
                gaps = own_line(np.where(seen, row - column, np.inf))
                mirrored = (skew_u - skew_v) / nonzero(row + column + ones)
                core = 0.5 * (alike / nonzero(gaps) + mirrored)
                d[a] = (
                    z[0] @ core @ z[2]
                )  # not finite at equal values, but for functions of their space
            else:
                counts = as_row(counts_u | counts_v)
                told = far | (counts > ones)
                gaps = own_line(np.where(told, far * squares, np.inf))
                core = (skew_u * row + skew_v * column) / nonzero(gaps)
                d[a] = z[0] @ core @ z[2]
            moved = t[a] @ transposed(z[2])
            turned = transposed(z[0]) @ moved
            t[z[1]] = np.diagonal(turned, axis1=-2, axis2=-1)
            clear = np.abs(row - column + ones) > 10000 * np.spacing(size)
            away = own_line(np.where(clear, squares + ones, 0))
            change_u = row * turned + column * transposed(turned)
            change_v = column * turned + row * transposed(turned)
            mixed_u = z[0] @ ((1 - ones) / nonzero(away) * change_u)
            mixed_v = ((ones - 1) / nonzero(away) * change_v) @ z[2]
            if is_square(a):
                t[z[0]] = mixed_u
                t[z[2]] = mixed_v
            else:
                tall = count(a, -2) > count(z[1], -1)
                scale_u = own_line(np.where(tall, row, 1))
                t[z[0]] = mixed_u + (moved - z[0] @ turned) / nonzero(scale_u)
                wide = count(a, -1) > count(z[1], -1)
                scale_v = own_line(np.where(wide, column, 1))
                beyond_v = transposed(z[0]) @ t[a] - turned @ z[2]
                t[z[2]] = mixed_v + beyond_v / nonzero(scale_v)
                if not unused(d[z[0]]):
                    across_u = (d[z[0]] - z[0] @ turned_u) / nonzero(scale_u)
                    d[a] = across_u @ z[2]
                if not unused(d[z[2]]):
                    across_v = (d[z[2]] - turned_v @ z[2]) / nonzero(scale_v)
                    d[a] = z[0] @ across_v


@general
def qr(z, a, mode="reduced"):
    shape[z[0]] = left_factor(a, mode)
    shape[z[1]] = right_factor(a, mode)
    if mode == "r":
        shape[z] = right_factor(a)
        q = np.linalg.qr(a)[0]
        if is_square(a):
            square = z
        else:
            square = _upright(z)  # a has at least as many rows as columns
        inner = z @ transposed(d[z])
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        flow = np.linalg.solve(square, transposed(q @ both))
        d[a] = transposed(flow)
        moved = transposed(np.linalg.solve(transposed(square), transposed(t[a])))
        turned = transposed(q) @ moved
        below = np.tril(turned, -1)
        t[z] = (turned - below + transposed(below)) @ z
    elif mode != "reduced":
        d[a] = refuse(d[z[0]], "np.linalg.qr with this mode", 'mode="reduced"')
    else:
        if is_square(a):
            square = z[1]
        else:
            square = _upright(z[1])
        if unused(d[z[0]]):
            inner = z[1] @ transposed(d[z[1]])
        elif unused(d[z[1]]):
            inner = -transposed(d[z[0]]) @ z[0]
        else:
            inner = z[1] @ transposed(d[z[1]]) - transposed(d[z[0]]) @ z[0]
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        if unused(d[z[0]]):
            flow = np.linalg.solve(square, transposed(z[0] @ both))
        else:
            flow = np.linalg.solve(square, transposed(d[z[0]] + z[0] @ both))
        d[a] = transposed(flow)
        moved = transposed(np.linalg.solve(transposed(square), transposed(t[a])))
        turned = transposed(z[0]) @ moved
        below = np.tril(turned, -1)
        skew = below - transposed(below)
        t[z[0]] = moved - z[0] @ (turned - skew)
        t[z[1]] = (turned - skew) @ z[1]


@integer
def matrix_rank(z, A, tol=None, hermitian=False, *, rtol=None):
    shape[z] = reduced(A, (-2, -1), False)
