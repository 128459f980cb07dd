"""Slopes of log(1 + exp(z)) are finite where exp(z) is not; softmax of a log-softmax."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def logistic_loss(s, y):
    return np.mean(np.log(1 + np.exp(-y * s)))


def with_weights(s, y):
    z = s * y
    return np.sum(y**2 * np.log(np.exp(-z) + 1) - 0.5 * z)


def of_one_line(s, y):
    return np.sum(np.log(1 + np.exp(-s))) * y[0]


def also_read(s, y):
    return np.sum(np.exp(s * 0.001) + np.log(1 + np.exp(s * 0.001))) + np.sum(y)


def in_a_loop(s, y):
    total = 0.0
    for i in range(len(s)):
        total += np.log(1 + np.exp(-s[i])) * y[i]
    return total


FUNCTIONS = [logistic_loss, with_weights, of_one_line, also_read, in_a_loop]
S, Y = np.array([0.3, -1.2, 900.0, -900.0]), np.array([1.0, -1.0, 1.0, -1.0])


@pytest.mark.parametrize("told", [{}, {"s": "n", "y": "n"}], ids=["untold", "told"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_finite_gradients(function, told):
    if not told and function is logistic_loss:
        told = {"y": "n"}  # else -y may be that of integers without a sign
    text: dict = {}
    exec(gradgen.emit(function, shapes=told), text)
    with np.errstate(over="ignore"):
        found = text[f"grad_{function.__name__}"](S, Y)
    assert np.all(np.isfinite(found))
    near = numeric_gradient(function, [S[:2], Y[:2]], 0).value
    np.testing.assert_allclose(text[f"grad_{function.__name__}"](S[:2], Y[:2]), near)
    steep = np.array([0, -1]) if function is not logistic_loss else None
    if function is of_one_line:
        np.testing.assert_array_equal(found[2:], steep)


def test_values_and_second_derivatives():
    value, found = gradgen.value_and_grad(logistic_loss)(S[:2], Y[:2])
    assert value == logistic_loss(S[:2], Y[:2])
    np.testing.assert_allclose(
        found, numeric_gradient(logistic_loss, [S[:2], Y[:2]], 0).value
    )
    v = np.array([0.4, -0.7])
    step = 1e-5
    slope = gradgen.grad(logistic_loss)
    want = (slope(S[:2] + step * v, Y[:2]) - slope(S[:2] - step * v, Y[:2])) / (
        2 * step
    )
    np.testing.assert_allclose(
        gradgen.hvp(logistic_loss)(S[:2], Y[:2], v), want, rtol=1e-6
    )


def entropy(z, y):
    lp = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(np.exp(lp) * lp) + np.sum(y * lp)


def by_hand(z, y):
    shifted = z - np.max(z, axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return np.mean(np.sum((y - log_p) ** 2, axis=-1))


def of_all(z, y):
    lp = z - np.log(np.sum(np.exp(z)))
    p = np.exp(lp)
    return np.sum(y * p * lp)


def of_another_sum(z, y):
    lp = z - np.log(np.sum(np.exp(y)))
    return np.sum(lp**2) + np.sum(np.exp(z)) / np.sum(np.exp(y))


@pytest.mark.parametrize("function", [entropy, by_hand, of_all, of_another_sum])
def test_softmax_of_a_log_softmax(function):
    rng = np.random.default_rng(3)
    z, y = rng.normal(size=(2, 3, 4))
    want = numeric_gradient(function, [z, y], 0).value
    text = gradgen.emit(function, shapes={"z": "n k", "y": "n k"})
    space: dict = {}
    exec(text, space)
    np.testing.assert_allclose(
        space[f"grad_{function.__name__}"](z, y), want, rtol=1e-6
    )
    if function in (entropy, of_all):
        code = [one for one in text.splitlines() if "# Grad of" not in one]
        assert "\n".join(code).count("np.exp(") == 2


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64, np.uint64])
def test_integers_without_a_sign_have_no_minus(dtype):
    def total(x):
        return np.sum(np.log(1 + np.exp(x)) - 0.5 * x)

    for told in ({}, {"x": "n"}):
        text: dict = {}
        exec(gradgen.emit(total, shapes=told), text)
        x = np.array([1, 2, 0, 3])
        found, want = (text["grad_total"](x.astype(one)) for one in (dtype, float))
        np.testing.assert_allclose(found, want, rtol=1e-2)
