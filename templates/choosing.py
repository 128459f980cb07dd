"""Functions that choose, count or repeat entries by constants."""

import numpy as np
from gradgen.rules import (
    as_array,
    at,
    beyond,
    choices_of,
    count,
    count_of,
    counted,
    d,
    general,
    given,
    integral,
    may_be_mask,
    is_sequence,
    linear,
    nonzero,
    positions,
    rank,
    refuse,
    shape,
    small,
    spaced,
    t,
    unbroadcast,
    unknown,
)


@general
def choose(z, a, choices, out=None, mode="raise"):
    shape[z] = choices_of(a, choices)
    t[z] = np.choose(a, t[choices], mode=beyond(mode, "raise"))
    if mode == "clip":
        place = np.clip(as_array(a), 0, count_of(choices) - 1)
    elif mode == "wrap":
        place = np.mod(as_array(a), count_of(choices))
    else:
        place = as_array(a)
    for i in positions(choices):
        picked = np.where(np.equal(place, i), small(d[z]), 0)
        d[choices[i]] = unbroadcast(picked, z, choices[i])


@general
def kaiser(z, M, beta):
    shape[z] = given(M)
    d[beta] = refuse(d[z], "np.kaiser in its beta", "a beta that is held constant")


@general
def linspace(z, start, stop, num=50, endpoint=True, *, dtype=None, axis=0):
    shape[z] = spaced(start, stop, num, axis)
    share = np.linspace(0, 1, num, endpoint=endpoint)
    if integral(dtype):
        d[start] = refuse(d[z], "np.linspace in integers", "a floating dtype")
        d[stop] = refuse(d[z], "np.linspace in integers", "a floating dtype")
    elif rank(start) != 0 or rank(stop) != 0:
        if rank(start) is None or rank(stop) is None:
            d[start] = _linspace_adjoint(d[z], start, axis, endpoint, 0)
            d[stop] = _linspace_adjoint(d[z], stop, axis, endpoint, 1)
        else:
            flow = np.moveaxis(d[z], axis, 0)
            if rank(start) == 0:
                d[start] = unbroadcast(np.tensordot(1 - share, flow, 1), start)
            else:
                own = np.linspace(0, 1, num, endpoint=endpoint, dtype=dtype(start))
                d[start] = unbroadcast(np.tensordot(1 - own, flow, 1), start)
            if rank(stop) == 0:
                d[stop] = unbroadcast(np.tensordot(share, flow, 1), stop)
            else:
                own = np.linspace(0, 1, num, endpoint=endpoint, dtype=dtype(stop))
                d[stop] = unbroadcast(np.tensordot(own, flow, 1), stop)
        t[z] = np.linspace(
            t[start], np.zeros_like(stop), num, endpoint=endpoint, axis=axis
        ) + np.linspace(
            np.zeros_like(start), t[stop], num, endpoint=endpoint, axis=axis
        )
    else:
        d[start] = np.sum(d[z] * (1 - share))
        d[stop] = np.sum(d[z] * share)
        t[z] = t[start] * (1 - share) + t[stop] * share


@linear("a")
def resize(z, a, new_shape):
    shape[z] = given(new_shape)
    places = np.resize(np.arange(count(a, None)), new_shape)
    d[a] = _added_along_axis(d[z], a, places, None)


@linear("a")
def compress(z, condition, a, axis=None):
    shape[z] = unknown(z)
    if axis is not None:
        d[a][at(a, axis, np.flatnonzero(condition))] += d[z]
    elif rank(a) == 1:
        d[a][np.flatnonzero(condition)] += d[z]
    else:
        d[a] = _added_along_axis(d[z], a, np.flatnonzero(condition), None)


@linear("arr")
def extract(z, condition, arr):
    shape[z] = counted(z)
    if rank(arr) is not None and rank(condition) == rank(arr):
        d[arr][condition] += d[z]
    else:
        d[arr] = _added_along_axis(d[z], arr, np.flatnonzero(condition), None)


@linear("weights")
def bincount(z, x, weights=None, minlength=0):
    shape[z] = counted(z)
    if may_be_mask(x):
        d[weights] = d[z][at(z, 0, np.asarray(x) * 1)]
    else:
        d[weights] = d[z][at(z, 0, as_array(x))]


@general
def histogram(z, a, bins=10, range=None, density=None, weights=None):
    shape[z[0]] = counted(z)
    shape[z[1]] = counted(z)
    last = np.size(z[1]) - 2
    # Counts are steps in a; edges that are not told reach from its least to its largest.
    if range is None and rank(bins) == 0:
        share = np.linspace(0, 1, np.size(z[1]))
        low = np.sum(d[z[1]] * (1 - share))
        high = np.sum(d[z[1]] * share)
        if density:
            narrow = np.sum(d[z[0]] * z[0]) / (z[1][-1] - z[1][0])
            below = low + narrow
            above = high - narrow
        else:
            below = low
            above = high
        first = as_array(a) == z[1][0]
        end = as_array(a) == z[1][-1]
        lowest = np.where(first, below / np.sum(first), 0)
        d[a] = lowest + np.where(end, above / np.sum(end), 0)
    elif range is None and rank(bins) is None and not is_sequence(bins):
        d[a] = refuse(d[z[0]], "np.histogram in a", "a number of bins, by a shape fact")
    else:
        d[a] = 0 * np.sum(d[z[0]])
        if is_sequence(range) and rank(bins) == 0:
            for i in positions(range):
                share = np.linspace(1 - i, i, np.size(z[1]))
                if density:
                    narrow = np.sum(d[z[0]] * z[0]) / (z[1][-1] - z[1][0])
                    d[range[i]] = np.sum(d[z[1]] * share) + (1 - 2 * i) * narrow
                else:
                    d[range[i]] = np.sum(d[z[1]] * share)
        elif range is not None:
            d[range] = refuse(d[z[1]], "np.histogram in its range", "(low, high)")
    held = (as_array(a) >= z[1][0]) & (as_array(a) <= z[1][-1])
    places = np.clip(np.searchsorted(z[1], a, side="right") - 1, 0, last)
    if density:
        # The counts over the widths of the bins, and over their sum.
        total = np.sum(np.where(held, weights, 0))
        flow = d[z[0]] / np.diff(z[1]) - np.sum(d[z[0]] * z[0])
        d[weights] = np.where(held, flow[places] / nonzero(total), 0)
        counts = np.histogram(a, z[1], weights=t[weights])[0]
        change = counts / np.diff(z[1]) - z[0] * np.sum(counts)
        t[z[0]] = change / nonzero(total)
    else:
        d[weights] = np.where(held, d[z[0]][places], 0)
        t[z[0]] = np.histogram(a, z[1], weights=t[weights])[0]
    t[z[1]] = 0 * z[1]
