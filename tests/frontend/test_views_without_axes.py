"""Views without axes that are stored into: x[..., 0][...] is memory, and no number."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([1.3, -0.7, 2.1])


def by_ellipsis(x):
    out = np.empty((2,), dtype="float64")
    a, b = out[..., 0], out[..., 1]
    a[...] = np.sum(x)
    b[...] = np.sum(x * x)
    return np.sum(a) + np.sum(b * b)


def by_out(x):
    out = np.empty(x.shape[1:] + (2,), dtype="float64")
    a, b = out[..., 0], out[..., 1]
    np.sum(x, axis=0, out=a)
    np.sum(x**3, axis=0, out=b)
    return np.sum(a) * np.sum(b * b)


def twice_into_one(x):
    out = np.zeros((2, 2))
    b = out[1, ..., 0]
    b[...] = x[0] * x[1]
    b[...] = b * x[2]
    return np.sum(out**2)


def of_a_view_of_a_view(x):
    out = np.zeros((2, 3))
    row = out[1]
    b = row[..., 2]
    b[...] = np.sum(np.sin(x))
    b += x[0]
    return np.sum(out**3)


FUNCTIONS = [by_ellipsis, by_out, twice_into_one, of_a_view_of_a_view]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shapes", [{}, {"x": "n"}, {"x": "3"}])
def test_a_store_into_a_view_without_axes(function, shapes):
    want = numeric_gradient(function, [X], 0).value
    got = gradgen.grad(function, shapes=shapes)(X)
    np.testing.assert_allclose(got, want, rtol=1e-7)
