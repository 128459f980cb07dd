"""Options of which a general text takes one value, in every derivative."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

FUNCTIONS = {
    "square": lambda z: z**2,
    "relu": lambda z: np.maximum(z, 1) * z**3,
    "none": None,
}


def f(x, name="square"):
    function = FUNCTIONS.get(name)
    if function is None:
        return np.sum(x)
    return np.sum(function(x))


def gradients(x, *names):
    make = gradgen.vjp(f)
    return [make(x, name)[1](1.0) for name in names]


@pytest.mark.parametrize("first", FUNCTIONS)
def test_a_pullback_for_each_value(first):
    x = np.array([0.5, 1.5])
    names = [first, *FUNCTIONS, first]
    for name, got in zip(names, gradients(x, *names), strict=True):
        want = numeric_gradient(lambda x: f(x, name), [x], 0).value
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_pushed(name):
    x, v = np.array([0.5, 1.5]), np.array([1.0, -2.0])
    push = gradgen.jvp(f)
    push(x, v)
    want = (f(x + 1e-6 * v, name) - f(x - 1e-6 * v, name)) / 2e-6
    np.testing.assert_allclose(push(x, name, v)[1], want, rtol=1e-6, atol=1e-8)
