"""Loops over places: np.ndindex and np.ndenumerate, against differences."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def by_two_names(x):
    t = 0.0
    for i, j in np.ndindex(x.shape):
        t += x[i, j] ** 2 * (i + 1)
    return t


def by_one_name(x):
    t = 0.0
    for place in np.ndindex(*x.shape):
        t += x[place] ** 2 * (place[1] + 1)
    return t


def of_numbers(x):
    out = np.zeros_like(x)
    for i, j in np.ndindex(2, 2):
        out[i, j] = x[j, i] ** 2
    return np.sum(out)


def of_a_part_of_a_shape(x):
    out = np.zeros(x.shape[:-1])
    for place in np.ndindex(x.shape[:-1]):
        out[place] = np.sum(x[place] ** 2)
    return np.sum(out)


def with_entries(x):
    t = 0.0
    for (i, j), v in np.ndenumerate(x):
        t += v**2 * (j + 1)
    return t


def with_entries_by_one_name(x):
    t = 0.0
    for place, v in np.ndenumerate(x):
        t += v**2 * x[place] * (place[0] + 1)
    return t


def with_entries_that_change(x):
    y = x.copy()
    for (i, j), v in np.ndenumerate(y):
        y[i, j] = v * 2 + (y[i - 1, j] if i else 0)
    return np.sum(y * x)


def with_a_return(x):
    for place, v in np.ndenumerate(x):
        if v > 2:
            return v**2 * (place[1] + 1)
    return x[0, 0]


def with_a_break(x):
    t = 0.0
    for i, j in np.ndindex(x.shape):
        if x[i, j] > 4:
            break
        t += x[i, j] ** 2
    else:
        t += 100 * x[0, 0]
    return t


def with_continue(x):
    n, m = x.shape
    t = 0.0
    for i, j in np.ndindex((n - 1, m)):
        if x[i, j] > 4:
            continue
        t += x[i, j] * x[i + 1, j]
    return t


def of_a_product(x):
    t = 0.0
    for (i, j), v in np.ndenumerate(x.T * 2.0):
        t += v**3 * x[j, i]
    return t


@pytest.mark.parametrize("high", [3.0, 6.0])
@pytest.mark.parametrize(
    "f",
    [
        by_two_names,
        by_one_name,
        of_numbers,
        of_a_part_of_a_shape,
        with_entries,
        with_entries_by_one_name,
        with_entries_that_change,
        with_a_return,
        with_a_break,
        with_continue,
        of_a_product,
    ],
)
def test_value_and_gradient(f, high):
    x = np.random.default_rng(1).uniform(0.3, high, (4, 3))
    value, gradient = gradgen.value_and_grad(f)(x.copy())
    np.testing.assert_allclose(value, f(x.copy()), rtol=1e-12)
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-8)
