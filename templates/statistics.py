"""Covariances and correlations: the rows of a matrix, or its columns, are variables.

The mean of a tangent drops out: centred rows add up to zero.
"""

import numpy as np
from gradgen.rules import (
    count,
    d,
    either,
    general,
    nonzero,
    rank,
    refuse,
    shape,
    square_of_rows,
    t,
)


@general
def cov(z, m, y=None, rowvar=True, bias=False, ddof=None):
    shape[z] = square_of_rows(m, y, rowvar)
    if rank(m) is None or (y is not None and rank(y) is None):
        d[m] = refuse(d[z], "np.cov of an array of unknown rank", "a shape fact")
        d[y] = refuse(d[z], "np.cov of an array of unknown rank", "a shape fact")
    elif y is not None and rank(m) == 1 and rank(y) == 1:
        freedom = count(m, None) - either(ddof, 1 - bias)
        rows = np.stack([m, y])
        centred = rows - np.mean(rows, axis=1, keepdims=True)
        flowing = (d[z] + d[z].T) @ centred / freedom
        d[m] = flowing[0]
        d[y] = flowing[1]
        half = np.stack([t[m], t[y]]) @ centred.T / freedom
        t[z] = half + half.T
    elif y is not None:
        d[m] = refuse(d[z], "np.cov of two matrices", "np.cov of np.concatenate")
        d[y] = refuse(d[z], "np.cov of two matrices", "np.cov of np.concatenate")
    elif rank(z) == 0:
        centred = m - np.mean(m)
        freedom = count(m, None) - either(ddof, 1 - bias)
        d[m] = 2 * d[z] / freedom * centred
        t[z] = 2 * np.sum(t[m] * centred) / freedom
    elif rowvar:
        centred = m - np.mean(m, axis=1, keepdims=True)
        freedom = count(m, 1) - either(ddof, 1 - bias)
        d[m] = (d[z] + d[z].T) / freedom @ centred
        half = t[m] @ centred.T / freedom
        t[z] = half + half.T
    else:
        centred = m - np.mean(m, axis=0)
        freedom = count(m, 0) - either(ddof, 1 - bias)
        d[m] = centred @ ((d[z] + d[z].T) / freedom)
        half = t[m].T @ centred / freedom
        t[z] = half + half.T


@general
def corrcoef(z, x, y=None, rowvar=True):
    shape[z] = square_of_rows(x, y, rowvar)
    if rank(x) is None or (y is not None and rank(y) is None):
        d[x] = refuse(d[z], "np.corrcoef of an array of unknown rank", "a shape fact")
        d[y] = refuse(d[z], "np.corrcoef of an array of unknown rank", "a shape fact")
    elif y is not None and rank(x) == 1 and rank(y) == 1:
        rows = np.stack([x, y])
        centred = rows - np.mean(rows, axis=1, keepdims=True)
        length = np.linalg.norm(centred, axis=1, keepdims=True)
        unit = centred / nonzero(length)
        slope = (d[z] + d[z].T) @ unit
        along = np.sum(slope * unit, axis=1, keepdims=True)
        flowing = (slope - along * unit) / length
        d[x] = flowing[0]
        d[y] = flowing[1]
        both = np.stack([t[x], t[y]])
        turned = (both - np.sum(both * unit, axis=1, keepdims=True) * unit) / length
        half = turned @ unit.T
        t[z] = half + half.T
    elif y is not None:
        d[x] = refuse(d[z], "np.corrcoef of two matrices", "np.concatenate of them")
        d[y] = refuse(d[z], "np.corrcoef of two matrices", "np.concatenate of them")
    elif rank(z) == 0:
        d[x] = 0 * d[z] * x  # 1, whatever x is
        t[z] = 0 * np.sum(t[x])
    elif rowvar:
        centred = x - np.mean(x, axis=1, keepdims=True)
        length = np.linalg.norm(centred, axis=1, keepdims=True)
        unit = centred / nonzero(length)
        slope = (d[z] + d[z].T) @ unit
        along = np.sum(slope * unit, axis=1, keepdims=True)
        d[x] = (slope - along * unit) / length
        turned = (t[x] - np.sum(t[x] * unit, axis=1, keepdims=True) * unit) / length
        half = turned @ unit.T
        t[z] = half + half.T
    else:
        centred = x - np.mean(x, axis=0)
        length = np.linalg.norm(centred, axis=0)
        unit = centred / nonzero(length)
        slope = unit @ (d[z] + d[z].T)
        along = np.sum(slope * unit, axis=0)
        d[x] = (slope - along * unit) / length
        turned = (t[x] - np.sum(t[x] * unit, axis=0) * unit) / length
        half = turned.T @ unit
        t[z] = half + half.T
