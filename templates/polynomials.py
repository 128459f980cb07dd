"""Polynomials by their coefficients, the highest power first."""

import numpy as np
from gradgen.rules import d, general, same, shape, t, varies


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
