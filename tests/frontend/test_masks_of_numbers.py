"""np.extract, np.place and np.piecewise by conditions that are numbers, 0 for false."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.4, -1.3, 2.2, 0.7])
ONES = np.array([1, 0, 1, 1])


def extracted(x):
    return np.sum(np.extract(1 - (x > 2), x) ** 2)


def extracted_by_floats(x):
    return np.sum(np.extract(np.sign(x - 0.5) + 1.0, x) ** 3)


def extracted_by_booleans(x):
    return np.sum(np.extract(x > 0.5, x) ** 3)


def placed(x):
    y = np.zeros(x.shape)
    mask = (1 - (x < 0)) & (x < 2)
    np.place(y, mask, np.extract(mask, x) ** 2)
    np.place(y, x > 2, 7.0)
    return np.sum(y * x)


def placed_over(x):
    y = x * x
    np.place(y, 2 * (x > 0.5), np.extract(x > 0.5, np.sin(x)))
    return np.sum(y)


def pieces(x):
    return np.sum(np.piecewise(x, [1 * (x < 0), 2 * (x > 1)], [np.sin, np.exp, np.cos]))


FUNCTIONS = [
    extracted,
    extracted_by_floats,
    extracted_by_booleans,
    placed,
    placed_over,
    pieces,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shapes", [{}, {"x": "n"}])
def test_a_condition_of_numbers(function, shapes):
    want = numeric_gradient(function, [X], 0).value
    got = gradgen.grad(function, shapes=shapes)(X)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)


def test_a_mask_beside_it():
    def chosen(x, mask):
        return np.sum(np.extract(mask, x) ** 2)

    np.testing.assert_allclose(gradgen.grad(chosen)(X, ONES), 2 * X * ONES)
