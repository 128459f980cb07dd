"""scipy.stats: means and spreads of angles, spreads beside means, entropy."""

import numpy as np
from gradgen.rules import (
    count,
    d,
    general,
    rank,
    reduced,
    refuse,
    shape,
    t,
    unreduce,
)

module = "scipy.stats"


@general
def circmean(z, samples, high=6.283185307179586, low=0, axis=None):
    shape[z] = reduced(samples, axis, False)
    angle = (samples - low) * (6.283185307179586 / (high - low))
    sine = np.mean(np.sin(angle), axis=axis, keepdims=True)
    cosine = np.mean(np.cos(angle), axis=axis, keepdims=True)
    along = cosine * np.cos(angle) + sine * np.sin(angle)
    slope = along / (sine**2 + cosine**2) / count(samples, axis)
    if rank(high) != 0 or rank(low) != 0:
        d[samples] = refuse(d[z], "circmean with bounds that are no numbers", "floats")
    else:
        d[samples] = unreduce(d[z], samples, axis, False) * slope
        t[z] = np.sum(slope * t[samples], axis=axis)
    d[high] = refuse(d[z], "circmean in its bounds", "angles from 0 to 2 * np.pi")
    d[low] = refuse(d[z], "circmean in its bounds", "angles from 0 to 2 * np.pi")


@general
def circvar(z, samples, high=6.283185307179586, low=0, axis=None):
    shape[z] = reduced(samples, axis, False)
    scale = 6.283185307179586 / (high - low)
    angle = (samples - low) * scale
    sine = np.mean(np.sin(angle), axis=axis, keepdims=True)
    cosine = np.mean(np.cos(angle), axis=axis, keepdims=True)
    across = cosine * np.sin(angle) - sine * np.cos(angle)
    slope = scale * across / np.hypot(sine, cosine) / count(samples, axis)
    if rank(high) != 0 or rank(low) != 0:
        d[samples] = refuse(d[z], "circvar with bounds that are no numbers", "floats")
    else:
        d[samples] = unreduce(d[z], samples, axis, False) * slope
        t[z] = np.sum(slope * t[samples], axis=axis)
    d[high] = refuse(d[z], "circvar in its bounds", "angles from 0 to 2 * np.pi")
    d[low] = refuse(d[z], "circvar in its bounds", "angles from 0 to 2 * np.pi")


@general
def circstd(z, samples, high=6.283185307179586, low=0, axis=None, *, normalize=False):
    shape[z] = reduced(samples, axis, False)
    scale = 6.283185307179586 / (high - low)
    angle = (samples - low) * scale
    sine = np.mean(np.sin(angle), axis=axis, keepdims=True)
    cosine = np.mean(np.cos(angle), axis=axis, keepdims=True)
    square = sine**2 + cosine**2
    across = cosine * np.sin(angle) - sine * np.cos(angle)
    slope = across / square / np.sqrt(-np.log(square)) / count(samples, axis)
    if normalize:
        slope = slope * scale
    if rank(high) != 0 or rank(low) != 0:
        d[samples] = refuse(d[z], "circstd with bounds that are no numbers", "floats")
    else:
        d[samples] = unreduce(d[z], samples, axis, False) * slope
        t[z] = np.sum(slope * t[samples], axis=axis)
    d[high] = refuse(d[z], "circstd in its bounds", "angles from 0 to 2 * np.pi")
    d[low] = refuse(d[z], "circstd in its bounds", "angles from 0 to 2 * np.pi")


@general
def entropy(z, pk, qk=None, base=None, axis=0):
    shape[z] = reduced(pk, axis, False)
    if qk is not None:
        d[pk] = refuse(
            d[z],
            "entropy of two distributions",
            "np.sum(special.rel_entr(p, q), axis=0) of p and q that add up to 1",
        )
        d[qk] = refuse(
            d[z],
            "entropy of two distributions",
            "np.sum(special.rel_entr(p, q), axis=0) of p and q that add up to 1",
        )
    else:
        total = np.sum(pk, axis=axis, keepdims=True)
        if base is None:
            slope = (-np.log(pk / total) - unreduce(z, pk, axis, False)) / total
        else:
            level = -np.log(pk / total) / np.log(base)
            slope = (level - unreduce(z, pk, axis, False)) / total
        d[pk] = unreduce(d[z], pk, axis, False) * slope
        t[z] = np.sum(slope * t[pk], axis=axis)
    d[base] = refuse(d[z], "entropy in its base", "a division by np.log(base)")


@general
def tmean(z, a, limits=None, inclusive=(True, True), axis=None):
    shape[z] = reduced(a, axis, False)
    if limits is not None:
        d[a] = refuse(d[z], "tmean with limits", "np.mean with where=")
    else:
        d[a] = unreduce(d[z], a, axis, False) / count(a, axis)
        t[z] = np.mean(t[a], axis=axis)


@general
def tvar(z, a, limits=None, inclusive=(True, True), axis=0, ddof=1):
    shape[z] = reduced(a, axis, False)
    if limits is not None:
        d[a] = refuse(d[z], "tvar with limits", "np.var with where= and ddof=1")
    else:
        gap = a - np.mean(a, axis=axis, keepdims=True)
        slope = 2 / (count(a, axis) - ddof) * gap
        d[a] = unreduce(d[z], a, axis, False) * slope
        t[z] = np.sum(slope * t[a], axis=axis)


@general
def tstd(z, a, limits=None, inclusive=(True, True), axis=0, ddof=1):
    shape[z] = reduced(a, axis, False)
    if limits is not None:
        d[a] = refuse(d[z], "tstd with limits", "np.std with where= and ddof=1")
    else:
        gap = a - np.mean(a, axis=axis, keepdims=True)
        n = count(a, axis)
        d[a] = unreduce(d[z] / z, a, axis, False) * gap / (n - ddof)
        t[z] = np.sum(gap * t[a], axis=axis) / z / (n - ddof)


@general
def variation(z, a, axis=0, nan_policy="propagate", ddof=0):
    shape[z] = reduced(a, axis, False)
    n = count(a, axis)
    mean = np.mean(a, axis=axis, keepdims=True)
    gap = a - mean
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=True)
    slope = gap / spread / mean / (n - ddof) - spread / mean**2 / n
    if nan_policy != "propagate":
        d[a] = refuse(d[z], "variation with this nan_policy", "nan_policy='propagate'")
    else:
        d[a] = unreduce(d[z], a, axis, False) * slope
        t[z] = np.sum(slope * t[a], axis=axis)


@general
def pmean(z, a, p, *, axis=0):
    shape[z] = reduced(a, axis, False)
    share = unreduce(d[z] * z ** (1 - p), a, axis, False) / count(a, axis)
    d[a] = share * a ** (p - 1)
    d[p] = refuse(d[z], "pmean in its power", "np.mean(a**p) ** (1 / p)")
    t[z] = z ** (1 - p) * np.mean(a ** (p - 1) * t[a], axis=axis)
