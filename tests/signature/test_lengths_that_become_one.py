"""Lengths that are 1 by accident: X[:, 2:] of three columns broadcasts, as in NumPy."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([[0.3, 1.2, 0.5], [0.8, 0.1, 0.9], [0.4, 0.6, 0.7]])


def with_a_range(x):
    return np.sum(np.exp(x[:, 2:] - np.arange(2, 15) / 15))


def with_ones(x):
    return np.sum(np.ones(13) * x[:, 2:] ** 2)


def both_cut(x, y):
    return np.sum(np.sin(x[0, 1:2] * y[2:]))


def with_another(x, y):
    return np.sum(np.exp(x[:, 2:] * y))


def in_turn(x, y):
    return np.sum(x[1:, 0] * y + x[:-1, 1])


class Problem:
    def __init__(self):
        self.first, self.count = 3, 15

    def distance(self, x):
        i = np.arange(self.first - 1, self.count)
        return np.sum(np.exp(x[:, self.first - 1 :] - i / self.count))


@pytest.mark.parametrize(
    "function",
    [with_a_range, with_ones, Problem().distance],
    ids=lambda one: one.__qualname__,
)
def test_one_column_is_left(function):
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("function", [both_cut, with_another, in_turn])
@pytest.mark.parametrize("wrt", [0, 1])
def test_two_arguments(function, wrt):
    x, y = X[:2], np.linspace(0.2, 0.9, 13)
    want = numeric_gradient(function, [x.copy(), y], wrt)
    if function is with_another:
        x = X
        want = numeric_gradient(function, [x.copy(), y], wrt)
    got = gradgen.grad(function, wrt="xy"[wrt])(x, y)
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-8)


def test_other_lengths_have_their_own_text():
    g = gradgen.grad(with_another, wrt="x")
    for n, m in ((3, 13), (6, 4), (3, 13), (3, 1)):
        x, y = np.linspace(0.1, 0.8, 2 * n).reshape(2, n), np.linspace(0.2, 0.9, m)
        want = numeric_gradient(lambda x: with_another(x, y), [x.copy()], 0).value
        np.testing.assert_allclose(g(x, y), want, rtol=1e-6, atol=1e-8)


def test_where_the_function_raises_it_is_refused():
    with pytest.raises((GradgenError, ValueError)):
        gradgen.grad(with_another, wrt="x")(np.ones((2, 5)), np.ones(13))
