"""An adjoint that is taken apart and put together again is itself, if nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def moved(q, X):
    a, b = q
    return np.sum(np.tanh(X + np.array([a, b])))


def turned(q, X):
    a, b = q
    return np.sum((X @ np.array([b, a])) ** 2)


def one_read_twice(q, X):
    a, b = q
    return np.sum(np.tanh(X + np.array([a, b]))) + a * b


def of_the_seed(q, X):
    a, b = q
    return np.array([a, b]) + np.sum(X)


def twice(q, X):
    a, b = q
    c, d = X[0]
    return np.sum(np.tanh(np.array([a, b]) + np.array([c, d])))


@pytest.mark.parametrize("function", [moved, turned, one_read_twice, twice])
def test_gradients(function):
    q, X = np.array([0.3, -0.7]), np.arange(6.0).reshape(3, 2) / 4
    text = gradgen.emit(function, wrt=("q", "X"), shapes={"q": "2", "X": "n 2"})
    space: dict = {}
    exec(text, space)
    found = space[f"grad_{function.__name__}"](q, X)
    for i, one in enumerate(found):
        want = numeric_gradient(function, [q, X], i).value
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-9)
    assert not np.shares_memory(*found)


def test_it_is_one_line():
    text = gradgen.emit(moved, wrt="q", shapes={"q": "2", "X": "n 2"})
    assert "np.array(" not in text.replace("np.array([a, b])", "")


def test_a_seed_is_not_handed_back():
    text = gradgen.emit(of_the_seed, wrt="q", shapes={"q": "2", "X": "n 2"})
    space: dict = {}
    exec(text, space)
    seed = np.array([1.0, 2.0])
    found = space["grad_of_the_seed"](np.ones(2), np.ones((3, 2)), seed)
    np.testing.assert_array_equal(found, seed)
    assert not np.shares_memory(found, seed)
