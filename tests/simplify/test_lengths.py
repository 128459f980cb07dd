"""A name that is given anew is measured as it stands, and needs no second name."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(23)
X = DRAWN.uniform(0.2, 1.1, (4, 3))


def scaled(x):
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return np.mean(x**3)


def bent(x):
    x = np.tanh(x)
    return np.mean(np.sum(x**3, axis=1))


def shorter(x):
    x = np.sin(x[1:])
    return np.mean(np.sum(x**3, axis=1))


def read_again(x):
    y = np.mean(np.exp(x))
    x = np.tanh(x)
    return y * np.mean(x**2)


def other_shape(x):
    x = x.T @ x
    return np.mean(np.tanh(x))


CASES = [scaled, bent, shorter, read_again, other_shape]


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [{"x": "n m"}, {}], ids=["told", "untold"])
def test_as_differences(f, shapes):
    gradient = gradgen.grad(f, shapes=shapes)(X)
    truth = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("f", [scaled, bent], ids=lambda f: f.__name__)
def test_one_name(f):
    text = gradgen.emit(f, shapes={"x": "n m"})
    assert "x_new" not in text and "x_2" not in text, text
