"""What is asked of masked arrays: an array that is none has no mask, and all its entries."""

import numpy as np
import numpy.ma as ma
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.both_doors import compare

X, Y = np.array([1.0, 2.0, 3.5]), np.array([0.3, 0.1, 0.7])


def error(x, y):
    mask = np.ma.getmask(y)
    if mask is not np.ma.nomask:
        x, y = x[~mask], y[~mask]
    return np.sqrt(np.mean((x - y) ** 2))


def good_ones(x, y):
    good = ~ma.getmaskarray(x) & ~np.isnan(x)
    return np.sum(x[good] ** 2 * y[good])


def filled_where_masked(x, y):
    if ma.is_masked(x) or np.ma.isMaskedArray(y):
        x = ma.filled(x, 0.0)
    return np.sum(ma.getdata(x) * ma.filled(y, np.nan))


@pytest.mark.parametrize("f", [error, good_ones, filled_where_masked])
@pytest.mark.parametrize("wrt", [0, 1])
def test_a_plain_array_has_no_mask(f, wrt):
    compare(f, (X, Y), wrt)


@pytest.mark.parametrize("wrt", ["x", "y"])
def test_a_masked_array_is_refused(wrt):
    with pytest.raises(GradgenError, match="GG510"):
        gradgen.grad(error, wrt=wrt)(X, np.ma.masked_array(Y, [0, 1, 0]))
