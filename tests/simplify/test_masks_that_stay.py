"""A masked adjoint that several statements read keeps its mask, where that is as good."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(5)


def normed(x, gamma, beta, W):
    xc = x - x.mean(axis=0)
    inv = 1 / np.sqrt(np.mean(xc**2, axis=0) + 1e-5)
    out = gamma * (xc * inv) + beta
    h = np.maximum(out, 0)
    return np.sum((h @ W) ** 2)


def by_a_quotient(x, gamma, beta, W):
    xc = x - x.mean(axis=0)
    z = xc / np.sqrt(np.mean(xc**2, axis=0) + 1e-5)
    h = np.clip(gamma * z + beta, 0, 2)
    return np.sum((h @ W) ** 2)


def scaled(x, gamma, beta, W):
    h = np.abs(np.minimum(gamma * x**2 - beta, 0.5))
    return np.sum(h @ W)


ARGS = (
    R.normal(size=(6, 4)),
    R.uniform(0.5, 2, 4),
    R.normal(size=4),
    R.normal(size=(4, 2)),
)


@pytest.mark.parametrize("function", [normed, by_a_quotient, scaled])
def test_right(function):
    found = gradgen.grad(function, wrt=("x", "gamma", "beta"))(*ARGS)
    for place, one in enumerate(found):
        want = numeric_gradient(function, ARGS, place).value
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-8)


def test_one_choice_for_all_that_read_it():
    shapes = {"x": "n d", "gamma": "d", "beta": "d", "W": "d k"}
    text = gradgen.emit(normed, shapes=shapes, wrt=["x", "gamma", "beta"])
    assert text.count("np.where") == 2  # one in the other


def roots(x, s):
    """What is discarded has no finite slope: the mask goes beyond that."""
    y = np.where(x > 0, s * np.sqrt(x), 0)
    return np.sum(y * x)


def shares(x, s):
    y = np.where(x > 0, s * np.log(x) / x, s)
    return np.sum(y**2)


def overflowing(x, s):
    """s * x is a number where s * np.exp(-x) is none: no factor of what is tested."""
    y = np.where(x > 0, s * np.exp(-x), s * x)
    return np.sum(y)


@pytest.mark.parametrize("function", [roots, shares, overflowing])
def test_finite_where_the_function_is(function):
    x = np.array([-800.0, -1.0, 0.0, 0.5, 2.0])
    s = np.array([0.5, 2.0, 1.0, 3.0, 1.5])
    with np.errstate(all="ignore"):
        d_x, d_s = gradgen.grad(function, wrt=("x", "s"))(x, s)
    if function is not overflowing:
        assert d_x[0] == d_x[1] == 0
    assert np.all(np.isfinite(d_x)) and np.all(np.isfinite(d_s))


def cut(r, a, rc):
    """What is far away counts nothing, however large its terms get."""
    near = r < rc
    e = np.where(near, a * (1 / r**12 - 1 / r**6), 0)
    return np.sum(e)


def test_lanes_without_a_number_are_no_share():
    r = np.array([0.0, 1.2, 1.5, np.inf])
    with np.errstate(all="ignore"):
        d_r, d_a = gradgen.grad(cut, wrt=("r", "a"))(r[1:], np.ones(3), 3.0)
    assert np.all(np.isfinite(d_r)) and np.all(np.isfinite(d_a)) and d_r[-1] == 0
