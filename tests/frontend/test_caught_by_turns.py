"""What raises by turns in a try block that goes on: decided by options, or refused."""

import numpy as np
import pytest

import gradgen

X = np.array([0.3, 1.2, -0.7])
NUMBERS = {"a": 1.5, "b": -2.0}
FUNCTIONS = {"sin": (np.sin, np.cos), "exp": (np.exp, np.exp)}


def of_a_number(x, mode="a"):
    try:
        k = NUMBERS[mode]
    except KeyError:
        k = 3.0
    return np.sum(k * x * x)


def of_a_function(x, mode="SIN"):
    try:
        f, _ = FUNCTIONS[mode]
    except KeyError:
        f, _ = FUNCTIONS[mode.lower()]
    return np.sum(f(x))


class Table:
    def __init__(self, data):
        self.data = data

    def __getitem__(self, key):
        try:
            return self.data[key]
        except KeyError:
            return self.data[key.lower()]


TABLE = Table({"one": 1.0, "two": 2.0})


def by_a_class(x, name="TWO"):
    return np.sum(TABLE[name] * np.cos(x))


def counted(x, y):
    try:
        a, b = y
    except ValueError:
        a, b = 1.0, 2.0
    return np.sum(x * x) * a * b


@pytest.mark.parametrize("mode, k", [(None, 1.5), ("a", 1.5), ("b", -2.0), ("c", 3.0)])
def test_a_number_of_a_table(mode, k):
    given = () if mode is None else (mode,)
    np.testing.assert_allclose(gradgen.grad(of_a_number)(X, *given), 2 * k * X)


@pytest.mark.parametrize("mode", [None, "sin", "EXP", "exp"])
def test_a_function_of_a_table(mode):
    given = () if mode is None else (mode,)
    slope = FUNCTIONS[(mode or "sin").lower()][1]
    np.testing.assert_allclose(gradgen.grad(of_a_function)(X, *given), slope(X))


@pytest.mark.parametrize("name", ["TWO", "two", "one"])
def test_a_table_with_a_class_of_its_own(name):
    factor = TABLE[name]
    got = gradgen.grad(by_a_class)(X, name)
    np.testing.assert_allclose(got, -factor * np.sin(X))


def test_one_that_lengths_decide_is_refused():
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradgen.emit(counted, wrt="x")
    assert np.allclose(gradgen.grad(counted)(X, (2.0, 3.0)), 12 * X)
