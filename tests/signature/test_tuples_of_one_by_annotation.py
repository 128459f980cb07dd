"""tuple[int], as people annotate a tuple of any length: the default tells how long."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, -0.4, 1.3])


def cut(x, pad: tuple[int] = (1, 2)):
    return np.sum(x[pad[0] :] ** 2) + pad[1]


def padded(x, pad: "tuple[int]" = (1, 2)):
    return np.sum(np.pad(x, pad, mode="edge") ** 2)


def scaled(x, by: tuple[float] = (1.5, 2.5)):
    return np.sum(x**2 * by[0] + by[1] * x)


def three(x, by: tuple[float, float] = (1.5, 2.5, 3.5)):
    a, b, c = by
    return np.sum(x**2 * a * b + c * x)


def one(x, by: tuple[float] = (1.5,)):
    return np.sum(x**2 * by[0])


@pytest.mark.parametrize("function", [cut, padded, scaled, three, one])
def test_the_default_has_the_length(function):
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-7)
    space = {}
    exec(gradgen.emit(function), space)
    got = space[f"grad_{function.__name__}"](X)
    np.testing.assert_allclose(got, want, rtol=1e-7)
