"""Products that a loop adds up are one product of all rounds, beside other terms."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def and_a_seed(K, v, h):
    for y in v:
        h = K @ h + y
    return np.sum(h) + K


def and_twice_a_seed(K, v, h):
    for y in v:
        h = np.tanh(K @ h + y)
    return K - np.sum(h) * 2


def and_a_square(K, v, h):
    for y in v:
        h = K @ h + y
    return np.sum(h) + K**2 + h


def and_their_sum(K, v, h):
    for y in v:
        h = K @ h + y
    return np.sum(h) * np.sum(K) + np.sum(K)


X = np.random.default_rng(3).normal(size=(3, 3)) / 2
FUNCTIONS = [and_a_seed, and_twice_a_seed, and_a_square, and_their_sum]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("given", [(X[:1], X, X[1]), (X, X.T, X[1]), (X, X[:0], X[0])])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_gradient_is_that_of_the_function(function, given, dtype):
    seed = np.random.default_rng(4).normal(size=np.shape(function(*given)))
    want = numeric_gradient(function, given, 0, seed).value
    got = gradgen.grad(function)(*(one.astype(dtype) for one in given), seed=seed)
    assert got.dtype == dtype and got.shape == want.shape
    near = 1e-6 if dtype is np.float64 else 1e-4
    np.testing.assert_allclose(got, want, rtol=near, atol=near)
