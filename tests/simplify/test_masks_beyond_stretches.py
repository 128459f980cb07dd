"""What a mask leaves out is 0 beyond a sum to a shape that the mask has, and a fill."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

VECTOR = np.array([0.3, -1.2, 0.7, 2.1, -0.4])
ROW = np.array([1.0, 2.0, -0.5, 0.7, 1.5])
ROWS = np.outer([1.0, -2.0, 0.6], ROW)
SHAPES = [(VECTOR, ROW), (VECTOR, ROWS), (VECTOR, 2.0), (ROWS, ROW), (VECTOR[:1], ROW)]
SHAPES += [
    (-VECTOR[:1], ROW),
    (ROWS[:, :1], ROW),
    (np.array(0.7), ROW),
    (ROWS[1:2], ROWS),
]


def beside_an_array(x, w):
    return np.where(x > 0, np.sqrt(x), w).sum()


def with_it(x, w):
    return np.sum(np.where(x > 0, np.sqrt(x) * w, w) ** 2)


def in_both_ways(x, w):
    return np.sum(np.where(x > 0, np.log(x), w) * w)


def otherwise(x, w):
    return np.sum(np.where(x <= 0, w, x**-0.5) * w)


def twice(x, w):
    y = np.where(x > 0, np.log(x), w)
    return np.sum(np.where(x > 0.5, np.sqrt(np.where(x > 0.5, x - 0.5, 1.0)) * y, y))


def in_place(x, w):
    y = np.zeros_like(x * w)
    np.sqrt(x, out=y, where=x > 0)
    np.log(-x, out=y, where=x < 0)
    return np.sum(y * w)


FUNCTIONS = [beside_an_array, with_it, in_both_ways, otherwise, twice, in_place]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_is_left_out_is_zero(function, shapes):
    want = [numeric_gradient(function, list(shapes), at).value for at in (0, 1)]
    space = {}
    exec(gradgen.emit(function, ("x", "w"), general=True), space)
    got = space[f"grad_{function.__name__}"](*shapes)
    at_hand = gradgen.grad(function, ("x", "w"))(*shapes)
    for found in (got, at_hand):
        for one, other in zip(found, want):
            assert np.shape(one) == np.shape(other)
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
