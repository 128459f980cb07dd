"""Numbers of NumPy's that masks are used on stay these: a Python number has no entries."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def largest(x):
    e = np.max(x)
    k = np.isclose(e, 60.0)
    w = np.zeros_like(e)
    w[k] = e * e
    w[~k] = np.sin(e)
    return w


def read_twice(x):
    e = np.mean(x)
    k = e > 0.2
    w = np.zeros_like(e)
    w[k] = e**3
    w[~k] = 2 * e
    return np.sum(w[k]) + np.sum(w[~k] * e)


def in_an_arm(x):
    e = np.sum(x)
    s = 0.0
    k = np.asarray(e) > 0.0
    w = np.ones_like(e)
    if np.any(k):
        s = s + np.sum(e[k] * e)
        w[k] = e
    w[~k] = e * 0.5
    return s + w


@pytest.mark.parametrize("function", [largest, read_twice, in_an_arm])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("told", [{}, {"shapes": {"x": "n"}}])
def test_right(function, sign, told):
    x = sign * np.array([0.3, 0.9, 0.5])
    want = numeric_gradient(function, [x], 0).value
    got = gradgen.grad(function, **told)(x)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
