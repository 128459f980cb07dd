"""What of a long line gets a line of its own: what is there twice, and no dtype."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def divergence(mu, logvar):
    return -0.5 * np.sum(1 + logvar - mu**2 - np.exp(logvar))


def triplet(a, p, n):
    near = np.sum((a - p) ** 2, axis=1)
    far = np.sum((a - n) ** 2, axis=1)
    return np.mean(np.maximum(near - far + 1.0, 0))


def shifted(x, scale):
    return np.sum((x + 3 * scale - np.tanh(scale)) + x**2)


@pytest.mark.parametrize("function", (divergence, triplet, shifted))
def test_a_dtype_has_no_line_of_its_own(function):
    count = function.__code__.co_argcount
    args = list(np.random.default_rng(0).uniform(0.5, 1.5, (count, 3, 2)))
    text = gradgen.emit(function)
    assert "= np.result_type(" not in text
    names: dict = {}
    exec(text, names)
    want = numeric_gradient(function, args, 0)
    got = names[f"grad_{function.__name__}"](*args)
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


def test_what_is_there_twice_is_written_once():
    text = gradgen.emit(divergence, general=True)
    assert text.split("# Grad of:")[1].count("logvar - mu**2") == 2  # and the heading's
