"""Two numbers in front of a gradient are one, where a person would write one."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

WEIGHT = 0.1
X = np.array([0.3, -0.7, 1.2])


def twice(x):
    return np.sum(0.1 * x**2)


def three_times(x):
    return np.sum(0.1 * x**3)


def small(x):
    return np.sum(1e-8 * x**2)


def spelt(x):
    return np.sum(1e-1 * x**2)


def named(x):
    return np.sum(WEIGHT * x**2)


def of_a_third(x):
    return np.sum(0.33333 * x**2)


CASES = {
    twice: "0.2 * d_out * x",
    three_times: "3 * 0.1 * d_out * x**2",
    small: "2 * 1e-8 * d_out * x",
    spelt: "2 * 1e-1 * d_out * x",
    named: "2 * d_out * WEIGHT * x",
    of_a_third: "0.66666 * d_out * x",
}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_numbers(f):
    text = gradgen.emit(f, shapes={"x": "n"})
    assert CASES[f] in text or f is named and "WEIGHT" in text, text
    found = gradgen.grad(f, shapes={"x": "n"})(X)
    truth = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(found, truth, rtol=1e-7, atol=1e-16)
