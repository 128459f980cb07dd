"""What np.clip leaves out is 0 where a factor is infinite, beyond a sum to any shape."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.0, 1.2, 0.55])
COLUMN = np.array([[0.0], [0.8]])
ROW = np.array([1.0, 1.7, 0.3])
ROWS = np.array([[1.0, 1.7, 0.3], [0.2, 0.45, 0.6]])
SHAPES = [(X, ROWS), (X, ROW), (COLUMN, ROW), (X, 0.7), (COLUMN, ROWS[:, :2])]


def of_a_logarithm(x, y):
    return np.sum(np.clip(np.log(x) * y, -1, 2.0))


def of_a_root(x, y):
    return np.sum(np.clip(np.sqrt(x) * y, 0.5, 2.0) * y)


def of_a_sum(x, y):
    return np.sum(np.clip(np.log(x) + y, -3, 5) ** 2)


def of_a_quotient(x, y):
    return np.sum(np.clip(y / x, 0.1, 4.0))


def from_both_sides(x, y):
    return np.sum(np.minimum(np.maximum(np.log(x) * y, -1), 2.0))


FUNCTIONS = [of_a_logarithm, of_a_root, of_a_sum, of_a_quotient, from_both_sides]


@np.errstate(divide="ignore", invalid="ignore")
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", range(len(SHAPES)))
def test_ends_of_an_interval(function, shapes):
    x, y = SHAPES[shapes]
    text = gradgen.emit(function, wrt=["x", "y"], general=True)
    names: dict = {}
    exec(text, names)
    d_x, _ = names[f"grad_{function.__name__}"](x, y)
    want = numeric_gradient(lambda v: function(np.abs(v), y), [x], 0).value
    assert np.shape(d_x) == np.shape(x)
    at_zero = x == 0
    assert np.all(d_x[at_zero] == 0), d_x
    np.testing.assert_allclose(d_x[~at_zero], want[~at_zero], 1e-6, 1e-8)
