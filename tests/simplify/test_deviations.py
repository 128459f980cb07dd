"""Deviations from a mean add up to nothing: they are not centred a second time."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(7)
X, Y = RNG.normal(size=6), RNG.normal(size=6)
ROWS = RNG.normal(size=(5, 3))


def correlation(x, y):
    a = x - x.mean()
    b = y - y.mean()
    return np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b))


def of_norms(x, y):
    a, b = x - np.mean(x), y - np.mean(y)
    norms = np.sqrt(np.sum(a**2)) * np.sqrt(np.sum(b**2))
    return np.dot(a, b) / norms


def covariance(x, y):
    return np.mean((x - x.mean()) * (y - y.mean()))


@pytest.mark.parametrize("function", [correlation, of_norms, covariance])
def test_the_gradient_is_no_deviation_again(function):
    text = gradgen.emit(function, wrt=("x", "y"), shapes={"x": "n", "y": "n"})
    names = {}
    exec(text, names)
    assert "mean(d_" not in text and "sum(d_" not in text
    for i, found in enumerate(names[f"grad_{function.__name__}"](X, Y)):
        want = numeric_gradient(function, [X, Y], i).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-10)


def squares(x, y):
    """What is made of a deviation otherwise does not add up to nothing."""
    a = x - x.mean()
    return np.sum(a**3 * y)


def of_another_axis(x):
    a = x - x.mean(axis=0)
    return np.sum(a * a) * np.sum(a[0])


def of_rows(x):
    a = x - x.mean(axis=1, keepdims=True)
    return np.sum(np.sum(a * a) * a[:, 0])


@pytest.mark.parametrize(
    "function, args",
    [(squares, (X, Y)), (of_another_axis, (ROWS,)), (of_rows, (ROWS,))],
)
def test_others_are_right(function, args):
    for told in ({}, {"shapes": {"x": "n" if args[0].ndim == 1 else "n m"}}):
        names = {}
        exec(gradgen.emit(function, **told), names)
        want = numeric_gradient(function, list(args), 0).value
        found = names[f"grad_{function.__name__}"](*args)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
