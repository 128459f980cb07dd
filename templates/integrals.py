"""scipy.integrate: rules for samples."""

import numpy as np
from gradgen.rules import (
    between,
    d,
    linear,
    others,
    rank,
    reduced,
    refuse,
    shape,
    unbroadcast,
    unreduce,
)
from scipy import integrate

module = "scipy.integrate"


@linear("y", "x", "dx")
def trapezoid(z, y, x=None, dx=1.0, axis=-1):
    shape[z] = reduced(y, axis, False)
    half = unreduce(d[z], y, axis, False) / 2
    if rank(dx) > rank(y) or x is not None and rank(x) > rank(y):
        d[y] = refuse(d[z], "trapezoid of one row and several widths", "a y for each")
        d[x] = refuse(d[z], "trapezoid of one row and several widths", "a y for each")
        d[dx] = refuse(d[z], "trapezoid of one row and several widths", "a y for each")
    elif x is None and rank(dx) == 0:
        d[y][between(y, axis, 1, None)] += half * dx
        d[y][between(y, axis, None, -1)] += half * dx
        d[dx] = unbroadcast(d[z] * integrate.trapezoid(y, axis=axis), dx)
    elif x is None:
        heights = y[between(y, axis, 1, None)] + y[between(y, axis, None, -1)]
        d[y][between(y, axis, 1, None)] += half * dx
        d[y][between(y, axis, None, -1)] += half * dx
        d[dx] = unbroadcast(half * heights, dx)
    elif rank(x) == 1 and rank(y) is not None and rank(y) != 1:
        gaps = unreduce(np.diff(x), y, others(y, axis), False)
        heights = y[between(y, axis, 1, None)] + y[between(y, axis, None, -1)]
        d[y][between(y, axis, 1, None)] += half * gaps
        d[y][between(y, axis, None, -1)] += half * gaps
        slope = np.sum(half * heights, axis=others(y, axis))
        d[x][1:] += slope
        d[x][:-1] += -slope
    elif axis == -1 or (rank(y) is not None and rank(x) == rank(y)):
        gaps = np.diff(x, axis=axis)
        heights = y[between(y, axis, 1, None)] + y[between(y, axis, None, -1)]
        d[y][between(y, axis, 1, None)] += half * gaps
        d[y][between(y, axis, None, -1)] += half * gaps
        slope = unbroadcast(half * heights, gaps)
        d[x][between(x, axis, 1, None)] += slope
        d[x][between(x, axis, None, -1)] += -slope
    else:
        d[y] = refuse(d[z], "trapezoid of arrays of unknown rank", "shape facts")
        d[x] = refuse(d[z], "trapezoid of arrays of unknown rank", "shape facts")


@linear("y")
def simpson(z, y, *, x=None, dx=1.0, axis=-1):
    shape[z] = reduced(y, axis, False)
    d[dx] = refuse(d[z], "simpson in its spacing dx", "dx * simpson(y)")
    d[x] = refuse(d[z], "simpson in its places x", "an x that is held constant")
    if rank(y) is None or (x is not None and rank(x) != 1):
        d[y] = refuse(d[z], "simpson of these ranks", "shape facts, and an x of rank 1")
    else:
        flow = unreduce(d[z], y, axis, False)
        weights = _simpson_weights(np.shape(y)[axis], x, dx)
        if rank(y) == 1:
            d[y] = flow * weights
        else:
            d[y] = flow * unreduce(weights, y, others(y, axis), False)
