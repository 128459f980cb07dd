"""Outer products of the rounds of a loop become one product: right in all cases."""

import copy

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def rows(W, X):
    h = np.ones_like(W[0])
    for t in range(len(X)):
        h = np.tanh(X[t] @ W + h)
    return np.sum(h * h)


def states(W, X):
    h = np.zeros(W.shape[0])
    for x in X:
        h = np.sin(W @ h + x)
    return np.sum(h)


def later_rows(W, X):
    h = X[0]
    for t in range(1, X.shape[0]):
        h = np.tanh(h @ W) * X[t]
    return np.sum(h * h)


def every_other(W, X):
    h = X[0] + 1
    for t in range(0, X.shape[0], 2):
        h = np.tanh(h @ W + X[t])
    return np.sum(h * h)


def backwards(W, X):
    h = X[0] + 1
    for t in range(X.shape[0] - 1, -1, -1):
        h = np.tanh(h @ W - X[t] @ W)
    return np.sum(h * h)


def while_small(W, X):
    h = X[0]
    scale = 1.0
    while scale * np.sum(h * h) > 0.1:
        h = np.tanh(0.5 * W @ h)
        scale = 0.5 * scale
    return np.sum(h)


def left_early(W, X):
    h = X[0]
    for t in range(X.shape[0]):
        h = np.tanh(X[t] @ W + h)
        if h[0] > 0.2:
            break
    return np.sum(h * h)


def nested(W, X):
    total = 0.0
    for k in range(2):
        V = W * (k + 1)
        h = X[k]
        for t in range(len(X)):
            h = np.tanh(h @ W + X[t] @ V)
        total = total + np.sum(h * h)
    return total


def triangle(W, X):
    h = X[0]
    for k in range(len(X)):
        for t in range(k):
            h = np.tanh(h @ W + X[t] @ W)
    return np.sum(h * h)


def with_more(W, X):
    h = X[0]
    for t in range(X.shape[0]):
        h = np.tanh(X[t] @ W + h)
    return np.sum(h * h) + np.sum(W * W)


def subtracted(W, X):
    h = X[0]
    for t in range(X.shape[0]):
        h = np.tanh(h - X[t] @ W)
    return np.sum(h * h)


def in_a_branch(W, X):
    h = X[0]
    for t in range(X.shape[0]):
        if t % 2 == 0:
            h = np.tanh(h @ W + X[t])
    return np.sum(h * h)


def changed(W, X):
    h = X[0].copy()
    X[1] = 2 * X[1]
    for t in range(X.shape[0]):
        h = np.tanh(h + X[t] @ W)
        X[t] = h
    return np.sum(X * X)


FUNCTIONS = [
    rows,
    states,
    later_rows,
    every_other,
    backwards,
    while_small,
    left_early,
    nested,
    triangle,
    with_more,
    subtracted,
    in_a_branch,
    changed,
]
SHAPES = [{"W": "n n", "X": "t n"}, {}]
GATHERED = "rows states while_small left_early with_more subtracted".split()


def each(functions):
    return pytest.mark.parametrize("function", functions, ids=lambda f: f.__name__)


def example(count, dtype=float):
    rng = np.random.default_rng(count)
    W, X = rng.normal(size=(3, 3)), rng.normal(size=(count, 3))
    return [W.astype(dtype), X.astype(dtype)]


@each(FUNCTIONS)
@pytest.mark.parametrize("shapes", SHAPES, ids=["known", "unknown"])
@pytest.mark.parametrize("count", [2, 5])
def test_value_shape_and_dtype(function, shapes, count):
    args = example(count)
    gradient = gradgen.grad(function, wrt=("W", "X"), shapes=shapes)
    single = gradient.function(*example(count, np.float32))
    for place, found in enumerate(gradient.function(*copy.deepcopy(args))):
        expected = numeric_gradient(function, copy.deepcopy(args), place, 1.0)
        scale = max(1, np.max(np.abs(expected.value)))
        np.testing.assert_allclose(found, expected.value, atol=1e-7 * scale)
        assert found.shape == args[place].shape and found.dtype == np.float64
        assert single[place].dtype == np.float32
        np.testing.assert_allclose(single[place], found, atol=2e-4 * scale)


@pytest.mark.parametrize("name", GATHERED)
def test_the_product_stands_after_the_loop(name):
    text = gradgen.emit(globals()[name], wrt="W", shapes=SHAPES[0])
    assert "np.outer" not in text and "np.empty" in text, text


@each([rows, states, with_more, subtracted])
@pytest.mark.parametrize("dtype", [float, np.float32])
def test_no_rounds(function, dtype):
    """A sequence without rows leaves what is not read zero, in shape and dtype."""
    W, X = np.ones((3, 3), dtype), np.zeros((0, 3), dtype)
    if function not in (rows, states):
        pytest.skip("reads the first row")
    found = gradgen.grad(function, wrt="W", shapes=SHAPES[0]).function(W, X)
    expected = np.zeros((3, 3), dtype)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == dtype


def test_no_rounds_of_an_oblong_matrix():
    def oblong(W, U, X):
        h = np.ones_like(U[0])
        c = np.ones_like(U[0])
        for t in range(X.shape[0]):
            c = c * h
            h = np.tanh(X[t] @ W + U @ h) * c
        return np.sum(h)

    shapes = {"W": "n m", "U": "m m", "X": "t n"}
    gradient = gradgen.grad(oblong, wrt=("W", "U"), shapes=shapes)
    assert "np.outer" not in gradient.source
    for dtype in (float, np.float32):
        args = [np.ones((2, 3), dtype), np.ones((3, 3), dtype), np.ones((0, 2), dtype)]
        for found, arg in zip(gradient.function(*args), args):
            np.testing.assert_array_equal(found, np.zeros_like(arg))
            assert found.dtype == dtype
