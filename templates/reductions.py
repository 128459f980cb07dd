"""Functions that remove axes.

unreduce(g, x, axis, keepdims) is g stretched back over the axes that were
removed; it prints as nothing where numpy's broadcasting does the stretching.
count(a, axis) is the number of entries that were reduced into one. numpy's
defaults of where= and initial= are private objects; None stands for them here.
"""

import numpy as np
from gradgen.rules import (
    as_array,
    between,
    both,
    conj,
    count,
    d,
    dtype,
    either,
    general,
    holomorphic,
    integer,
    integral,
    is_number,
    is_flat,
    like,
    linear,
    never,
    nonzero,
    others,
    own_line,
    positions,
    quantiles,
    rank,
    reduced,
    refuse,
    rising,
    same,
    selected,
    shape,
    t,
    to_real,
    unbroadcast,
    unreduce,
    varies,
)


@general
@holomorphic
def sum(z, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=None):
    shape[z] = reduced(a, axis, keepdims)
    if integral(dtype):
        d[a] = refuse(d[z], "a sum in integers", "a floating dtype")
    else:
        d[a] = selected(where, unreduce(d[z], a, axis, keepdims))
        d[initial] = unbroadcast(d[z], initial)
        if varies(t[a]):
            t[z] = np.sum(t[a], axis=axis, dtype=dtype, keepdims=keepdims, where=where)
        if varies(t[initial]):
            t[z] = 0 * z + t[initial]


@linear("a")
@holomorphic
def mean(z, a, axis=None, dtype=None, *, keepdims=False, where=None):
    shape[z] = reduced(a, axis, keepdims)
    if integral(dtype):
        d[a] = never(d[z], "a mean in integers", "a floating dtype")
    elif where is None:
        d[a] = unreduce(d[z] / count(a, axis), a, axis, keepdims)
    else:
        entries = np.sum(np.ones_like(a), axis=axis, keepdims=True, where=where)
        d[a] = np.where(where, unreduce(d[z], a, axis, keepdims) / entries, 0)


@general
@holomorphic
def average(z, a, axis=None, weights=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    if weights is None:
        d[a] = unreduce(d[z] / count(a, axis), a, axis, keepdims)
        t[z] = np.mean(t[a], axis=axis, keepdims=keepdims)
    elif axis is None or (rank(a) == 1 and rank(as_array(weights)) == 1):
        slope = unreduce(d[z] / nonzero(np.sum(weights)), a, axis, keepdims)
        from_mean = a - unreduce(z, a, axis, keepdims)
        d[a] = slope * as_array(weights)
        d[weights] = slope * from_mean
        if varies(t[a]):
            t[z] = np.average(t[a], axis=axis, weights=weights, keepdims=keepdims)
        if varies(t[weights]):
            moved = np.sum(t[weights] * from_mean, axis=axis, keepdims=keepdims)
            t[z] = moved / nonzero(np.sum(weights))
    elif rank(a) is None or rank(as_array(weights)) is None:
        d[a] = refuse(d[z], "np.average of arrays of unknown rank", "shape facts")
        d[weights] = refuse(d[z], "np.average of arrays of unknown rank", "shape facts")
    elif rank(a) == rank(as_array(weights)):
        total = np.sum(weights, axis=axis, keepdims=keepdims)
        slope = unreduce(d[z] / nonzero(total), a, axis, keepdims)
        from_mean = a - unreduce(z, a, axis, keepdims)
        d[a] = slope * as_array(weights)
        d[weights] = slope * from_mean
        if varies(t[a]):
            t[z] = np.average(t[a], axis=axis, weights=weights, keepdims=keepdims)
        if varies(t[weights]):
            moved = np.sum(t[weights] * from_mean, axis=axis, keepdims=keepdims)
            t[z] = moved / nonzero(total)
    elif rising(a, axis):
        rest = unreduce(as_array(weights), a, others(a, axis), False)
        slope = unreduce(d[z] / nonzero(np.sum(weights)), a, axis, keepdims)
        from_mean = a - unreduce(z, a, axis, keepdims)
        d[a] = slope * rest
        d[weights] = np.sum(slope * from_mean, axis=others(a, axis))
        if varies(t[a]):
            t[z] = np.average(t[a], axis=axis, weights=weights, keepdims=keepdims)
        if varies(t[weights]):
            change = unreduce(t[weights], a, others(a, axis), False)
            moved = np.sum(change * from_mean, axis=axis, keepdims=keepdims)
            t[z] = moved / nonzero(np.sum(weights))
    else:
        d[a] = refuse(d[z], "np.average in this form", "weights of the same shape")
        d[weights] = refuse(
            d[z], "np.average in this form", "weights of the same shape"
        )


@general
@to_real
def var(
    z,
    a,
    axis=None,
    dtype=None,
    *,
    ddof=0,
    keepdims=False,
    where=None,
    correction=None,
):
    shape[z] = reduced(a, axis, keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True, where=where)
    if integral(dtype):
        d[a] = refuse(d[z], "a mean in integers", "a floating dtype")
    elif where is None:
        freedom = count(a, axis) - either(correction, ddof)
        d[a] = unreduce(2 * d[z] / freedom, a, axis, keepdims) * conj(centred)
        total = np.sum(conj(centred) * t[a], axis=axis, keepdims=keepdims)
        t[z] = 2 * total / freedom
    else:
        entries = np.sum(np.ones_like(a), axis=axis, keepdims=True, where=where)
        freedom = entries - either(correction, ddof)
        slope = 2 * unreduce(d[z], a, axis, keepdims) / freedom
        d[a] = np.where(where, slope * conj(centred), 0)
        shares = np.where(where, 2 * t[a] * conj(centred) / freedom, 0)
        t[z] = np.sum(shares, axis=axis, keepdims=keepdims)


@general
@to_real
def std(
    z,
    a,
    axis=None,
    dtype=None,
    *,
    ddof=0,
    keepdims=False,
    where=None,
    correction=None,
):
    shape[z] = reduced(a, axis, keepdims)
    centred = a - np.mean(a, axis=axis, keepdims=True, where=where)
    scale = unreduce(nonzero(z), a, axis, keepdims)
    if integral(dtype):
        d[a] = refuse(d[z], "a mean in integers", "a floating dtype")
    elif where is None:
        freedom = count(a, axis) - either(correction, ddof)
        slope = unreduce(d[z] / freedom, a, axis, keepdims)
        d[a] = slope * (conj(centred) / scale)
        total = np.sum(conj(centred) * t[a], axis=axis, keepdims=keepdims)
        t[z] = total / nonzero(z) / freedom
    else:
        entries = np.sum(np.ones_like(a), axis=axis, keepdims=True, where=where)
        freedom = entries - either(correction, ddof)
        slope = unreduce(d[z], a, axis, keepdims) / freedom
        moving = both(entries > 1, where)
        d[a] = np.where(moving, slope * (conj(centred) / scale), 0)
        shares = np.where(moving, t[a] * (conj(centred) / scale) / freedom, 0)
        t[z] = np.sum(shares, axis=axis, keepdims=keepdims)


@general
@like("amax", "min", "amin", "nanmax", "nanmin")
def max(z, a, axis=None, *, keepdims=False, initial=None, where=None):
    shape[z] = reduced(a, axis, keepdims)
    hits = both(a == unreduce(z, a, axis, keepdims), where)
    found = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(a))
    if initial is None:
        d[a] = np.where(
            hits, unreduce(d[z], a, axis, keepdims) / found, 0
        )  # 1/k over k ties
        t[z] = np.sum(np.where(hits, t[a] / found, 0), axis=axis, keepdims=keepdims)
    else:
        from_initial = z == initial
        ties = found + unreduce(from_initial, a, axis, keepdims)
        d[a] = np.where(hits, unreduce(d[z], a, axis, keepdims) / ties, 0)
        hits_of_each = np.sum(hits, axis=axis, keepdims=keepdims, dtype=dtype(a))
        shared = np.where(from_initial, d[z] / (1 + hits_of_each), 0)
        d[initial] = unbroadcast(shared, initial)
        if varies(t[a]):
            t[z] = np.sum(np.where(hits, t[a] / ties, 0), axis=axis, keepdims=keepdims)
        if varies(t[initial]):
            t[z] = np.where(from_initial, t[initial] / (1 + hits_of_each), 0)


@general
def ptp(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    highest = a == np.max(a, axis=axis, keepdims=True)
    lowest = a == np.min(a, axis=axis, keepdims=True)
    highs = np.sum(highest, axis=axis, keepdims=True, dtype=dtype(a))
    lows = np.sum(lowest, axis=axis, keepdims=True, dtype=dtype(a))
    slope = unreduce(d[z], a, axis, keepdims)
    d[a] = np.where(highest, slope / highs, 0)  # 1/k over k ties
    d[a] = np.where(lowest, -slope / lows, 0)
    ends = np.where(highest, t[a] / highs, 0) - np.where(lowest, t[a] / lows, 0)
    t[z] = np.sum(ends, axis=axis, keepdims=keepdims)


@general
def median(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
    # The two middle entries: the same one where the length is odd.
    middle = unreduce(z, a, axis, keepdims)
    below = np.where(a <= middle, a, -np.inf)
    above = np.where(a >= middle, a, np.inf)
    lower = a == np.max(below, axis=axis, keepdims=True, initial=-np.inf)
    upper = a == np.min(above, axis=axis, keepdims=True, initial=np.inf)
    lowers = np.sum(lower, axis=axis, keepdims=True, dtype=dtype(a))
    uppers = np.sum(upper, axis=axis, keepdims=True, dtype=dtype(a))
    half = unreduce(d[z], a, axis, keepdims) / 2
    d[a] = np.where(lower, half / lowers, 0)  # 1/k over k ties
    d[a] = np.where(upper, half / uppers, 0)
    moved = np.where(lower, t[a] / lowers, 0) + np.where(upper, t[a] / uppers, 0)
    t[z] = np.sum(moved / 2, axis=axis, keepdims=keepdims)


@general
def quantile(z, a, q, axis=None, *, method="linear", keepdims=False):
    shape[z] = quantiles(a, q, axis, keepdims)
    if method == "linear" and rank(q) == 0:
        share = _share_in_quantile(a, q, axis)
        d[a] = np.where(share == 0, 0, unreduce(d[z], a, axis, keepdims) * share)
        t[z] = np.sum(t[a] * share, axis=axis, keepdims=keepdims)
    elif method == "linear" and is_flat(q):
        for i in positions(q):
            share = _share_in_quantile(a, q[i], axis)
            slope = unreduce(d[z][i], a, axis, keepdims)
            d[a] = np.where(share == 0, 0, slope * share)
        t[z] = _quantiles_tangent(t[a], a, q, axis, keepdims)
    elif rank(q) == 0 and (
        method == "lower" or method == "higher" or method == "nearest"
    ):
        hits = a == unreduce(z, a, axis, keepdims)
        ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(a))
        d[a] = np.where(hits, unreduce(d[z], a, axis, keepdims) / ties, 0)
        t[z] = np.sum(np.where(hits, t[a] / ties, 0), axis=axis, keepdims=keepdims)
    else:
        d[a] = refuse(d[z], "np.quantile in this form", "a number for q, or a literal list, and the linear method")


@general
@like("nanpercentile")
def nanquantile(z, a, q, axis=None, *, method="linear", keepdims=False):
    shape[z] = quantiles(a, q, axis, keepdims)
    d[a] = refuse(d[z], "quantiles that pass over nan", "np.nanmedian, or np.quantile")


@general
def percentile(z, a, q, axis=None, *, method="linear", keepdims=False):
    shape[z] = quantiles(a, q, axis, keepdims)
    if method == "linear" and rank(q) == 0:
        share = _share_in_quantile(a, q / 100, axis)
        d[a] = np.where(share == 0, 0, unreduce(d[z], a, axis, keepdims) * share)
        t[z] = np.sum(t[a] * share, axis=axis, keepdims=keepdims)
    elif method == "linear" and is_flat(q):
        for i in positions(q):
            share = _share_in_quantile(a, q[i] / 100, axis)
            slope = unreduce(d[z][i], a, axis, keepdims)
            d[a] = np.where(share == 0, 0, slope * share)
        t[z] = _quantiles_tangent(t[a], a, np.divide(q, 100), axis, keepdims)
    elif rank(q) == 0 and (
        method == "lower" or method == "higher" or method == "nearest"
    ):
        hits = a == unreduce(z, a, axis, keepdims)
        ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(a))
        d[a] = np.where(hits, unreduce(d[z], a, axis, keepdims) / ties, 0)
        t[z] = np.sum(np.where(hits, t[a] / ties, 0), axis=axis, keepdims=keepdims)
    else:
        d[a] = refuse(d[z], "np.percentile in this form", "a number for q, or a literal list, and the linear method")


@general
@holomorphic
def prod(z, a, axis=None, dtype=None, *, keepdims=False, initial=None, where=None):
    shape[z] = reduced(a, axis, keepdims)
    slope = either(initial, 1) * unreduce(d[z], a, axis, keepdims)
    if where is None:
        factors = a
    else:
        factors = np.where(where, a, 1)
    if rank(a) == 0:
        others_of_each = 1
    elif rank(a) == 1:
        before = np.append(np.ones_like(factors[:1]), factors[:-1])
        after = np.append(np.ones_like(factors[:1]), factors[:0:-1])
        left = own_line(np.cumprod(before))
        right = own_line(np.cumprod(after)[::-1])
        others_of_each = left * right
    elif is_number(axis):
        ones = own_line(np.ones_like(factors[between(a, axis, None, 1)]))
        before = np.append(ones, factors[between(a, axis, None, -1)], axis=axis)
        after = np.append(ones, factors[between(a, axis, None, 0, -1)], axis=axis)
        left = own_line(np.cumprod(before, axis=axis))
        later = np.cumprod(after, axis=axis)
        right = own_line(later[between(a, axis, None, None, -1)])
        others_of_each = left * right
    else:
        others_of_each = _product_of_the_others(factors, axis)
    if integral(dtype):
        d[a] = refuse(d[z], "a product in integers", "a floating dtype")
    else:
        d[a] = selected(where, slope * others_of_each)
        if varies(t[a]):
            shares = selected(where, t[a] * others_of_each)
            total = np.sum(shares, axis=axis, keepdims=keepdims)
            t[z] = either(initial, 1) * total
        if varies(t[initial]):
            product = np.prod(a, axis=axis, keepdims=keepdims, where=where)
            t[z] = t[initial] * product
    product = np.prod(a, axis=axis, keepdims=keepdims, where=where)
    d[initial] = unbroadcast(d[z] * product, initial)


@integer
@like("argmin", "nanargmax", "nanargmin")
def argmax(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)


@integer
def count_nonzero(z, a, axis=None, *, keepdims=False):
    shape[z] = reduced(a, axis, keepdims)
