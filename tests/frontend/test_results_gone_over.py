"""Several results of one call, gone over or put together; np.unravel_index."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def of_split_in_a_sum(x):
    parts = np.split(x, 3, axis=1)
    return sum(np.prod(part) for part in parts)


def of_split_in_a_loop(x):
    t = 0.0
    for part in np.split(x, 2):
        t = t + np.prod(part)
    return t


def of_split_that_changes(x):
    y = x.copy()
    t = 0.0
    for k, part in enumerate(np.split(y, 2)):
        part *= k + 2
        t = t + np.sum(part * y[0])
    return t + np.sum(y**2)


def of_array_split(x):
    return max(part.sum() for part in np.array_split(x.ravel(), 5))


def of_hsplit(x):
    return sum([np.sum(part**2) * (k + 1) for k, part in enumerate(np.hsplit(x, 3))])


def of_gradient(x):
    return sum(np.sum(part**2) for part in np.gradient(x))


def of_meshgrid(x):
    return sum(np.sum(part**2) for part in np.meshgrid(x[0], x[1]))


def in_a_list(x):
    first, *rest = list(np.split(x, 4))
    return np.sum(first * rest[-1])


def place_of_the_largest(x):
    i, j = np.unravel_index(np.argmax(x), x.shape)
    return x[i, j] ** 2 + x[i, 0]


def place_of_the_least_in_one(x):
    place = np.unravel_index(x.argmin(), x.shape)
    return x[place] ** 2 * (place[0] + 1)


def place_on_three_axes(x):
    y = x[:, :, None] * np.arange(1.0, 3.0)
    i, j, k = np.unravel_index(y.argmax(), y.shape)
    return y[i, j, k] * x[i, j] + j


@pytest.mark.parametrize(
    "f",
    [
        of_split_in_a_sum,
        of_split_in_a_loop,
        of_split_that_changes,
        of_array_split,
        of_hsplit,
        of_gradient,
        of_meshgrid,
        in_a_list,
        place_of_the_largest,
        place_of_the_least_in_one,
        place_on_three_axes,
    ],
)
def test_value_and_gradient(f):
    x = np.random.default_rng(1).uniform(0.3, 5, (4, 3))
    try:
        value, gradient = gradgen.value_and_grad(f)(x.copy())
    except gradgen.GradgenError as error:
        # a view of what changes may be refused, with the change named
        assert f is of_split_that_changes and error.code == "GG220"
        return
    np.testing.assert_allclose(value, f(x.copy()), rtol=1e-12)
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("place", [50, -1])
def test_a_place_that_is_not_there_raises(place):
    with pytest.raises(ValueError, match="out of bounds"):
        gradgen.grad(lambda x: x[np.unravel_index(place, x.shape)])(np.ones((4, 3)))
