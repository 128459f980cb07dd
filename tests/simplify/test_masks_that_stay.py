"""A masked adjoint that several statements read keeps its mask, where that is as good."""

import inspect

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


def grown(N, A, dt, K):
    """The values of a round, and of an arm."""
    for _ in range(3):
        N = np.clip(N + N * (1 - A @ N) * dt, 0, K)
    return np.sum(N**2)


def derated(v, cold, k, most):
    power = 2 * v**3
    if np.any(cold < 0):
        power = power * k * np.cos(cold)
    return np.sum(np.clip(power, 0.1, most))


def either(v, cold, k, most):
    power = 2 * v**3
    if cold[0] > 10:
        power = power * k
    else:
        power = power / (1 + cold**2)
    return np.sum(np.minimum(power, most) ** 2)


@pytest.mark.parametrize("function", [grown, derated, either])
def test_rounds_and_arms(function):
    v = np.array([0.2, 0.5, 0.8, 1.1])
    args = (v, R.normal(size=(4, 4)), 0.1, 0.9)
    if function is not grown:
        args = (v, R.normal(size=4), np.array([0.5, 0.7, 1.2, 0.3]), 1.4)
    found = gradgen.grad(function, wrt=0)(*args)
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    text = gradgen.emit(function, wrt=0, example=args)
    ends = 4 if "clip" in inspect.getsource(function) else 2
    assert text.count("np.where") == ends


def test_a_factor_of_the_other_arm_may_be_infinite():
    """Where the arm is not taken nothing says that k is finite."""

    def f(x, k, c):
        y = x * 2
        if c > 0:
            y = y * k
        z = np.where(y > 0, y, 0)
        return np.sum(z * k)

    def chosen(x, k, c):
        y = x * 2
        if c > 0:
            y = y * k
        return np.sum(np.maximum(y, 0) * np.where(x > 0, k, 1))

    x, k = np.array([-1.0, 2.0]), np.array([np.inf, 3.0])
    d_x = gradgen.grad(chosen, wrt="x")(x, k, -1.0)
    np.testing.assert_array_equal(d_x, [0.0, 6.0])
    with np.errstate(invalid="ignore"):
        d_x = gradgen.grad(f, wrt="x")(x, k, -1.0)
    np.testing.assert_array_equal(d_x, [0.0, 6.0])
