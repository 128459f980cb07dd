"""A number of the module that becomes an array, and back, between two calls."""

from collections import deque

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

scale = 2.0
SCALES = {
    "an array and back": (2.0, np.arange(3.0), 3.0),
    "arrays of two ranks": (np.arange(3.0), np.arange(6.0).reshape(2, 3), 0.5),
    "arrays alone": (np.arange(3.0), np.ones((3, 3)), np.arange(1.0, 4.0)),
    "an axis of length 1": (1.5, np.array([2.0]), np.arange(3.0)),
    "a number of NumPy": (np.float64(1.5), np.arange(3.0), 2),
}


def scaled(x):
    return np.sum(np.sin(x) * scale)


def stored(x):
    y = np.zeros((3, 3))
    y[...] = x * scale
    return np.sum(y * y)


def called(x):
    return scaled(x) + np.max(scale)


@pytest.mark.parametrize("values", SCALES.values(), ids=SCALES.keys())
@pytest.mark.parametrize("function", [scaled, stored, called])
@pytest.mark.parametrize("calls", [1, 3])
def test_the_gradient_follows_what_is_read(function, values, calls, monkeypatch):
    gradient, x = gradgen.grad(function), np.array([0.3, 0.7, 1.1])
    if function is stored:
        values = [one for one in values if np.ndim(one) != 2]
    for value in values:
        monkeypatch.setitem(globals(), "scale", value)
        for _ in range(calls):
            found = gradient(x)
        wanted = numeric_gradient(function, [x], 0).value
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("make", [gradgen.value_and_grad, gradgen.hessian])
def test_other_derivatives_follow_it_too(make, monkeypatch):
    derivative, x = make(scaled), np.array([0.3, 0.7, 1.1])
    for value in (2.0, np.arange(3.0), 3.0):
        monkeypatch.setitem(globals(), "scale", value)
        found = derivative(x)
        if make is gradgen.hessian:
            np.testing.assert_allclose(found, np.diag(-np.sin(x) * value), atol=1e-9)
        else:
            np.testing.assert_allclose(found[0], scaled(x))
            np.testing.assert_allclose(found[1], np.cos(x) * value)


MODES = {"doubled"}
LAST = deque([1.0, 2.0])


def by_mode(x, modes=MODES):
    return np.sum(x) * (2.0 if "doubled" in modes and "doubled" in MODES else 1.0)


def by_queue(x):
    return np.sum(x) * LAST[0]


def test_sets_and_queues_that_change_in_place_are_read_again():
    x = np.ones(3)
    of_set, of_queue = gradgen.grad(by_mode), gradgen.grad(by_queue)
    np.testing.assert_array_equal(of_set(x), 2 * x)
    np.testing.assert_array_equal(of_queue(x), x)
    MODES.discard("doubled")
    LAST[0] = 5.0
    try:
        np.testing.assert_array_equal(of_set(x), x)
        np.testing.assert_array_equal(of_queue(x), 5 * x)
        LAST.appendleft(3.0)
        np.testing.assert_array_equal(of_queue(x), 3 * x)
    finally:
        MODES.add("doubled")
        LAST.clear()
        LAST.extend([1.0, 2.0])
    np.testing.assert_array_equal(of_set(x), 2 * x)
    np.testing.assert_array_equal(of_queue(x), x)
