"""What is read for its shape alone is no reason to keep it: an operand has that shape."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def taps(x, w, y):
    out = np.zeros_like(y)
    for i in range(len(w)):
        out += w[i] * x[i : i + len(y)]
    return np.sum(np.sin(out) * y)


def quotients(x, w, y):
    out = np.zeros_like(y)
    for i in range(len(w)):
        out -= x[i : i + len(y)] / w[i]
    return np.sum(np.sin(out) * y)


def scaled_twice(x, w, y):
    out = np.zeros_like(y)
    for i in range(len(w)):
        part = w[i] * (x[i : i + len(y)] * w[0])
        out += part
    return np.sum(np.sin(out) * y)


@pytest.mark.parametrize("function", [taps, quotients, scaled_twice])
def test_no_array_is_kept_for_its_shape(function):
    rng = np.random.default_rng(0)
    args = rng.normal(size=7), rng.uniform(0.5, 1.5, 3), rng.normal(size=5)
    made = gradgen.grad(function, wrt=("x", "w"), shapes={"x": "n", "w": "k", "y": "m"})
    assert "_unbroadcast(" in made.source
    assert ".append(" not in made.source
    for place, found in enumerate(made.function(*args)):
        expected = numeric_gradient(function, args, place, 1.0).value
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", [taps, quotients, scaled_twice])
def test_a_part_that_is_stretched_is_summed(function):
    """The slice has one entry, and stands for all of the sum's."""
    rng = np.random.default_rng(1)
    args = rng.normal(size=3), rng.uniform(0.5, 1.5, 3), rng.normal(size=5)

    made = gradgen.grad(function, wrt="x", shapes={"x": "n", "w": "k", "y": "m"})
    x, w, y = args
    expected = numeric_gradient(function, (x[2:], w[:1], y), 0, 1.0).value
    np.testing.assert_allclose(
        made.function(x[2:], w[:1], y), expected, rtol=1e-6, atol=1e-8
    )
