"""Squares of maxima: no mask on the way back, and all of them in tangents of it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, -1.2, 2.0, -0.3])
ALONG = np.array([1.0, 2.0, -1.0, 0.5])
STEP = 1e-5


def squared(x):
    return np.sum(np.maximum(x, 0) ** 2)


def times_itself(x):
    z = np.maximum(0, x)
    return np.sum(z * z)


def cubed(x):
    return np.sum(np.minimum(x, 0) ** 3)


def hinge(x):
    return np.mean(np.maximum(1 - 0.7 * x, 0) ** 2) + 0.1 * x @ x


def of_products(x):
    h = np.maximum(np.array([0.5, 2.0, 1.0, 3.0]) * (x * x) - 1, 0)
    return np.sum(h * h * x)


def also_by_itself(x):
    z = np.maximum(x, 0)
    return np.sum(z**2) + np.sum(z**1)


def twice(x):
    return np.sum(np.maximum(np.maximum(x, 0) ** 2 - 1, 0) ** 2)


FUNCTIONS = [squared, times_itself, cubed, hinge, of_products, also_by_itself, twice]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_first_and_second_derivatives(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-6, atol=1e-9)
    value, tangent = gradgen.jvp(f)(X, ALONG)
    np.testing.assert_allclose(tangent, want @ ALONG, rtol=1e-6)
    ahead = numeric_gradient(f, (X + STEP * ALONG,), 0).value
    behind = numeric_gradient(f, (X - STEP * ALONG,), 0).value
    second = (ahead - behind) / (2 * STEP)
    np.testing.assert_allclose(gradgen.hvp(f)(X, ALONG), second, rtol=1e-4, atol=1e-5)
    hessian = gradgen.hessian(f)(X)
    np.testing.assert_allclose(hessian @ ALONG, second, rtol=1e-4, atol=1e-5)


def test_what_is_printed():
    text = gradgen.emit(squared, shapes={"x": "n"})
    assert "d_x = 2 * d_out * np.maximum(x, 0)\n" in text
