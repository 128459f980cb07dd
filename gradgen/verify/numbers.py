"""Ridders' tableau of one number, in Python's floats: as differences.py, and faster.

Most of what is measured is the sum of a result along one entry. Arrays of rank 0 cost
ten times what they compute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isfinite

import numpy as np


def slope_of_number(
    value: Callable[[float], np.ndarray],
    middle: float,
    off: float,
    first_steps: Sequence[float],
    levels: int,
    good: float,
) -> tuple[float, float]:
    """The derivative of a number value(t) at 0, and its estimated error.

    `middle` is value(0), `off` what values are off by.
    """
    best: tuple[float, float] | None = None
    for first in first_steps:
        found = _extrapolated(value, middle, off, first, levels, good)
        if best is None or found[1] < best[1]:
            best = found
        if best[1] <= good * abs(best[0]):
            break
    assert best is not None  # there is a first step
    return best


def _extrapolated(
    value: Callable[[float], np.ndarray],
    middle: float,
    off: float,
    first: float,
    levels: int,
    good: float,
) -> tuple[float, float]:
    best: tuple[float, float] | None = None
    above: list[float] = []
    last_bend = inf
    for level in range(levels):
        h = first / 2**level
        up, down = float(value(h)), float(value(-h))
        slope, floor = (up - down) / (2 * h), off / h
        bend = abs((up - middle) - (middle - down)) / h
        least = bend if bend > 0.7 * last_bend + 4 * floor else floor
        row = [slope]
        for m, parent in enumerate(above, start=1):
            last = row[-1]
            better = last + (last - parent) / (4**m - 1)
            apart, other = abs(better - last), abs(better - parent)
            # what is nan stays nan, as in arrays
            error = max(least, apart, other) if isfinite(apart + other) else inf
            if best is None or error < best[1]:
                best = better, error
            row.append(better)
        above, last_bend = row, bend
        if level >= 2 and best is not None and best[1] <= good * abs(best[0]):
            break
    assert best is not None  # there are several levels
    return best
