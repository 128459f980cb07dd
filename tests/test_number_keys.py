"""Numbers of NumPy's read with a mask, None or ...: e[k, None], and another use of them.

Sums and products of arrays of rank 0 are numbers, at which nothing can be stored.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, 1.2, 0.4, 0.9])


def masked_column(x):
    e = np.sum(x)
    k = e > 0
    return np.sum(np.sin(e)[k, None] * x) + np.sum(e[k, None] * x)


def under_a_test(x):
    e = np.prod(x)
    k = np.isclose(e, 0)
    s = e * e
    if np.any(~k):
        s = s + np.sum(np.exp(e)[~k] * x[1:]) + np.sum(e[~k, None] * np.cos(e))
    return s


def entry_of_any_rank(x):
    e = x[..., 0]
    k = e > 0
    y = np.cos(e) * np.exp(e)
    return np.sum(y[k] ** 2) + np.sum(e[k]) * np.sum(y[k, None])


@pytest.mark.parametrize("f", [masked_column, under_a_test, entry_of_any_rank])
def test_what_a_number_is_read_with(f):
    g = gradgen.grad(f)(X)
    want = numeric_gradient(f, [X], 0)
    assert g.shape == X.shape and g.dtype == X.dtype
    np.testing.assert_allclose(g, want.value, rtol=1e-7, atol=1e-9)
