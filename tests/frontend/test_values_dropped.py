"""A statement that is a value of an array, which is dropped, changes nothing."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient


def turned(x):
    y = 2 * x
    y.reshape((3, 1))
    return np.sum(y * y)


def cast_and_copied(x):
    x.astype(float)
    np.sin(x).copy()
    x.T
    return np.sum(x**3)


def in_a_loop(x):
    total = 0.0
    for i in range(len(x)):
        x + total
        np.multiply(x, 2)
        total += x[i] ** 2
    return total


def after_a_change(x):
    y = x.copy()
    y[0] = y[0] * 2
    y.flatten()
    -y
    return np.sum(y**2)


@pytest.mark.parametrize("f", [turned, cast_and_copied, in_a_loop, after_a_change])
def test_right(f):
    x = np.array([0.3, -1.2, 2.0])
    want = numeric_gradient(f, (x,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), want, rtol=1e-7)
    names: dict = {}
    exec(gradgen.emit(f, shapes={"x": "n"}), names)
    np.testing.assert_allclose(names[f"grad_{f.__name__}"](x), want, rtol=1e-7)


def sorted_in_place(x):
    x.sort()
    return np.sum(x * np.arange(3))


def shuffled(x):
    np.random.shuffle(x)
    return np.sum(x * np.arange(3))


def entry(x):
    x[5]
    return np.sum(x)


@pytest.mark.parametrize("f", [shuffled, entry])
def test_what_changes_or_raises_is_refused(f):
    with pytest.raises(GradgenError):
        gradgen.grad(f)(np.array([0.3, -1.2, 2.0]))


def test_what_changes_its_array_changes_it():
    x = np.array([0.3, -1.2, 2.0])
    try:
        found = gradgen.grad(sorted_in_place)(x.copy())
    except GradgenError:
        return
    np.testing.assert_allclose(found, [1.0, 0.0, 2.0])
