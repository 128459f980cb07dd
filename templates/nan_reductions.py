"""Reductions that pass over nan: an entry that is nan gets gradient exactly 0.

np.nanmax and np.nanmin share the rule of np.max: nan equals nothing.
"""

import numpy as np
from gradgen.rules import (
    accumulated,
    both,
    d,
    dtype,
    either,
    general,
    holomorphic,
    nonzero,
    reduced,
    shape,
    t,
    unbroadcast,
    unreduce,
    varies,
)


@general
@holomorphic
def nansum(z, a, axis=None, *, keepdims=False, initial=None, where=None):
    shape[z] = reduced(a, axis, keepdims)
    held = both(~np.isnan(a), where)
    d[a] = np.where(held, unreduce(d[z], a, axis, keepdims), 0)
    d[initial] = unbroadcast(d[z], initial)
    if varies(t[a]):
        t[z] = np.sum(np.where(held, t[a], 0), axis=axis, keepdims=keepdims)
    if varies(t[initial]):
        t[z] = 0 * z + t[initial]


@general
@holomorphic
def nanmean(z, a, axis=None, *, keepdims=False, where=None):
    shape[z] = reduced(a, axis, keepdims)
    held = both(~np.isnan(a), where)
    entries = np.sum(held, axis=axis, keepdims=True, dtype=dtype(a))
    d[a] = np.where(held, unreduce(d[z], a, axis, keepdims) / nonzero(entries), 0)
    shares = np.where(held, t[a] / nonzero(entries), 0)
    t[z] = np.sum(shares, axis=axis, keepdims=keepdims)


@general
def nanvar(z, a, axis=None, *, ddof=0, keepdims=False, where=None, correction=None):
    shape[z] = reduced(a, axis, keepdims)
    held = both(~np.isnan(a), where)
    entries = np.sum(held, axis=axis, keepdims=True, dtype=dtype(a))
    freedom = entries - either(correction, ddof)
    slope = 2 * unreduce(d[z], a, axis, keepdims) / freedom
    middle = np.nanmean(a, axis=axis, keepdims=True, where=where)
    centred = np.where(held, a - middle, 0)
    d[a] = np.where(held, slope * centred, 0)
    shares = np.where(held, 2 * t[a] * centred / freedom, 0)
    t[z] = np.sum(shares, axis=axis, keepdims=keepdims)


@general
def nanstd(z, a, axis=None, *, ddof=0, keepdims=False, where=None, correction=None):
    shape[z] = reduced(a, axis, keepdims)
    held = both(~np.isnan(a), where)
    entries = np.sum(held, axis=axis, keepdims=True, dtype=dtype(a))
    freedom = entries - either(correction, ddof)
    slope = unreduce(d[z], a, axis, keepdims) / freedom
    middle = np.nanmean(a, axis=axis, keepdims=True, where=where)
    centred = np.where(held, a - middle, 0)
    scale = unreduce(nonzero(z), a, axis, keepdims)
    moving = both(entries > 1, held)
    d[a] = np.where(moving, slope * (centred / scale), 0)
    shares = np.where(moving, t[a] * (centred / scale) / freedom, 0)
    t[z] = np.sum(shares, axis=axis, keepdims=keepdims)


@general
def nanprod(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    lost = np.isnan(a)
    factors = np.where(lost, 1, a)
    slope = unreduce(d[z], a, axis, keepdims)
    others_of_each = _product_of_the_others(factors, axis)
    d[a] = np.where(lost, 0, slope * others_of_each)
    shares = np.where(lost, 0, t[a] * others_of_each)
    t[z] = np.sum(shares, axis=axis, keepdims=keepdims)


@general
def nancumsum(z, a, axis=None):
    shape[z] = accumulated(a, axis, True)
    t[z] = np.cumsum(np.where(np.isnan(a), 0, t[a]), axis=axis)
    if axis is None:
        later = np.reshape(np.flip(np.cumsum(np.flip(d[z]))), np.shape(a))
        d[a] = np.where(np.isnan(a), 0, later)
    else:
        later = np.flip(np.cumsum(np.flip(d[z], axis), axis=axis), axis)
        d[a] = np.where(np.isnan(a), 0, later)


@general
def nancumprod(z, a, axis=None):
    shape[z] = accumulated(a, axis, True)
    factors = np.where(np.isnan(a), 1, a)
    d[a] = np.where(np.isnan(a), 0, _cumprod_adjoint(d[z], factors, axis))
    t[z] = _cumprod_tangent(np.where(np.isnan(a), 0, t[a]), factors, axis)


@general
def nanmedian(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    # The two middle entries: the same one where their number is odd.
    middle = unreduce(z, a, axis, keepdims)
    below = np.where(a <= middle, a, -np.inf)
    above = np.where(a >= middle, a, np.inf)
    lower = a == np.max(below, axis=axis, keepdims=True, initial=-np.inf)
    upper = a == np.min(above, axis=axis, keepdims=True, initial=np.inf)
    lowers = np.sum(lower, axis=axis, keepdims=True, dtype=dtype(a))
    uppers = np.sum(upper, axis=axis, keepdims=True, dtype=dtype(a))
    middles = np.logical_or(lower, upper)
    share = (lower / lowers + upper / uppers) / 2
    d[a] = np.where(
        middles, unreduce(d[z], a, axis, keepdims) * share, 0
    )  # 1/k over k ties
    t[z] = np.sum(np.where(middles, t[a] * share, 0), axis=axis, keepdims=keepdims)
