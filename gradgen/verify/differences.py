"""Ridders' extrapolated central differences, with an estimate of their own error.

Advances in Engineering Software 4, 1982: right for every smooth function, about
ten digits; the estimate is large when a kink is near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gradgen.frozen import dataclass
from gradgen.verify.numbers import slope_of_number

EPS = np.finfo(np.float64).eps
FIRST_STEPS = (1e-2, 1e-4, 1e-6)  # a smaller one is tried when a kink spoils a larger
CLOSE_STEPS = (1e-7, 1e-8)  # for a second look, where the first may have been misled
LEVELS = 7  # halvings per first step
TINY_STEP = 1e-12  # at which every smooth function is straight
GOOD = 1e-10  # relative error at which measuring stops

# for a step: the slope, its bend, and its rounding error
_Difference = Callable[[float], tuple[np.ndarray, np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Estimate:
    """A measured derivative and, entry by entry, its absolute error, estimated.

    `exact` says that it is one of complex steps, right but for rounding.
    """

    value: np.ndarray
    error: np.ndarray
    exact: bool = False


def slope_at_zero(
    value: Callable[[float], np.ndarray],
    first_steps: Sequence[float] = FIRST_STEPS,
    noise: np.ndarray | None = None,
) -> Estimate:
    """The derivative of value(t) at t = 0, where steps of size 1 are large ones.

    `noise` is what values are off by, where that is known.
    """
    with np.errstate(all="ignore"):
        middle = value(0.0)
        off = noise_of(value, middle) if noise is None else noise

        def difference(h: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            """Slope, bend (the difference of the one-sided slopes), rounding error."""
            up, down = value(h), value(-h)
            bend = np.abs((up - middle) - (middle - down)) / h
            return (up - down) / (2 * h), bend, off / h

        if np.ndim(middle) == 0 and not np.iscomplexobj(middle):
            told = float(middle), float(off), first_steps, LEVELS, GOOD
            slope, error = slope_of_number(value, *told)
            return Estimate(np.asarray(slope), np.asarray(error))
        best: Estimate | None = None
        for first in first_steps:
            best = nearer(best, _extrapolated(difference, first))
            if _good(best):
                break
    assert best is not None  # there is a first step
    return best


def noise_of(value: Callable[[float], np.ndarray], middle: np.ndarray) -> np.ndarray:
    """How far f's results are off by rounding, terms that cancel included.

    Second differences at tiny steps hold nothing but rounding (More & Wild,
    Estimating Computational Noise, SIAM J. Sci. Comput. 33, 2011).
    """
    a, b, c, d = (value(k * TINY_STEP) for k in (-2, -1, 1, 2))
    with np.errstate(all="ignore"):
        seconds = [a - 2 * b + middle, b - 2 * middle + c, middle - 2 * c + d]
        noise: np.ndarray = np.max(np.abs([*seconds, 4 * EPS * middle]), axis=0)
        return noise


def _extrapolated(difference: _Difference, h: float) -> Estimate:
    """Ridders' tableau from first step h: the entries of least estimated error.

    Row k holds the difference at h / 2**k and its extrapolations; column m has
    error O(h**(2m + 2)). The error of an entry is its distance from its two
    parents, but not below the rounding error of its row, nor below its bend
    where that has not shrunk with h: between a jump or a kink on either side,
    two slopes can agree by accident.
    """
    best: Estimate | None = None
    above: list[np.ndarray] = []
    last_bend: np.ndarray | float = np.inf
    for level in range(LEVELS):
        slope, bend, floor = difference(h / 2**level)
        least = np.where(bend > 0.7 * last_bend + 4 * floor, bend, floor)
        row = [slope]
        for m, parent in enumerate(above, start=1):
            better = row[-1] + (row[-1] - parent) / (4**m - 1)
            apart = np.maximum(np.abs(better - row[-1]), np.abs(better - parent))
            error = np.where(np.isfinite(apart), np.maximum(apart, least), np.inf)
            best = nearer(best, Estimate(better, error))
            row.append(better)
        above, last_bend = row, bend
        if level >= 2 and best is not None and _good(best):
            break
    assert best is not None  # there are several levels
    return best


def nearer(one: Estimate | None, other: Estimate) -> Estimate:
    """Entry by entry, the estimate of the smaller error."""
    if one is None:
        return other
    takes = other.error < one.error
    error = np.where(takes, other.error, one.error)
    return Estimate(np.where(takes, other.value, one.value), error)


def _good(estimate: Estimate) -> bool:
    """Whether every entry is known to GOOD, relative to the largest."""
    return bool(np.all(estimate.error <= GOOD * largest(estimate.value)))


def largest(value: object) -> float:
    found: float = np.max(np.abs(np.asarray(value)), initial=0.0)
    return found
