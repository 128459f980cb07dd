"""Covariances and correlations: the rows of a matrix, or its columns, are variables.

The mean of a tangent drops out: centred rows add up to zero.
"""

import numpy as np
from gradgen.rules import (
    as_array,
    beyond,
    count,
    d,
    either,
    general,
    nonzero,
    part,
    rank,
    refuse,
    shape,
    square_of_rows,
    t,
)


@general
def cov(
    z,
    m,
    y=None,
    rowvar=True,
    bias=False,
    ddof=None,
    fweights=None,
    aweights=None,
):
    shape[z] = square_of_rows(m, y, rowvar)
    if (
        rank(m) is None
        and y is None
        and rowvar
        and fweights is None
        and aweights is None
    ):
        rows = np.atleast_2d(m)
        freedom = count(rows, 1) - either(ddof, 1 - bias)
        centred = rows - np.mean(rows, axis=1, keepdims=True)
        flow = np.atleast_2d(d[z])
        d[m] = np.reshape((flow + flow.T) / freedom @ centred, np.shape(m))
        half = np.atleast_2d(t[m]) @ centred.T / freedom
        t[z] = np.reshape(half + half.T, np.shape(z))
    elif rank(m) is None or (y is not None and rank(y) is None):
        d[m] = refuse(d[z], "np.cov of an array of unknown rank", "a shape fact")
        d[y] = refuse(d[z], "np.cov of an array of unknown rank", "a shape fact")
    elif y is not None and (fweights is not None or aweights is not None):
        d[m] = refuse(d[z], "np.cov of two arrays with weights", "np.concatenate")
        d[y] = refuse(d[z], "np.cov of two arrays with weights", "np.concatenate")
    elif y is not None and rank(m) != rank(y):
        d[m] = refuse(d[z], "np.cov of a vector and a matrix", "x[None] for the vector")
        d[y] = refuse(d[z], "np.cov of a vector and a matrix", "x[None] for the vector")
    elif fweights is not None or aweights is not None:
        if fweights is None:
            weights = as_array(aweights)
        elif aweights is None:
            weights = as_array(fweights)
        else:
            weights = as_array(fweights) * as_array(aweights)
        total = np.sum(weights)
        if aweights is None:
            freedom = total - either(ddof, 1 - bias)
        elif either(ddof, 1 - bias) == 0:
            freedom = total
        else:
            squares = np.sum(weights * as_array(aweights))
            freedom = total - either(ddof, 1 - bias) * squares / nonzero(total)
        share = weights / freedom
        if rank(m) == 1:
            centred = m - np.average(m, weights=weights)
            d[m] = 2 * d[z] * share * centred
            t[z] = 2 * np.sum(t[m] * (share * centred))
        elif rowvar:
            means = np.average(m, axis=1, weights=weights)
            centred = share * (m - means[:, None])
            d[m] = np.dot(d[z] + np.transpose(d[z]), centred)
            half = t[m] @ centred.T
            t[z] = np.squeeze(half + half.T)
        else:
            centred = share[:, None] * (m - np.average(m, axis=0, weights=weights))
            d[m] = np.dot(centred, d[z] + np.transpose(d[z]))
            half = t[m].T @ centred
            t[z] = np.squeeze(half + half.T)
    elif y is None and rank(z) == 0:
        centred = m - np.mean(m)
        freedom = count(m, None) - either(ddof, 1 - bias)
        d[m] = 2 * d[z] / freedom * centred
        t[z] = 2 * np.sum(t[m] * centred) / freedom
    else:
        if y is None:
            rows = m
            moved = t[m]
        elif rank(m) == 1:
            rows = np.stack([m, y])
            moved = np.stack([t[m], t[y]])
        else:
            rows = np.concatenate([m, y], axis=beyond(1 - rowvar, 0))
            moved = np.concatenate([t[m], t[y]], axis=beyond(1 - rowvar, 0))
        if rank(m) == 1:
            freedom = count(m, None) - either(ddof, 1 - bias)
        elif rowvar:
            freedom = count(m, 1) - either(ddof, 1 - bias)
        else:
            freedom = count(m, 0) - either(ddof, 1 - bias)
        if rowvar or rank(m) == 1:
            centred = rows - np.mean(rows, axis=1, keepdims=True)
            flowing = np.dot((d[z] + np.transpose(d[z])) / freedom, centred)
            half = moved @ centred.T / freedom
        else:
            centred = rows - np.mean(rows, axis=0)
            flowing = np.dot(centred, (d[z] + np.transpose(d[z])) / freedom)
            half = moved.T @ centred / freedom
        if y is None:
            t[z] = np.squeeze(half + half.T)  # NumPy gives a number for one variable
            d[m] = flowing
        elif rank(m) == 1:
            t[z] = half + half.T
            d[m] = flowing[0]
            d[y] = flowing[1]
        else:
            t[z] = half + half.T
            d[m] = part(flowing, [m, y], 0, 1 - rowvar)
            d[y] = part(flowing, [m, y], 1, 1 - rowvar)


@general
def corrcoef(z, x, y=None, rowvar=True):
    shape[z] = square_of_rows(x, y, rowvar)
    if rank(x) is None or (y is not None and rank(y) is None):
        d[x] = refuse(d[z], "np.corrcoef of an array of unknown rank", "a shape fact")
        d[y] = refuse(d[z], "np.corrcoef of an array of unknown rank", "a shape fact")
    elif y is not None and rank(x) != rank(y):
        d[x] = refuse(d[z], "np.corrcoef of a vector and a matrix", "x[None] for it")
        d[y] = refuse(d[z], "np.corrcoef of a vector and a matrix", "x[None] for it")
    elif y is None and rank(z) == 0:
        d[x] = 0 * d[z] * x  # 1, whatever x is
        t[z] = 0 * np.sum(t[x])
    else:
        if y is None:
            rows = x
            moved = t[x]
        elif rank(x) == 1:
            rows = np.stack([x, y])
            moved = np.stack([t[x], t[y]])
        else:
            rows = np.concatenate([x, y], axis=beyond(1 - rowvar, 0))
            moved = np.concatenate([t[x], t[y]], axis=beyond(1 - rowvar, 0))
        if rowvar or rank(x) == 1:
            centred = rows - np.mean(rows, axis=1, keepdims=True)
            length = np.linalg.norm(centred, axis=1, keepdims=True)
            unit = centred / nonzero(length)
            slope = np.dot(d[z] + np.transpose(d[z]), unit)
            along = np.sum(slope * unit, axis=1, keepdims=True)
            turned = moved - np.sum(moved * unit, axis=1, keepdims=True) * unit
            half = turned / length @ unit.T
        else:
            centred = rows - np.mean(rows, axis=0)
            length = np.linalg.norm(centred, axis=0)
            unit = centred / nonzero(length)
            slope = np.dot(unit, d[z] + np.transpose(d[z]))
            along = np.sum(slope * unit, axis=0)
            turned = moved - np.sum(moved * unit, axis=0) * unit
            half = (turned / length).T @ unit
        flowing = (slope - along * unit) / length
        if y is None:
            t[z] = np.squeeze(half + half.T)  # NumPy gives a number for one variable
            d[x] = flowing
        elif rank(x) == 1:
            t[z] = half + half.T
            d[x] = flowing[0]
            d[y] = flowing[1]
        else:
            t[z] = half + half.T
            d[x] = part(flowing, [x, y], 0, 1 - rowvar)
            d[y] = part(flowing, [x, y], 1, 1 - rowvar)
