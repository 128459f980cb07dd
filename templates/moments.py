"""scipy.stats: means, moments and scores along an axis.

Each is the function of sums that scipy's documentation gives; m2, m3 and m4 are central
moments.
"""

import numpy as np
from gradgen.rules import (
    count,
    d,
    general,
    is_sequence,
    rank,
    reduced,
    refuse,
    same,
    shape,
    t,
    unreduce,
)

module = "scipy.stats"


@general
def gmean(z, a, axis=0):
    shape[z] = reduced(a, axis, False)
    share = unreduce(d[z] * z, a, axis, False) / count(a, axis)
    d[a] = share / a
    t[z] = z * np.mean(t[a] / a, axis=axis)


@general
def hmean(z, a, axis=0):
    shape[z] = reduced(a, axis, False)
    share = unreduce(d[z] * z**2, a, axis, False) / count(a, axis)
    d[a] = share / a**2
    t[z] = z**2 * np.mean(t[a] / a**2, axis=axis)


@general
def sem(z, a, axis=0, ddof=1):
    shape[z] = reduced(a, axis, False)
    n = count(a, axis)
    gap = a - np.mean(a, axis=axis, keepdims=True)
    d[a] = unreduce(d[z] / z, a, axis, False) * gap / (n * (n - ddof))
    t[z] = np.sum(gap * t[a], axis=axis) / z / (n * (n - ddof))


@general
def zscore(z, a, axis=0, ddof=0, nan_policy="propagate"):
    shape[z] = same(a)
    n = count(a, axis)
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=True)
    level = np.mean(d[z], axis=axis, keepdims=True)
    pull = np.sum(d[z] * z, axis=axis, keepdims=True) / (n - ddof)
    if nan_policy != "propagate":
        d[a] = refuse(d[z], "zscore with this nan_policy", "nan_policy='propagate'")
    else:
        d[a] = (d[z] - level - z * pull) / spread
        moved = t[a] - np.mean(t[a], axis=axis, keepdims=True)
        turned = np.sum(t[a] * z, axis=axis, keepdims=True) / (n - ddof)
        t[z] = (moved - z * turned) / spread


@general
def moment(z, a, order=1, axis=0):
    shape[z] = reduced(a, axis, False)
    if is_sequence(order) or rank(order) is not None and rank(order) > 0:
        d[a] = refuse(d[z], "moments of several orders", "a call for each order")
        t[z] = refuse(t[a], "moments of several orders", "a call for each order")
    else:
        gap = a - np.mean(a, axis=axis, keepdims=True)
        power = gap ** (order - 1)
        slope = order * (power - np.mean(power, axis=axis, keepdims=True))
        d[a] = unreduce(d[z], a, axis, False) / count(a, axis) * slope
        t[z] = np.mean(slope * t[a], axis=axis)


@general
def skew(z, a, axis=0, bias=True):
    shape[z] = reduced(a, axis, False)
    if bias:
        gap = a - np.mean(a, axis=axis, keepdims=True)
        m2 = np.mean(gap**2, axis=axis, keepdims=True)
        m3 = np.mean(gap**3, axis=axis, keepdims=True)
        slope = 3 * (gap**2 - m2 - m3 / m2 * gap) / m2**1.5
        d[a] = unreduce(d[z], a, axis, False) / count(a, axis) * slope
        t[z] = np.mean(slope * t[a], axis=axis)
    else:
        d[a] = refuse(d[z], "skew with bias=False", "bias=True, scaled after it")


@general
def kurtosis(z, a, axis=0, fisher=True, bias=True):
    shape[z] = reduced(a, axis, False)
    if bias:
        gap = a - np.mean(a, axis=axis, keepdims=True)
        m2 = np.mean(gap**2, axis=axis, keepdims=True)
        m3 = np.mean(gap**3, axis=axis, keepdims=True)
        m4 = np.mean(gap**4, axis=axis, keepdims=True)
        slope = 4 * (gap**3 - m3 - m4 / m2 * gap) / m2**2
        d[a] = unreduce(d[z], a, axis, False) / count(a, axis) * slope
        t[z] = np.mean(slope * t[a], axis=axis)
    else:
        d[a] = refuse(d[z], "kurtosis with bias=False", "bias=True, scaled after it")
