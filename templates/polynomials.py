"""Polynomials by their coefficients, the highest power first."""

import numpy as np
from gradgen.rules import (
    count,
    d,
    dtype,
    either,
    evaluated,
    general,
    holomorphic,
    lengthened,
    linear,
    nonzero,
    rank,
    refuse,
    same,
    shape,
    square_of,
    t,
    to_complex,
    varies,
)


@general
@holomorphic
def polyval(z, p, x):
    shape[z] = evaluated(p, x)
    if rank(p) == 1:
        powers = np.vander(np.ravel(x), np.size(p))
        d[p] = np.ravel(d[z]) @ powers
        d[x] = d[z] * np.polyval(np.polyder(p), x)
    elif rank(p) == 2 or rank(p) == 3:
        d[p] = refuse(d[z], "np.polyval of coefficients in several rows", "a row each")
        d[x] = refuse(d[z], "np.polyval of coefficients in several rows", "a row each")
    else:
        row = _one_row(p)
        powers = np.vander(np.ravel(x), np.size(row))
        d[p] = np.ravel(d[z]) @ powers
        d[x] = d[z] * np.polyval(np.polyder(row), x)
    if varies(t[p]):
        t[z] = np.polyval(t[p], x)
    if varies(t[x]) and rank(p) == 1:
        t[z] = t[x] * np.polyval(np.polyder(p), x)
    elif varies(t[x]) and rank(p) is not None:
        t[z] = refuse(t[x], "np.polyval of coefficients in several rows", "a row each")
    elif varies(t[x]):
        t[z] = t[x] * np.polyval(np.polyder(_one_row(p)), x)


@general
@to_complex
def roots(z, p):
    shape[z] = lengthened(p, 0, -1)
    slopes = nonzero(np.polyval(np.polyder(p), z))  # 0 where two roots are one
    d[p] = -(d[z] / slopes) @ np.vander(z, np.size(p))
    t[z] = -np.polyval(t[p], z) / slopes


@linear("p")
@holomorphic
def polyder(z, p):
    shape[z] = lengthened(p, 0, -1)
    d[p][:-1] += d[z] * np.arange(np.size(p) - 1, 0, -1, dtype=dtype(p))


@general
@holomorphic
def vander(z, x, N=None, increasing=False):
    shape[z] = square_of(count(x, 0), N)
    width = either(N, count(x, 0))
    if increasing:
        powers = np.arange(1, width, dtype=dtype(x))
        slopes = np.vander(x, width - 1, increasing=True) * powers
        d[x] = np.sum(d[z][:, 1:] * slopes, axis=1)
        t[z] = np.pad(t[x][:, None] * slopes, ((0, 0), (1, 0)))
    else:
        slopes = np.vander(x, width - 1) * np.arange(width - 1, 0, -1, dtype=dtype(x))
        d[x] = np.sum(d[z][:, :-1] * slopes, axis=1)
        t[z] = np.pad(t[x][:, None] * slopes, ((0, 0), (0, 1)))
