"""The adjoint of a number goes into the next one where it cancels."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def of_a_logarithm(log_a, p):
    a = np.exp(log_a)
    return np.sum(np.log(p) / a)


def likelihood(log_a, p):
    sigma = np.exp(log_a)
    return np.sum(0.5 * (p / sigma) ** 2) + len(p) * np.log(sigma)


def of_a_square(log_a, p):
    a = log_a * log_a
    return np.sum(p) / a


def of_two(log_a, p):
    a = np.exp(log_a)
    b = np.sqrt(a)
    return np.sum(p / b) * np.log(b)


def read_twice(log_a, p):
    a = np.exp(log_a)
    return np.sum(p / a) * a + np.sum(p**2 * a)


FUNCTIONS = [of_a_logarithm, likelihood, of_a_square, of_two, read_twice]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients(function):
    p = np.array([0.4, 1.3, 2.2])
    text: dict = {}
    exec(gradgen.emit(function, shapes={"log_a": "", "p": "n"}), text)
    made = text[f"grad_{function.__name__}"]
    for at in (0.7, -1.4):
        want = numeric_gradient(function, [at, p], 0).value
        np.testing.assert_allclose(made(at, p), want, rtol=1e-6, atol=1e-9)
    narrow = made(np.float32(0.7), p.astype(np.float32))
    assert np.asarray(narrow).dtype == np.float32


@pytest.mark.parametrize("function", [of_a_logarithm, likelihood])
def test_the_line_between_is_gone(function):
    text = gradgen.emit(function, shapes={"log_a": "", "p": "n"})
    assert "d_a =" not in text and "d_sigma =" not in text
