"""np.arange(n) counts places: what it chooses is as long as it is."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def diagonal(S):
    n = len(S)
    return np.sum(S[np.arange(n), np.arange(n)] * S[0])


def shifted(S):
    n = S.shape[0]
    k = (np.arange(n) + n // 2) % n
    return np.mean(S[:, 0] - S[np.arange(n), k])


def backwards(S):
    k = np.arange(len(S))
    return np.sum(S[k, len(S) - 1 - k] ** 2 * S[:, 1])


def in_steps(S):
    k = np.arange(0, len(S), 2)
    return np.sum(S[k] ** 2 * S[0])


def numbers(S):
    k = np.arange(4)
    return np.sum(S[k, (k + 1) % 4] * S[k, k])


FUNCTIONS = [diagonal, shifted, backwards, in_steps, numbers]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_no_helper(function, dtype):
    text = gradgen.emit(function, shapes={"S": "n n"})
    assert "_unbroadcast" not in text, text
    S = np.random.default_rng(3).normal(size=(4, 4)).astype(dtype)
    truth = numeric_gradient(function, (S.astype(np.float64),), 0).value
    found = gradgen.grad(function)(S)
    rtol = 1e-8 if dtype is np.float64 else 1e-4
    np.testing.assert_allclose(found, truth, rtol=rtol, atol=rtol)
    assert found.dtype == dtype


def weighted(x):
    return np.sum(np.sin(x) * np.arange(4))


def powers(x):
    return np.sum(np.cos(x) ** np.arange(4))


def one_of_them(x):
    k = np.arange(4)
    return np.sum(np.exp(x) * k[2]) + np.sum(x * np.max(k))


def quotient(x):
    return np.sum(np.exp(x) * (np.arange(4) / 4))


def round_by_round(x):
    total = 0.0
    for k in np.arange(3):
        total = total + np.sum(np.sin(x) * k)
    return total


@pytest.mark.parametrize(
    "function",
    [weighted, powers, one_of_them, quotient, round_by_round],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values_and_gradients_keep_their_dtype(function, dtype):
    """float32 with an array of integers is float64, and its gradient float32."""
    x = np.array([0.3, 0.7, 0.2, 0.5], dtype)
    value, found = gradgen.value_and_grad(function)(x)
    assert np.asarray(value).dtype == np.asarray(function(x)).dtype
    truth = numeric_gradient(function, (x.astype(np.float64),), 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-4, atol=1e-5)
    assert found.dtype == dtype
    _, pushed = gradgen.jvp(function)(x, np.ones_like(x))
    np.testing.assert_allclose(pushed, np.sum(truth), rtol=1e-4)
    assert gradgen.hvp(function)(x, np.ones_like(x)).dtype == dtype
