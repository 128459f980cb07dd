"""Reductions that pass over nan: an entry that is nan gets gradient exactly 0.

np.nanmax and np.nanmin share the rule of np.max: nan equals nothing.
"""

import numpy as np
from gradgen.rules import (
    accumulated,
    d,
    dtype,
    either,
    general,
    holomorphic,
    nonzero,
    reduced,
    shape,
    unreduce,
)


@general
@holomorphic
def nansum(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    d[a] = np.where(np.isnan(a), 0, unreduce(d[z], a, axis, keepdims))


@general
@holomorphic
def nanmean(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    held = ~np.isnan(a)
    entries = np.sum(held, axis=axis, keepdims=True, dtype=dtype(a))
    d[a] = np.where(held, unreduce(d[z], a, axis, keepdims) / nonzero(entries), 0)


@general
def nanvar(z, a, axis=None, *, ddof=0, keepdims=False, correction=None):
    shape[z] = reduced(a, axis, keepdims)
    held = ~np.isnan(a)
    entries = np.sum(held, axis=axis, keepdims=True, dtype=dtype(a))
    slope = 2 * unreduce(d[z], a, axis, keepdims) / (entries - either(correction, ddof))
    centred = a - np.nanmean(a, axis=axis, keepdims=True)
    d[a] = np.where(held, slope * centred, 0)


@general
def nanstd(z, a, axis=None, *, ddof=0, keepdims=False, correction=None):
    shape[z] = reduced(a, axis, keepdims)
    held = ~np.isnan(a)
    entries = np.sum(held, axis=axis, keepdims=True, dtype=dtype(a))
    slope = unreduce(d[z], a, axis, keepdims) / (entries - either(correction, ddof))
    centred = a - np.nanmean(a, axis=axis, keepdims=True)
    scale = unreduce(nonzero(z), a, axis, keepdims)
    d[a] = np.where(held, slope * (centred / scale), 0)


@general
def nanprod(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    lost = np.isnan(a)
    factors = np.where(lost, 1, a)
    slope = unreduce(d[z], a, axis, keepdims)
    d[a] = np.where(lost, 0, slope * _product_of_the_others(factors, axis))


@general
def nancumsum(z, a, axis=None):
    shape[z] = accumulated(a, axis)
    if axis is None:
        later = np.reshape(np.flip(np.cumsum(np.flip(d[z]))), np.shape(a))
        d[a] = np.where(np.isnan(a), 0, later)
    else:
        later = np.flip(np.cumsum(np.flip(d[z], axis), axis=axis), axis)
        d[a] = np.where(np.isnan(a), 0, later)
