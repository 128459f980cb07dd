"""locals(): the names that surely have a value, for a function that looks one up."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def check(names, name, shape):
    array = names[name]
    if array.shape[-1] != shape[-1]:
        raise ValueError(f"{name} is not {shape}")
    return array.shape[0]


def checked(x, y):
    z = x * y
    k = check(locals(), "y", (-1, 3))
    return np.sum(z**2) * k


def looked_up(x, y):
    z = x * y
    return np.sum(locals()["z"] ** 2) + len(locals())


def at_the_start(x, y):
    n = len(locals())
    w = x * n
    return np.sum(w**2)


def in_an_arm(x, y):
    if y.ndim == 2:
        k = check(locals(), "x", (3,))
        return k * np.sum(x * y)
    return np.sum(x**3)


X, Y = np.array([0.2, 0.3, 0.4]), np.ones((2, 3))


@pytest.mark.parametrize("f", [checked, looked_up, at_the_start, in_an_arm])
def test_the_derivative(f):
    want = numeric_gradient(f, (X, Y), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X, Y), want, rtol=1e-7)


def behind_a_branch(x):
    if x[0] > 0:
        w = x * 2  # noqa: F841
    return np.sum(x**2) * len(locals())


def behind_a_loop(x):
    for _ in range(int(x[0])):
        w = x * 2  # noqa: F841
    return np.sum(x**2) * len(locals())


def forgotten(x):
    w = x * 2
    del w
    return np.sum(x**2) * len(locals())


def in_a_loop(x):
    for _ in range(2):
        n = len(locals())
        w = x * n
    return np.sum(w**2)


def in_a_function(x):
    def inner(y):
        return y * len(locals())

    return inner(np.sum(x))


def of_more(*given):
    return np.sum(given[0]) * len(locals())


@pytest.mark.parametrize(
    "f", [behind_a_branch, behind_a_loop, forgotten, in_a_loop, in_a_function, of_more]
)
def test_names_that_may_have_no_value_are_refused(f):
    with pytest.raises(gradgen.GradgenError):
        gradgen.grad(f)(X)
