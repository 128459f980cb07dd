# ruff: noqa: F841
"""A function that raises of an argument without entries has a gradient that raises."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

x = np.array([0.7, 1.2, 2.4])


def python_max(x, w):
    a = max(w)
    return np.sum(x * x)


def numpy_min(x, w):
    return np.sum(x * x) + np.min(w)


def first(x, w):
    a = w[0]
    return np.sum(x * x)


def last_of_a_list(x, w):
    a = [v * 2 for v in w][-1]
    return np.sum(x * x)


def mean_by_hand(x, w):
    return np.sum(x * x) + sum(w) / len(w)


def whole_quotient(x, w):
    half = 4 // len(w)
    return np.sum(x * x)


FUNCTIONS = [python_max, numpy_min, first, last_of_a_list, mean_by_hand, whole_quotient]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_the_gradient_raises_as_the_function(f):
    grad = gradgen.grad(f, wrt="x")
    for w in (np.zeros(0), []):
        with pytest.raises(Exception) as own:
            f(x, w)
        for _ in range(3):  # also where the call is one that came often
            np.testing.assert_allclose(grad(x, np.ones(2)), 2 * x)
            with pytest.raises((own.type, GradgenError)):
                grad(x, w)


def test_a_matrix_without_rows_raises_in_a_call_that_came_often():
    def f(x, w):
        a = w[0, 0]
        return np.sum(x * x)

    grad = gradgen.value_and_grad(f)
    for _ in range(3):
        np.testing.assert_allclose(grad(x, np.ones((3, 2)))[1], 2 * x)
    for shape in ((0, 2), (2, 0), (0, 0)):
        with pytest.raises(IndexError):
            grad(x, np.ones(shape))


def test_what_does_not_raise_has_its_gradient_and_keeps_its_arguments():
    def f(x, w):
        w += 1.0
        x[:1] += 1.0
        return np.sum(x * x) + np.sum(w)

    own = x.copy()
    found = gradgen.grad(f)(own, np.zeros(0))
    np.testing.assert_allclose(found, 2 * (x + [1, 0, 0]))
    np.testing.assert_array_equal(own, x)
