"""Functions that remove axes.

unreduce(g, x, axis, keepdims) is g stretched back over the axes that were
removed; it prints as nothing where numpy's broadcasting does the stretching.
count(a, axis) is the number of entries that were reduced into one.
"""

import numpy as np
from gradgen.rules import (
    accumulated,
    count,
    d,
    dtype,
    general,
    integer,
    like,
    linear,
    nonzero,
    reduced,
    same,
    shape,
    unreduce,
)


@linear("a")
def sum(z, a, axis=None, dtype=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    d[a] = unreduce(d[z], a, axis, keepdims)


@linear("a")
def mean(z, a, axis=None, dtype=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    d[a] = unreduce(d[z] / count(a, axis), a, axis, keepdims)


@general
def var(z, a, axis=None, *, ddof=0, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    d[a] = unreduce(2 * d[z] / (count(a, axis) - ddof), a, axis, keepdims) * centred


@general
def std(z, a, axis=None, *, ddof=0, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True)
    scale = unreduce(nonzero(z), a, axis, keepdims)
    slope = unreduce(d[z] / (count(a, axis) - ddof), a, axis, keepdims)
    d[a] = slope * (centred / scale)


@general
@like("amax", "min", "amin")
def max(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    hits = a == unreduce(z, a, axis, keepdims)
    ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(a))
    d[a] = np.where(
        hits, unreduce(d[z], a, axis, keepdims) / ties, 0
    )  # 1/k over k ties


@general
def prod(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    d[a] = unreduce(d[z], a, axis, keepdims) * _product_of_the_others(a, axis)


@linear("a")
def cumsum(z, a, axis=None):
    shape[z] = accumulated(a, axis)
    if axis is None:
        d[a] = np.reshape(np.flip(np.cumsum(np.flip(d[z]))), np.shape(a))
    else:
        d[a] = np.flip(np.cumsum(np.flip(d[z], axis), axis=axis), axis)


@integer
@like("argmin")
def argmax(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)


@integer
def count_nonzero(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)


@integer
def argsort(z, a, axis=-1):
    shape[z] = same(a)
