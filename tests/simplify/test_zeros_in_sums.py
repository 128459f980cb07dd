"""A factor that is the number 0: terms that vanish, in sums that share factors."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

ZERO = 0
ZEROS = {"0": 0, "0.0": 0.0, "-0.0": -0.0}


def chosen_and_folded(x, w):
    v = np.where(x > ZERO + 40, x, ZERO * np.sin(x))
    v = np.sin(np.pi * v)
    for i in range(2):
        v = v * 0.5 + np.sin(0.25 * v)
    return np.sum(v * w) * w


def in_both_arms(x, w):
    v = np.where(x > 0, ZERO * x * w, ZERO * w - x * w)
    return np.sum(np.sin(v) * w)


def of_sums(x, w):
    return np.sum((ZERO * x + w) * (ZERO * w - x))


@pytest.mark.parametrize("zero", ZEROS)
@pytest.mark.parametrize("function", [chosen_and_folded, in_both_arms, of_sums])
def test_a_factor_that_is_zero(function, zero, monkeypatch):
    monkeypatch.setitem(globals(), "ZERO", ZEROS[zero])
    x, w = np.array([0.3, -0.7, 1.1]), 0.6
    want = numeric_gradient(lambda one: function(one, w), [x], 0).value
    for shapes in ({}, {"x": "n", "w": ""}):
        space: dict = {}
        exec(gradgen.emit(function, shapes=shapes), space)
        found = space[f"grad_{function.__name__}"](x, w)
        np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)
