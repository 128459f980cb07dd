"""Adaptive quadrature: a function that calls itself until the error is small."""

import numpy as np


def intensity(t, rate, centre):
    """A line on a decaying background."""
    return np.exp(-rate * t) + 1 / (1 + 9 * (t - centre) ** 2)


def simpson(a, b, fa, fm, fb, rate, centre, tolerance):
    """The integral of the intensity over [a, b], from its values at three places."""
    m = (a + b) / 2
    left = intensity((a + m) / 2, rate, centre)
    right = intensity((m + b) / 2, rate, centre)
    coarse = (b - a) / 6 * (fa + 4 * fm + fb)
    fine = (b - a) / 12 * (fa + 4 * left + 2 * fm + 4 * right + fb)
    if abs(fine - coarse) <= 15 * tolerance:
        return fine + (fine - coarse) / 15
    first = simpson(a, m, fa, left, fm, rate, centre, tolerance / 2)
    second = simpson(m, b, fm, right, fb, rate, centre, tolerance / 2)
    return first + second


def dose(a, b, rate, centre, tolerance=1e-8):
    """What is received between two times, to a tolerance."""
    fa, fb = intensity(a, rate, centre), intensity(b, rate, centre)
    fm = intensity((a + b) / 2, rate, centre)
    return simpson(a, b, fa, fm, fb, rate, centre, tolerance)
