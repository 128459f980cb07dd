"""Ranges in equal ratios, running extremes, quotients with their remainders."""

import numpy as np
from gradgen.rules import (
    accumulated,
    broadcast,
    constant,
    count,
    counted,
    d,
    elementwise,
    general,
    integer,
    is_number,
    named,
    of_triangle,
    ranged,
    rank,
    refuse,
    shape,
    spaced,
    t,
    unbroadcast,
    unknown,
    unused,
)
from scipy import special


@general
def logspace(z, start, stop, num=50, endpoint=True, base=10.0):
    shape[z] = spaced(start, stop, num)
    if rank(start) != 0 or rank(stop) != 0 or not is_number(base):
        d[start] = refuse(d[z], "np.logspace between arrays", "numbers, by shape facts")
        d[stop] = refuse(d[z], "np.logspace between arrays", "numbers, by shape facts")
        d[base] = refuse(d[z], "np.logspace in its base", "base ** np.linspace(...)")
    else:
        share = np.linspace(0, 1, num, endpoint=endpoint)
        slope = z * np.log(base)
        d[start] = np.sum(d[z] * slope * (1 - share))
        d[stop] = np.sum(d[z] * slope * share)
        t[z] = slope * (t[start] * (1 - share) + t[stop] * share)


@general
def geomspace(z, start, stop, num=50, endpoint=True):
    shape[z] = spaced(start, stop, num)
    if rank(start) != 0 or rank(stop) != 0:
        d[start] = refuse(d[z], "np.geomspace between arrays", "numbers, by facts")
        d[stop] = refuse(d[z], "np.geomspace between arrays", "numbers, by facts")
    else:
        share = np.linspace(0, 1, num, endpoint=endpoint)
        d[start] = np.sum(d[z] * z * (1 - share)) / start
        d[stop] = np.sum(d[z] * z * share) / stop
        t[z] = z * ((1 - share) * t[start] / start + share * t[stop] / stop)


@general
def ediff1d(z, ary, to_end=None, to_begin=None):
    shape[z] = counted(z)
    if to_begin is None and to_end is None:
        t[z] = np.ediff1d(t[ary])
        flow = d[z]
    elif to_begin is None:
        t[z] = np.ediff1d(t[ary], to_end=t[to_end])
        flow = d[z][: count(ary, None) - 1]
        d[to_end] = np.reshape(d[z][count(ary, None) - 1 :], np.shape(to_end))
    elif to_end is None:
        t[z] = np.ediff1d(t[ary], to_begin=t[to_begin])
        flow = d[z][count(to_begin, None) :]
        d[to_begin] = np.reshape(d[z][: count(to_begin, None)], np.shape(to_begin))
    else:
        t[z] = np.ediff1d(t[ary], t[to_end], t[to_begin])
        ahead = count(to_begin, None)
        inner = ahead + count(ary, None) - 1
        flow = d[z][ahead:inner]
        d[to_begin] = np.reshape(d[z][:ahead], np.shape(to_begin))
        d[to_end] = np.reshape(d[z][inner:], np.shape(to_end))
    d[ary] = np.reshape(-np.diff(np.pad(flow, 1)), np.shape(ary))


@general
def divmod(z, x1, x2):
    shape[z[0]] = broadcast(x1, x2)
    shape[z[1]] = broadcast(x1, x2)
    if not unused(d[z[1]]):
        d[x1] = unbroadcast(d[z[1]], x1)
        d[x2] = unbroadcast(-d[z[1]] * z[0], x2)
    t[z[0]] = 0 * (t[x1] + t[x2])
    t[z[1]] = t[x1] - z[0] * t[x2]


@general
@named("maximum.accumulate", "minimum.accumulate", "fmax.accumulate", "fmin.accumulate")
def running(z, array, axis=0):
    shape[z] = accumulated(array, axis)
    if rank(array) is None:
        d[array] = refuse(d[z], "a running extreme of unknown rank", "a shape fact")
    else:
        # the latest of the entries that are as large so far
        steps = np.cumsum(np.ones_like(array, dtype="int"), axis=axis) - 1
        places = np.maximum.accumulate(np.where(array == z, steps, 0), axis=axis)
        d[array] = _added_along_axis(d[z], array, places, axis)
        t[z] = np.take_along_axis(t[array], places, axis=axis)


@constant
def spacing(z, x):
    pass  # 0 everywhere, steps included


@elementwise
def i0(z, x):
    d[x] = d[z] * special.i1(x)


@integer
def triu_indices(z, n, k=0, m=None):
    shape[z] = of_triangle("upper", n, k, m)


@integer
def tril_indices(z, n, k=0, m=None):
    shape[z] = of_triangle("lower", n, k, m)


@integer
def triu_indices_from(z, arr, k=0):
    shape[z] = of_triangle("upper", arr, k)


@integer
def tril_indices_from(z, arr, k=0):
    shape[z] = of_triangle("lower", arr, k)


@integer
def diag_indices(z, n):
    shape[z[0]] = ranged(n, None, None)
    shape[z[1]] = ranged(n, None, None)


@integer
def diag_indices_from(z, arr):
    shape[z[0]] = ranged(count(arr, 0), None, None)
    shape[z[1]] = ranged(count(arr, 0), None, None)


@integer
def argwhere(z, a):
    shape[z] = unknown(z)


@general
def unique(z, ar):
    shape[z] = counted(z)
    d[ar] = refuse(d[z], "np.unique: how many it keeps depends on values", "a constant")
