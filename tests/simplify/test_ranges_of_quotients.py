"""Quotients of exponentials, and slopes of tanh in sums, where products would overflow."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def scaled_softplus(x):
    return np.sum(1e4 * np.log(1 + np.exp(x)))


def squared_softplus(x):
    return np.sum((np.log(1 + np.exp(x)) - 1.0) ** 2)


def scaled_log_sum(x):
    return 1e4 * np.log(np.sum(np.exp(x)))


def scaled_shares(x):
    e = np.exp(x)
    return 1e4 * np.sum((e / np.sum(e) - 0.1) ** 2)


def weighted(x):
    e = np.exp(x)
    return np.sum(np.array([3e3, 5e3]) * np.log(e + 2.0))


LARGE = np.array([80.0, 79.0], np.float32)


@pytest.mark.parametrize(
    "f", [scaled_softplus, squared_softplus, scaled_log_sum, scaled_shares, weighted]
)
def test_where_the_power_is_near_the_largest_number(f):
    want = numeric_gradient(f, (LARGE.astype(float),), 0).value
    found = gradgen.grad(f)(LARGE)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, want, rtol=2e-3)


def quotient(x):
    return -np.sum(np.tanh(x) / x)


def difference(x):
    return np.sum(0.5 * x**2 * 1e-9 - np.tanh(x))


@pytest.mark.parametrize("f", [quotient, difference])
def test_slopes_of_tanh_are_computed_before_they_meet_others(f):
    x = np.array([30.0, 1e3, 1e6])
    slope = {quotient: 1 / x**2, difference: 1e-9 * x}[f]  # 1 - tanh(x)**2 is 0
    np.testing.assert_allclose(gradgen.grad(f)(x), slope, rtol=1e-12)
    assert "(1 - " in gradgen.emit(f)


def both_cancel(x):
    return np.sum(x - np.tanh(x))


def test_what_cancels_still_does():
    assert "1 -" not in gradgen.emit(both_cancel).split('"""')[-1]
