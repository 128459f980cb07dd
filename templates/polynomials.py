"""Polynomials by their coefficients, the highest power first."""

import numpy as np
from gradgen.rules import (
    count,
    d,
    dtype,
    general,
    lengthened,
    linear,
    same,
    shape,
    square_of,
    t,
    varies,
)


@general
def polyval(z, p, x):
    shape[z] = same(x)
    powers = np.vander(np.ravel(x), np.size(p))
    d[p] = np.ravel(d[z]) @ powers
    d[x] = d[z] * np.polyval(np.polyder(p), x)
    if varies(t[p]):
        t[z] = np.polyval(t[p], x)
    if varies(t[x]):
        t[z] = t[x] * np.polyval(np.polyder(p), x)


@linear("p")
def polyder(z, p):
    shape[z] = lengthened(p, 0, -1)
    d[p][:-1] += d[z] * np.arange(np.size(p) - 1, 0, -1, dtype=dtype(p))


@general
def vander(z, x, N):
    shape[z] = square_of(count(x, 0), N)
    slopes = np.vander(x, N - 1) * np.arange(N - 1, 0, -1, dtype=dtype(x))
    d[x] = np.sum(d[z][:, :-1] * slopes, axis=1)
    t[z] = np.pad(t[x][:, None] * slopes, ((0, 0), (0, 1)))
