"""Defaults that are whole numbers: numbers in a text that nothing was told for."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def annualised(x, periods=252):
    return np.sqrt(periods) * np.mean(x) / np.std(x)


def scaled(x, k=2):
    return np.sum(k * x**2)


def raised(x, n=3):
    return np.sum(x**n) / n


def cut(x, n=3):
    return np.sum(x[:n] ** 2) / n


def rounds(x, n=3):
    s = 0.0
    for i in range(n):
        s += np.sum(x**i)
    return s / n


def shifted(x, y=0):
    return np.sum((x - y) ** 2)


def weighted(x, w=1):
    w = np.asarray(w)
    return np.sum(w * x**2) / np.sum(w)


def stretched(x, t=0):
    return np.sum(x[:, None] * np.atleast_1d(t))


def first_entry(x, y=0):
    return np.sum((x - y[0]) ** 2)


NUMBERS = {annualised: 12, scaled: 3, raised: 2, cut: 2, rounds: 2, shifted: 1}
ARRAYS = {weighted: np.array([0.5, 2.0, 1.5, 0.2]), stretched: np.array([0.5, 2.0])}
ARRAYS |= {first_entry: np.array([0.5, 2.0])}
X = np.array([0.3, -1.2, 0.8, 1.7])


def of_text(f):
    space: dict = {}
    text = gradgen.emit(f)
    exec(text, space)
    return text, space[f"grad_{f.__name__}"]


@pytest.mark.parametrize("f", NUMBERS, ids=lambda f: f.__name__)
def test_numbers(f):
    text, gradient = of_text(f)
    assert "_unbroadcast" not in text and "d_out ()" in text or "d_s ()" in text, text
    for args in ((X,), (X, NUMBERS[f])):
        want = numeric_gradient(f, args, 0).value
        np.testing.assert_allclose(gradient(*args), want, rtol=1e-6)
    single = gradient(X.astype(np.float32))
    assert single.dtype == np.float32
    if f is not cut and f is not rounds:  # which an array fails in anyway
        with pytest.raises(ValueError, match="taken for a number"):
            gradient(X, np.ones(4))


@pytest.mark.parametrize("f", ARRAYS, ids=lambda f: f.__name__)
def test_arrays(f):
    _, gradient = of_text(f)
    args = X, ARRAYS[f]
    want = numeric_gradient(f, args, 0).value
    np.testing.assert_allclose(gradient(*args), want, rtol=1e-6)
    np.testing.assert_allclose(gradgen.grad(f)(*args), want, rtol=1e-6)
