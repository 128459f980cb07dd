"""Functions in lists, by places that are counted from the end."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, 0.7])
FUNCTIONS = [np.sin, np.cos, np.tan]


def at(x, n):
    return np.sum(FUNCTIONS[n](x))


def from_the_end(x, n=1):
    return np.sum(FUNCTIONS[-n](x))


def each_from_the_end(x):
    total = 0.0
    for i in range(-3, 0):
        total = total + np.sum(FUNCTIONS[i](x)) * (i + 4)
    return total


@pytest.mark.parametrize("function", [from_the_end, each_from_the_end])
def test_places_count_from_the_end(function):
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-6)
    names = {}
    exec(gradgen.emit(function), names)
    found = names[f"grad_{function.__name__}"](X)
    np.testing.assert_allclose(found, want, rtol=1e-6)


@pytest.mark.parametrize("place", range(-4, 4))
def test_the_text_takes_what_the_list_takes(place):
    names = {}
    exec(gradgen.emit(at), names)
    if not -3 <= place < 3:
        with pytest.raises(IndexError):
            names["grad_at"](X, place)
        return
    want = numeric_gradient(lambda x: at(x, place), [X], 0).value
    np.testing.assert_allclose(names["grad_at"](X, place), want, rtol=1e-6)
