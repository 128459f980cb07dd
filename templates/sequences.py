"""Functions along an axis whose order matters: sorting, taking, differences.

at(x, axis, i) and between(x, axis, start, stop) are keys: x[:, i], x[:, start:stop].
A read-out by order, index or place flows back to the entries that were read.
"""

import numpy as np
from gradgen.rules import (
    accumulated,
    amid,
    any_true,
    as_array,
    at,
    before,
    behind,
    between,
    beyond,
    chosen,
    convolved,
    count,
    counted,
    d,
    differenced,
    elementwise,
    first_true,
    floats,
    general,
    holomorphic,
    integer,
    may_be_mask,
    key_of,
    lengthened,
    linear,
    others,
    positions,
    rank,
    reduced,
    refuse,
    same,
    shape,
    small,
    t,
    taken,
    taken_along,
    unbroadcast,
    unreduce,
    varies,
    widths,
)


@general
def sort(z, a, axis=-1, kind=None, *, stable=None):
    shape[z] = accumulated(a, axis)
    if axis is None:
        places = np.argsort(np.argsort(np.ravel(a)))
        d[a] = np.reshape(d[z][places], np.shape(a))
        t[z] = np.ravel(t[a])[np.argsort(np.ravel(a))]
    elif rank(a) == 1:
        d[a][np.argsort(a)] += d[z]
        t[z] = t[a][np.argsort(a)]
    else:
        order = np.argsort(a, axis=axis)
        d[a] = np.take_along_axis(d[z], np.argsort(order, axis=axis), axis=axis)
        t[z] = np.take_along_axis(t[a], order, axis=axis)


@general
def partition(z, a, kth, axis=-1):
    shape[z] = accumulated(a, axis)
    # np.argpartition may leave another order than np.partition: match by value.
    if axis is None:
        places = np.argsort(z)[np.argsort(np.argsort(np.ravel(a)))]
        d[a] = np.reshape(d[z][places], np.shape(a))
        t[z] = np.ravel(t[a])[np.argsort(np.ravel(a))[np.argsort(np.argsort(z))]]
    elif rank(a) == 1:
        d[a] = d[z][np.argsort(z)[np.argsort(np.argsort(a))]]
        t[z] = t[a][np.argsort(a)[np.argsort(np.argsort(z))]]
    else:
        before = np.argsort(a, axis=axis)
        after = np.argsort(z, axis=axis)
        forth = np.take_along_axis(after, np.argsort(before, axis=axis), axis=axis)
        back = np.take_along_axis(before, np.argsort(after, axis=axis), axis=axis)
        d[a] = np.take_along_axis(d[z], forth, axis=axis)
        t[z] = np.take_along_axis(t[a], back, axis=axis)


@integer
def argsort(z, a, axis=-1, kind=None, *, stable=None):
    shape[z] = accumulated(a, axis, True)


@integer
def lexsort(z, keys, axis=-1):
    shape[z] = key_of(keys)


@integer
def argpartition(z, a, kth, axis=-1):
    shape[z] = accumulated(a, axis, True)


@linear("a")
@holomorphic
def take(z, a, indices, axis=None, *, mode="raise"):
    shape[z] = taken(a, indices, axis)
    if mode == "raise" and not may_be_mask(indices):
        if axis is not None or rank(a) == 1:
            d[a][at(a, axis, indices)] += d[z]
        else:
            d[a] = _added_along_axis(d[z], a, indices, None)
    else:
        if mode == "clip":
            places = np.clip(indices, 0, count(a, axis) - 1)
        elif mode == "raise":
            places = np.asarray(indices) * 1  # True is the place 1 here, and no mask
        else:
            places = np.mod(indices, count(a, axis))
        if axis is not None or rank(a) == 1:
            d[a][at(a, axis, places)] += d[z]
        else:
            d[a] = _added_along_axis(d[z], a, places, None)


@linear("arr")
@holomorphic
def take_along_axis(z, arr, indices, axis=-1):
    shape[z] = taken_along(arr, indices, axis)
    d[arr] = _added_along_axis(d[z], arr, indices, axis)


@general
@holomorphic
def diff(z, a, n=1, axis=-1, prepend=None, append=None):
    shape[z] = differenced(a, n, axis, prepend, append)
    if prepend is None and append is None:
        t[z] = np.diff(t[a], n=n, axis=axis)
    elif append is None:
        t[z] = np.diff(t[a], n=n, axis=axis, prepend=t[prepend])
    elif prepend is None:
        t[z] = np.diff(t[a], n=n, axis=axis, append=t[append])
    else:
        t[z] = np.diff(t[a], n=n, axis=axis, prepend=t[prepend], append=t[append])
    if n == 0:
        d[a] = d[z]
    elif prepend is not None or append is not None or n > 3:
        if rank(a) is None:
            flow = _diff_adjoint(d[z], n, axis)
            sign = 1
        else:
            around = np.pad(d[z], widths(a, axis, n))
            flow = np.diff(around, n=beyond(n, 1), axis=beyond(axis, -1))
            sign = (-1) ** n
        d[a] = sign * amid(flow, prepend, a, append, axis, n)
        if prepend is not None:
            d[prepend] = unbroadcast(sign * before(flow, prepend, axis), prepend)
        if append is not None:
            d[append] = unbroadcast(
                sign * behind(flow, prepend, a, append, axis), append
            )
    elif n == 1:
        d[a][between(a, axis, 1, None)] += d[z]
        d[a][between(a, axis, None, -1)] += -small(d[z])
    elif n == 2:
        d[a][between(a, axis, 2, None)] += d[z]
        d[a][between(a, axis, 1, -1)] += -2 * small(d[z])
        d[a][between(a, axis, None, -2)] += d[z]
    elif n == 3:
        d[a][between(a, axis, 3, None)] += d[z]
        d[a][between(a, axis, 2, -1)] += -3 * small(d[z])
        d[a][between(a, axis, 1, -2)] += 3 * small(d[z])
        d[a][between(a, axis, None, -3)] += -small(d[z])


@linear("y", "x", "dx")
@holomorphic
def trapezoid(z, y, x=None, dx=1, axis=-1):
    shape[z] = reduced(y, axis, False)
    half = unreduce(d[z], y, axis, False) / 2
    if rank(dx) > rank(y) or x is not None and rank(x) > rank(y):
        d[y] = refuse(d[z], "trapezoid of one row and several widths", "a y for each")
        d[x] = refuse(d[z], "trapezoid of one row and several widths", "a y for each")
        d[dx] = refuse(d[z], "trapezoid of one row and several widths", "a y for each")
    elif x is None and rank(dx) == 0:
        d[y][between(y, axis, 1, None)] += half * dx
        d[y][between(y, axis, None, -1)] += half * dx
        d[dx] = unbroadcast(d[z] * np.trapezoid(y, axis=axis), dx)
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
        d[y] = refuse(d[z], "np.trapezoid of arrays of unknown rank", "shape facts")
        d[x] = refuse(d[z], "np.trapezoid of arrays of unknown rank", "shape facts")


@general
def interp(z, x, xp, fp, left=None, right=None, period=None):
    shape[z] = same(x)
    if period is None:
        place = x
        knots = _increasing(floats(xp))
        heights = floats(fp)
    else:
        # One round of the knots in order, and the next one at each end.
        place = np.mod(x, period)
        rest = np.mod(floats(xp), period)
        order = np.argsort(rest)
        around = np.concatenate([order[-1:], order, order[:1]])
        ends = (rest[order[-1:]] - period, rest[order[:1]] + period)
        knots = np.concatenate([ends[0], rest[order], ends[1]])
        heights = as_array(floats(fp))[around]
    slopes = np.pad(np.diff(heights) / np.diff(knots), 1)
    left_of = np.searchsorted(knots, place)
    right_of = np.searchsorted(knots, place, side="right")
    slope = (slopes[left_of] + slopes[right_of]) / 2  # a knot: the mean of both sides
    upper = np.clip(left_of, 1, count(knots, 0) - 1)
    lower = upper - 1
    width = knots[upper] - knots[lower] + (lower < 0)
    share = np.clip((place - knots[lower]) / width, 0, 1)
    rise = share
    fall = 1 - share
    if period is not None:
        lower = around[lower]
        upper = around[upper]
    if period is None and left is not None:
        below = as_array(x) < knots[0]
        fall = np.where(below, 0, fall)
        d[left] = np.sum(np.where(below, d[z], 0))
        if varies(t[left]):
            t[z] = np.where(below, t[left], 0)
    if period is None and right is not None:
        above = as_array(x) > knots[-1]
        rise = np.where(above, 0, rise)
        d[right] = np.sum(np.where(above, d[z], 0))
        if varies(t[right]):
            t[z] = np.where(above, t[right], 0)
    d[x] = small(d[z]) * slope
    d[xp][lower] += -small(d[z]) * slope * (1 - share)
    d[xp][upper] += -small(d[z]) * slope * share
    d[fp][lower] += small(d[z]) * fall
    d[fp][upper] += small(d[z]) * rise
    if varies(t[x]):
        t[z] = slope * t[x]
    if varies(t[xp]):
        knots_move = (1 - share) * t[xp][lower] + share * t[xp][upper]
        t[z] = -slope * knots_move
    if varies(t[fp]):
        t[z] = fall * as_array(t[fp])[lower] + rise * as_array(t[fp])[upper]


@linear("a", "v")
def convolve(z, a, v, mode="full"):
    shape[z] = convolved(a, v, mode)
    if mode == "full":
        d[a] = np.correlate(d[z], v, "valid")
        d[v] = np.correlate(d[z], a, "valid")
    else:
        d[a] = _convolve_adjoint(d[z], a, v, mode)
        d[v] = _convolve_adjoint(d[z], v, a, mode)


@linear("a", "v")
def correlate(z, a, v, mode="valid"):
    shape[z] = convolved(a, v, mode)
    if mode == "full":
        d[a] = np.convolve(d[z], v, "valid")
        d[v] = np.flip(np.correlate(d[z], a, "valid"))
    else:
        d[a] = _correlate_left(d[z], a, v, mode)
        d[v] = _correlate_right(d[z], a, v, mode)


@general
@holomorphic
def select(z, condlist, choicelist, default=0):
    shape[z] = chosen(condlist, choicelist, default)
    for i in positions(choicelist):
        picked = np.where(first_true(condlist, i), small(d[z]), 0)
        d[choicelist[i]] = unbroadcast(picked, z, choicelist[i])
    rest = np.where(any_true(condlist), 0, small(d[z]))
    d[default] = unbroadcast(rest, z, default)
    if varies(t[default]):
        t[z] = np.select(condlist, t[choicelist], t[default])
    else:
        t[z] = np.select(condlist, t[choicelist])


@general
def unwrap(z, p, discont=None, axis=-1, *, period=None):
    shape[z] = same(p)
    d[p] = d[z]
    t[z] = t[p]


@elementwise
def nan_to_num(z, x, *, nan=0.0, posinf=None, neginf=None):
    d[x] = np.where(np.isfinite(x), d[z], 0)
    d[nan] = np.where(np.isnan(x), d[z], 0)
    d[posinf] = np.where(x == np.inf, d[z], 0)
    d[neginf] = np.where(x == -np.inf, d[z], 0)


@elementwise
def sinc(z, x):
    slope = (np.cos(np.pi * x) - z) / np.where(x == 0, 1, x)
    # its series, where the difference cancels: of second derivatives as well
    d[x] = d[z] * np.where(np.abs(x) < 1e-4, -(np.pi**2) / 3 * x, slope)


@integer
def searchsorted(z, a, v, side="left"):
    shape[z] = same(v)


@integer
def digitize(z, x, bins, right=False):
    shape[z] = same(x)


@integer
def flatnonzero(z, a):
    shape[z] = counted(z)
