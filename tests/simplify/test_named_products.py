"""A product of numbers that the user has named is written out where a factor cancels."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def correlation(x, y):
    xm = x - x.mean()
    ym = y - y.mean()
    sx = np.sqrt(np.sum(xm**2))
    sy = np.sqrt(np.sum(ym**2))
    den = sx * sy
    r = np.sum(xm * ym) / den
    return 1 - r


def cosine(x, y):
    length = np.sqrt(x @ x)
    lengths = length * np.sqrt(y @ y)
    return (x @ y) / lengths


def of_a_round(x, y):
    total = 0.0
    for row in y:
        a = np.sqrt(x @ x)
        b = np.sqrt(row @ row)
        den = a * b
        total += (x @ row / den) ** 2
    return total


@pytest.mark.parametrize("function", [correlation, cosine, of_a_round])
def test_right(function):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=5), rng.normal(size=5)
    if function is of_a_round:
        y = rng.normal(size=(3, 5))
    wanted = numeric_gradient(function, (x, y), 0).value
    found = gradgen.grad(function)(x, y)
    assert found.shape == x.shape and found.dtype == x.dtype
    assert np.allclose(found, wanted, rtol=1e-6, atol=1e-8)


def test_one_factor_is_left():
    text = gradgen.emit(correlation, shapes={"x": "n", "y": "n"})
    assert "d_sx = -d_r * r / sx\n" in text
    assert "d_den" not in text


def changed_before_it_is_read(x, y):
    """The factor changes after the product is made: it is no factor of it any more."""
    s = np.sqrt(x @ x)
    den = s * np.sqrt(y @ y)
    r = (x @ y) / den
    s = s * r
    return s * r


def test_a_factor_that_is_assigned_anew():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=4), rng.normal(size=4)
    wanted = numeric_gradient(changed_before_it_is_read, (x, y), 0).value
    found = gradgen.grad(changed_before_it_is_read)(x, y)
    assert np.allclose(found, wanted, rtol=1e-6, atol=1e-8)
