"""scipy.linalg: systems of equations, the Cholesky factor, the exponential."""

import numpy as np
from gradgen.rules import (
    beyond,
    d,
    general,
    in_triangle,
    outer_sum,
    rank,
    reduced,
    refuse,
    same,
    shape,
    t,
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
    scale = unreduce(z, a, (-2, -1), False)
    slope = unreduce(d[z], a, (-2, -1), False)
    d[a] = slope * scale * transposed(linalg.inv(a))  # regular matrices only


@general
def solve(z, a, b, *, check_finite=True):
    shape[z] = same(b)
    if rank(a) == 2 and (rank(b) == 1 or rank(b) == 2):
        flow = linalg.solve(a.T, d[z])
        t[z] = linalg.solve(a, t[b] - t[a] @ z)
        d[a] = -outer_sum(flow, z)
        d[b] = flow
    else:
        d[a] = refuse(d[z], "scipy.linalg.solve of unknown ranks", "shape facts")
        d[b] = refuse(d[z], "scipy.linalg.solve of unknown ranks", "shape facts")


@general
def solve_triangular(
    z, a, b, trans=0, lower=False, unit_diagonal=False, *, check_finite=True
):
    shape[z] = same(b)
    if rank(a) != 2 or (rank(b) != 1 and rank(b) != 2):
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
        d[a] = in_triangle(-outer_sum(flow, z), lower, unit_diagonal)
        d[b] = flow
    else:
        flow = linalg.solve_triangular(
            a,
            d[z],
            lower=beyond(lower, False),
            unit_diagonal=beyond(unit_diagonal, False),
        )
        d[a] = in_triangle(-outer_sum(z, flow), lower, unit_diagonal)
        d[b] = flow


@general
def cholesky(z, a, lower=False, *, check_finite=True):
    shape[z] = same(a)
    inverse = linalg.inv(z)
    if lower:
        inner = transposed(z) @ d[z]
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        d[a] = transposed(inverse) @ both @ inverse / 2  # symmetric, as a is
    else:
        inner = z @ transposed(d[z])
        both = np.tril(inner) + transposed(np.tril(inner, -1))
        d[a] = inverse @ both @ transposed(inverse) / 2  # symmetric, as a is


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
    d[A] = refuse(d[z], "scipy.linalg.expm_frechet", "scipy.linalg.expm")
    d[E] = refuse(d[z], "scipy.linalg.expm_frechet", "scipy.linalg.expm")
