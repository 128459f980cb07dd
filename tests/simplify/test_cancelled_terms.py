"""Sums whose terms cancel whole: the gradient is zero, and nothing is divided by it."""

import numpy as np
import pytest

import gradgen


def powers(x):
    t = np.min(x[1:] + x[:-1], 1)
    h = (t**2 + 1) ** t / t.size
    return np.subtract(h, h).sum()


def quotients(x):
    h = x / np.sum(x * x, axis=-2, keepdims=True)
    result = np.multiply(np.subtract(x, x), np.maximum(h, x))
    s = np.expand_dims(result, -3)
    return np.sum(np.subtract(s, s))


def multiples(x):
    y = np.exp(x) / np.sum(x)
    return np.sum(2 * y - y - y)


def partly(x):
    y = np.exp(x) / np.sum(x)
    return np.sum(y - y + x * y - x * y + x)


@pytest.mark.parametrize("function", [powers, quotients, multiples, partly])
@pytest.mark.parametrize("shapes", [{}, {"x": "n d"}], ids=["untold", "told"])
def test_cancelled_terms(function, shapes):
    x = np.array([[0.5, 1.2], [0.3, 0.9], [1.1, 0.4]])
    want = np.ones_like(x) if function is partly else np.zeros_like(x)
    names: dict = {}
    exec(gradgen.emit(function, shapes=shapes), names)
    for gradient in (gradgen.grad(function), names[f"grad_{function.__name__}"]):
        np.testing.assert_allclose(gradient(x), want, atol=1e-12)
