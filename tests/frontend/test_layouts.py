"""order=, np.asfortranarray and np.float64(x): the same numbers, laid out or held otherwise.

What may be a view of an array that lies row by row is a copy of one that does not.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, 1.2, 0.4, 0.9])


def made_by_columns(x):
    z = np.zeros((4, 4), order="F")
    z[0] = x
    z[:, 1] = x * x
    w = np.full((4, 4), 2.0, order="F") * np.ones_like(z, order="C")
    return np.sum(z * z * w)


def turned_over(x):
    y = np.asfortranarray(x[:, None] * x)
    z = np.array([[x[0], 1.0], [x[1], x[2]]], order="F")
    return np.sum(y[1:] * x) + np.sum(z.copy(order="F") ** 2)


def other_layout(x):
    z = np.asarray(x.reshape(2, 2), order="F")
    z[0, 1] = 3 * x[0]
    return np.sum(z * z)


def doubled(x):
    s = np.float64(0.0)
    for v in x:
        s += np.float64(v) * np.single(2.0)
    return s * s * np.sum(np.float64(x) ** 2)


def a_copy_of_it(x):
    y = x * 1
    z = np.float64(y).copy()
    z[0] = 3 * x[1]
    return np.sum(y * z)


@pytest.mark.parametrize(
    "f", [made_by_columns, turned_over, other_layout, doubled, a_copy_of_it]
)
def test_layouts(f):
    want = numeric_gradient(f, [X.copy()], 0)
    g = gradgen.grad(f)(X.copy())
    assert g.shape == X.shape and g.dtype == X.dtype
    np.testing.assert_allclose(g, want.value, rtol=1e-7, atol=1e-9)


def stored_by_columns(x):
    z = np.zeros((2, 2), order="F")
    z[:] = x.reshape(2, 2)
    v = z.ravel()
    v[1] = x[0] * 7
    return np.sum(z * z)


def stored_in_the_same(x):
    z = x * x
    v = np.asfortranarray(z)
    v[1] = x[0] * 7
    return np.sum(z * z)


def stored_in_float64(x):
    y = x * 1
    z = np.float64(y)
    z[0] = 3 * x[1]
    return np.sum(y * z)


@pytest.mark.parametrize(
    "f", [stored_by_columns, stored_in_the_same, stored_in_float64]
)
def test_what_may_be_a_copy_is_not_stored_through(f):
    with pytest.raises(gradgen.GradgenError, match="GG220"):
        gradgen.grad(f)(X.copy())
