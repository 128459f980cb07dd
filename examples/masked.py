"""Values that a mask discards: what stands there, 0/0 or inf, has no gradient."""

import numpy as np


def where_exp(x):
    """Sum of exp(x) where x is negative, and of 1 elsewhere."""
    y = np.where(x < 0, np.exp(x), 1.0)
    return np.sum(y)


def where_ratio(a, b, c, selected):
    """Sum of a / b where that is selected, and of c elsewhere."""
    return np.sum(np.where(selected, a / b, c))


def nansum_scaled(a, b):
    """Sum of the entries of b * a that are numbers."""
    c = a * b
    return np.nansum(c)


def nanmean_scaled(a, b):
    """Mean of the entries of b * a that are numbers."""
    c = a * b
    return np.nanmean(c)


def masked_ratio(x, div):
    """Sum of x / div where div is not 0."""
    y = x / div
    mask = div != 0
    return np.sum(y[mask])
