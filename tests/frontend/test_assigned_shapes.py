"""x.shape = (3, -1): another shape of an array that has one name alone."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from tests.frontend.measured import X, at_three_points, is_right

TABLE = np.arange(3.0)


def of_a_new_one(x):
    y = np.array([x, 2 * x])
    y.shape = (3, 2)
    return np.sum(y[:, 0] * y[:, 1])


def of_the_argument(x):
    x.shape = (3, 1)
    return np.sum(np.sum(x * np.ones(2), axis=1) ** 2)


def of_what_takes_its_name(x):
    x = np.asarray(x, dtype=float)
    x.shape = 3, -1
    return np.sum(x[:, 0] ** 3)


def by_a_test(x):
    y = np.array(x)
    if y.ndim == 1:
        y.shape = (1,) + y.shape
    return np.sum(np.sum(y, axis=0) ** 2)


def then_stored(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] ** 2
    y.shape = -1, 1
    y[0, 0] = x[1]
    return np.sum(y * 2)


@at_three_points
@pytest.mark.parametrize(
    "function",
    [
        *(of_a_new_one, of_the_argument, of_what_takes_its_name, by_a_test),
        then_stored,
    ],
)
def test_shapes(function, x):
    def of_a_copy(x):
        return function(x.copy())

    got = gradgen.grad(function)(x)
    assert x.shape == (3,)  # the caller's array stays as it is
    is_right(of_a_copy, x)
    np.testing.assert_allclose(got, gradgen.grad(of_a_copy)(x), rtol=1e-12)


def two_names(x):
    y = x * 2
    z = y
    y.shape = (3, 1)
    return np.sum(z * x)


def the_same_array(x):
    y = np.asarray(x)
    y.shape = (3, 1)
    return np.sum(x * y)


def in_a_list(x):
    rows = [x * 2]
    y = rows[0]
    y.shape = (3, 1)
    return np.sum(rows[0] * x)


def in_a_callee(x):
    def turned(u):
        u.shape = (3, 1)
        return u * 2

    y = x * 2
    return np.sum(turned(y) * y)


def of_the_module(x):
    y = TABLE
    y.shape = (3, 1)
    return np.sum(TABLE * x)


class Layer:
    def __init__(self):
        self.w = np.arange(3.0)

    def loss(self, x):
        y = self.w
        y.shape = (3, 1)
        return np.sum(self.w * x)


@pytest.mark.parametrize(
    "function",
    [
        *(two_names, the_same_array, in_a_list, in_a_callee, of_the_module),
        Layer().loss,
    ],
    ids=lambda one: one.__qualname__,
)
def test_arrays_that_have_another_name_are_refused(function):
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(function)(X)
    assert caught.value.code in ("GG220", "GG230")


def in_a_dictionary(p, x):
    y = p["w"]
    y.shape = (3, 1)
    return np.sum(p["w"] * x)


def test_what_a_container_holds_is_refused():
    with pytest.raises(GradgenError) as caught:
        gradgen.grad(in_a_dictionary, wrt="x")({"w": np.arange(3.0)}, X)
    assert caught.value.code == "GG220"
