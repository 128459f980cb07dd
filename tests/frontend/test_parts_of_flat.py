"""What is read of x.flat by a slice is a copy, and what is stored there is in x."""

import numpy as np
import pytest

import gradgen

X = np.array([[0.5, 0.2, 0.9], [0.3, 0.8, 0.6]])


def changed_after(x):
    y = x.copy()
    v = y.flat[2:5]
    y *= 2.0
    return np.sum(v * v) + np.sum(y)


def changed_itself(x):
    y = x.copy()
    v = y.flat[1:]
    v *= 3.0
    return np.sum(y * y) + np.sum(v)


def whole(x):
    y = x.copy()
    v = y.flat[...]
    y += 1.0
    return np.sum(v**2) * np.sum(y)


def named(x):
    y = x.copy()
    entries = y.flat
    v = entries[:3]
    y[0] = 0.0
    return np.sum(v**3) + np.sum(y)


def listed(x):
    y = x.copy()
    v = y.flat[[0, 4]]
    y *= 2.0
    return np.sum(v * v) + np.sum(y)


def stored(x):
    y = x.copy()
    y.flat[1:3] *= 3.0
    return np.sum(y * y)


def one_entry(x):
    y = x.copy()
    v = y.flat[2]
    y *= 2.0
    return v * v + np.sum(y)


@pytest.mark.parametrize(
    "function", [changed_after, changed_itself, whole, named, listed, stored, one_entry]
)
def test_parts(function):
    steps = 1e-30j * np.eye(X.size).reshape(-1, *X.shape)
    expected = [np.imag(function(X + step)) / 1e-30 for step in steps]
    found = gradgen.grad(function)(X)
    np.testing.assert_allclose(found.ravel(), expected, rtol=1e-12)
