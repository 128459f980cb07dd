"""What a reversed round computes again has one line, which others read by its name."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(2)
A = DRAWN.uniform(0.2, 0.9, 6)
X = DRAWN.normal(size=(4, 3))


def pairs(a, x):
    part = x[0]
    for k in range(1, 4):
        one, two = a[2 * k - 2], a[2 * k - 1]
        left = one * part + (1 - one) * np.mean(part)
        part = left * (two * x[k] + (1 - two) * np.mean(x[k]))
    return -np.sum(np.sin(part))


def steps(a, x):
    total = 0.0
    for i in range(2):
        w = a[i + 2]
        total = total + np.sum(np.tanh(w * x[2 * i]) * x[2 * i + 1]) / (1 + w) ** 2
    return total


def squares(a, x):
    out = np.zeros(3)
    for i in range(3):
        w = np.exp(a[2 * i])
        v = 1 - w
        out[i] = np.sum(np.cos(v * x[i]) * w) * v
        out[i] = out[i] * (1 - w) + a[2 * i]
    return np.sum(out**2)


CASES = [pairs, steps, squares]
SHAPES = {"a": "6", "x": "4 3"}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("save", ["values", "state"])
@pytest.mark.parametrize("shapes", [SHAPES, {}], ids=["told", "untold"])
def test_gradients_are_those_of_differences(f, save, shapes):
    found = gradgen.grad(f, wrt=("a", "x"), shapes=shapes, save=save)(A, X)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, [A, X], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-9)


def test_what_has_a_name_is_not_written_again():
    text = gradgen.emit(pairs, wrt="a", shapes=SHAPES)
    back = text.partition("reversed(")[2]
    assert back.count(" a[2 * k - 2]") == 1  # its line
    assert "d_a[2 * k - 2] =" in back
    assert "inner" not in back
