"""scipy.linalg: systems of equations, the Cholesky factor, the exponential."""

import numpy as np
from gradgen.rules import (
    beyond,
    block,
    count,
    d,
    diagonal_blocks,
    either,
    general,
    in_triangle,
    outer_sum,
    positions,
    rank,
    reduced,
    refuse,
    same,
    shape,
    spread,
    square_of,
    t,
    told,
    transposed,
    unreduce,
)
from scipy import linalg

module = "scipy.linalg"


@general
def inv(z, a, *, check_finite=True):
    shape[z] = same(a)
    t[z] = -z @ t[a] @ z
    d[a] = -transposed(z) @ d[z] @ transposed(z)


@general
def det(z, a, *, check_finite=True):
    shape[z] = reduced(a, (-2, -1), False)
    t[z] = np.sum(_cofactors(a) * t[a], axis=(-2, -1))
    d[a] = unreduce(d[z], a, (-2, -1), False) * _cofactors(a)


@general
def solve(z, a, b, lower=False, *, check_finite=True, assume_a=None):
    shape[z] = same(b)
    if rank(a) != 2 or (rank(b) is not None and rank(b) != 1 and rank(b) != 2):
        d[a] = refuse(d[z], "scipy.linalg.solve of unknown ranks", "shape facts")
        d[b] = refuse(d[z], "scipy.linalg.solve of unknown ranks", "shape facts")
    elif assume_a == "pos" or assume_a == "sym":
        flow = linalg.solve(a, d[z], lower=beyond(lower, False), assume_a=assume_a)
        moved = t[b] - (t[a] + t[a].T) @ z / 2
        t[z] = linalg.solve(a, moved, lower=beyond(lower, False), assume_a=assume_a)
        d[a] = (
            -(outer_sum(flow, z, a) + outer_sum(z, flow, a)) / 2
        )  # symmetric, as a is
        d[b] = flow
    elif lower or (assume_a is not None and assume_a != "gen"):
        d[a] = refuse(d[z], "scipy.linalg.solve with this assume_a=", "solve(a, b)")
        d[b] = refuse(d[z], "scipy.linalg.solve with this assume_a=", "solve(a, b)")
    else:
        flow = linalg.solve(a.T, d[z])
        t[z] = linalg.solve(a, t[b] - t[a] @ z)
        d[a] = -outer_sum(flow, z, a)
        d[b] = flow


@general
def solve_triangular(
    z, a, b, trans=0, lower=False, unit_diagonal=False, *, check_finite=True
):
    shape[z] = same(b)
    if rank(a) != 2 or (rank(b) is not None and rank(b) != 1 and rank(b) != 2):
        d[a] = refuse(d[z], "solve_triangular of unknown ranks", "shape facts")
        d[b] = refuse(d[z], "solve_triangular of unknown ranks", "shape facts")
    elif trans == 0 or trans == "N":
        flow = linalg.solve_triangular(
            a,
            d[z],
            trans=1,
            lower=beyond(lower, False),
            unit_diagonal=beyond(unit_diagonal, False),
        )
        t[z] = linalg.solve_triangular(
            a,
            t[b] - in_triangle(t[a], lower, unit_diagonal) @ z,
            lower=beyond(lower, False),
            unit_diagonal=beyond(unit_diagonal, False),
        )
        d[a] = in_triangle(-outer_sum(flow, z, a), lower, unit_diagonal)
        d[b] = flow
    else:
        flow = linalg.solve_triangular(
            a,
            d[z],
            lower=beyond(lower, False),
            unit_diagonal=beyond(unit_diagonal, False),
        )
        t[z] = linalg.solve_triangular(
            a,
            t[b] - in_triangle(t[a], lower, unit_diagonal).T @ z,
            trans=1,
            lower=beyond(lower, False),
            unit_diagonal=beyond(unit_diagonal, False),
        )
        d[a] = in_triangle(-outer_sum(z, flow, a), lower, unit_diagonal)
        d[b] = flow


@general
def cholesky(z, a, lower=False, *, check_finite=True):
    shape[z] = same(a)
    inverse = linalg.inv(z)
    if lower:
        inner = transposed(z) @ d[z]
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        half = inverse @ t[a] @ transposed(inverse)
        t[z] = z @ (np.tril(half) + np.tril(half, -1)) / 2
        d[a] = transposed(inverse) @ both @ inverse / 2  # symmetric, as a is
    else:
        inner = z @ transposed(d[z])
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        half = transposed(inverse) @ t[a] @ inverse
        t[z] = (np.triu(half) + np.triu(half, 1)) @ z / 2
        d[a] = inverse @ both @ transposed(inverse) / 2  # symmetric, as a is


@general
def cho_factor(z, a, lower=False, *, check_finite=True):
    shape[z[0]] = same(a)
    shape[z[1]] = told(lower)
    factor = in_triangle(z[0], lower, False)
    inverse = linalg.inv(factor)
    if lower:
        half = inverse @ t[a] @ transposed(inverse)
        t[z[0]] = factor @ (np.tril(half) + np.tril(half, -1)) / 2
        inner = transposed(factor) @ np.tril(d[z[0]])
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        d[a] = transposed(inverse) @ both @ inverse / 2  # symmetric, as a is
    else:
        half = transposed(inverse) @ t[a] @ inverse
        t[z[0]] = (np.triu(half) + np.triu(half, 1)) @ factor / 2
        inner = factor @ transposed(np.triu(d[z[0]]))
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        d[a] = inverse @ both @ transposed(inverse) / 2  # symmetric, as a is


@general
def cho_solve(z, c_and_lower, b, *, check_finite=True):
    shape[z] = same(b)
    if rank(c_and_lower[0]) != 2 or (
        rank(b) is not None and rank(b) != 1 and rank(b) != 2
    ):
        d[c_and_lower[0]] = refuse(d[z], "cho_solve of unknown ranks", "shape facts")
        d[b] = refuse(d[z], "cho_solve of unknown ranks", "shape facts")
    else:
        flow = linalg.cho_solve(c_and_lower, d[z])
        both = outer_sum(flow, z, c_and_lower[0]) + outer_sum(z, flow, c_and_lower[0])
        factor = in_triangle(c_and_lower[0], c_and_lower[1], False)
        d[b] = flow
        change = in_triangle(t[c_and_lower][0], c_and_lower[1], False)
        if c_and_lower[1]:
            d[c_and_lower[0]] = -np.tril(both @ factor)
            moved = change @ (factor.T @ z) + factor @ (change.T @ z)
            t[z] = linalg.cho_solve(c_and_lower, t[b] - moved)
        else:
            d[c_and_lower[0]] = -np.triu(factor @ both)
            moved = change.T @ (factor @ z) + factor.T @ (change @ z)
            t[z] = linalg.cho_solve(c_and_lower, t[b] - moved)


@general
def solve_banded(z, l_and_u, ab, b, *, check_finite=True):
    shape[z] = same(b)
    if rank(ab) != 2 or (rank(b) is not None and rank(b) != 1 and rank(b) != 2):
        d[ab] = refuse(d[z], "solve_banded of unknown ranks", "shape facts")
        d[b] = refuse(d[z], "solve_banded of unknown ranks", "shape facts")
    else:
        turned = _banded_transpose(l_and_u, ab)
        flow = linalg.solve_banded((l_and_u[1], l_and_u[0]), turned, d[z])
        d[ab] = _banded_adjoint(l_and_u, flow, ab, z)
        d[b] = flow
        moved = t[b] - _banded_product(l_and_u, t[ab], z)
        t[z] = linalg.solve_banded(l_and_u, ab, moved)


@general
def toeplitz(z, c, r=None):
    shape[z] = square_of(count(c, 0), count(either(r, c), 0))
    if rank(c) != 1 or (r is not None and rank(r) != 1):
        d[c] = refuse(d[z], "toeplitz of arrays not known to be 1-D", "shape facts")
        d[r] = refuse(d[z], "toeplitz of arrays not known to be 1-D", "shape facts")
    elif r is None:
        t[z] = linalg.toeplitz(t[c])
        d[c][linalg.toeplitz(np.arange(count(c, 0)))] += d[z]
    else:
        rows = np.arange(count(c, 0))
        columns = np.arange(count(r, 0))
        t[z] = linalg.toeplitz(t[c], t[r])
        d[c][linalg.toeplitz(rows, 0 * columns)] += np.tril(d[z])
        d[r][linalg.toeplitz(0 * rows, columns)] += np.triu(d[z], 1)


@general
def block_diag(z, *arrs):
    shape[z] = diagonal_blocks(arrs)
    t[z] = spread(linalg.block_diag(t[arrs]))
    for i in positions(arrs):
        d[arrs[i]] = block(d[z], arrs, i)


@general
def expm(z, A):
    shape[z] = same(A)
    if rank(A) == 2:
        t[z] = linalg.expm_frechet(A, t[A], compute_expm=False)
        d[A] = linalg.expm_frechet(A.T, d[z], compute_expm=False)
    else:
        d[A] = refuse(d[z], "scipy.linalg.expm of unknown rank", "a shape fact")


@general
def expm_frechet(z, A, E, *, compute_expm=True, check_finite=True):
    shape[z] = same(A)
    if compute_expm:
        d[A] = refuse(d[z], "expm_frechet with two results", "compute_expm=False")
        d[E] = refuse(d[z], "expm_frechet with two results", "compute_expm=False")
    else:
        # expm of [[A, E], [0, A]] has z above its diagonal.
        zeros = np.zeros_like(A)
        pair = np.block([[A, E], [zeros, A]])
        n = count(A, 0)
        flow = np.block([[zeros, d[z]], [zeros, zeros]])
        back = linalg.expm_frechet(pair.T, flow, compute_expm=False)
        d[A] = back[:n, :n] + back[n:, n:]
        d[E] = back[:n, n:]
        change = np.block([[t[A], t[E]], [zeros, t[A]]])
        t[z] = linalg.expm_frechet(pair, change, compute_expm=False)[:n, n:]
