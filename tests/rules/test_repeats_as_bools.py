"""np.repeat and np.tile take True for 1, and so does the derivative."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def repeated(x):
    return np.sum(np.repeat(x, True) ** 2)


def repeated_rows(x):
    return np.sum(np.repeat(x, True, axis=0) ** 2)


def never_repeated(x):
    return np.sum(np.repeat(x, False) ** 2) + np.sum(np.sin(x))


def tiled(x):
    return np.sum(np.tile(x, True) ** 2)


def tiled_twice(x):
    return np.sum(np.tile(x, (True, 2)) ** 2)


@pytest.mark.parametrize(
    "function", [repeated, repeated_rows, never_repeated, tiled, tiled_twice]
)
@pytest.mark.parametrize("x", [np.array([0.5, 1.0]), np.arange(6.0).reshape(2, 3)])
def test_true_is_one(function, x):
    expected = numeric_gradient(function, (x,), 0).value
    space = {}
    exec(gradgen.emit(function), space)
    for gradient in (gradgen.grad(function), space[f"grad_{function.__name__}"]):
        found = gradient(x)
        assert found.shape == x.shape
        np.testing.assert_allclose(found, expected, atol=1e-7)
