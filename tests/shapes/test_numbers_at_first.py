"""States that are numbers in the first round, and vectors from there on."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def newton(a, b):
    x = 1.0
    for _ in range(4):
        x = x - (x**3 + a * x - b) / (3 * x**2 + a)
    return x


def until(a, b):
    x = 1.0
    for _ in range(30):
        s = (x**3 + a * x - b) / (3 * x**2 + a)
        x = x - s
        if np.max(abs(s)) < 1e-14:
            break
    return x


def returned(a, b):
    x = 1.0
    for _ in range(20):
        s = np.sin(x) * a - b
        x = x - s * 0.3
        if np.all(abs(s) < 1e-14):
            return x
    return x * a


@pytest.mark.parametrize("options", [{}, {"fast": True}])
@pytest.mark.parametrize("b", [np.array([0.5, 0.75, 0.875]), np.array([0.75])])
@pytest.mark.parametrize("f", [newton, until, returned])
def test_the_first_round_has_no_axis(f, b, options):
    args, seed = (1.25, b), np.arange(1.0, len(b) + 1)
    found = gradgen.grad(f, wrt=("a", "b"), **options)(*args, seed=seed)
    for place, gradient in enumerate(found):
        expected = numeric_gradient(f, args, place, seed).value
        assert np.shape(gradient) == np.shape(args[place])
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
