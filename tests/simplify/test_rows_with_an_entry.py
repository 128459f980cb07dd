"""Losses that pick an entry of each row: no row of zeros is added up, and it is right."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

LABELS = np.array([2, 0, 2, -1])
WEIGHTS = np.array([0.5, 1.0, 2.0, 0.25])
X = np.random.default_rng(3).normal(size=(4, 5))


def log_softmax(x):
    z = x - x.max(axis=1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=1, keepdims=True))


def entropy(x, labels, w):
    return -log_softmax(x)[np.arange(len(x)), labels].mean()


def weighted(x, labels, w):
    z = x - x.max(axis=1, keepdims=True)
    p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    return -np.sum(w * p[np.arange(len(z)), labels]) / np.sum(w)


def smoothed(x, labels, w, eps=0.1):
    p = log_softmax(x)
    picked = -p[np.arange(len(x)), labels].mean()
    return (1 - eps) * picked - eps * p.mean(axis=1).mean()


def of_one_column(x, labels, w):
    return np.sum(w * log_softmax(x)[np.arange(len(x)), 1])


def of_some_rows(x, labels, w):
    return np.sum(log_softmax(x)[np.arange(3), labels[:3]] ** 2)


def of_rows_that_come_again(x, labels, w):
    return np.sum(log_softmax(x)[np.array([0, 1, 1, 3]), labels] ** 2)


def of_rows_in_turn(x, labels, w):
    return np.sum(w * log_softmax(x)[np.arange(len(x))[::-1], labels])


def of_two_columns(x, labels, w):
    return np.sum(w * log_softmax(x)[np.arange(len(x))[:, None], np.array([[0, 3]])].T)


def along_columns(x, labels, w):
    p = x - np.log(np.sum(np.exp(x), axis=0, keepdims=True))
    return np.sum(w * p[np.arange(len(x)), labels])


def read_twice(x, labels, w):
    p = log_softmax(x)
    return np.sum(w * p[np.arange(len(x)), labels]) + np.sum(p[0] * p[1])


def picked_first(x, labels, w):
    picked = x[np.arange(len(x)), labels]
    return np.sum(w * picked**2 * np.sum(x * x, axis=1))


def less_its_mean(x, labels, w):
    p = x - x.mean(axis=1)[:, None]
    return np.sum(p[np.arange(len(x)), labels])


def less_its_sum(x, labels, w):
    p = x - np.sum(x, axis=1).reshape(-1, 1)
    return np.sum(p[np.arange(len(x)), labels])


def less_an_outer_product(x, labels, w):
    p = x - np.outer(np.sum(x, axis=1), w[[0, 0, 1, 1, 2]])
    return np.mean(p[np.arange(len(x)), labels])


EVERY = [
    less_its_mean,
    less_its_sum,
    less_an_outer_product,
    entropy,
    weighted,
    smoothed,
    of_one_column,
    of_some_rows,
    of_rows_that_come_again,
    of_rows_in_turn,
    of_two_columns,
    along_columns,
    read_twice,
    picked_first,
]
FACTS = {"x": "n 5", "labels": "n:int", "w": "n"}


def derivatives(f):
    """The derivative with nothing told, with the ranks told, and through the value."""
    yield gradgen.grad(f)
    yield gradgen.grad(f, shapes=FACTS)
    both = gradgen.value_and_grad(f, shapes=FACTS)
    yield lambda *args: both(*args)[1]


@pytest.mark.parametrize("f", EVERY, ids=lambda f: f.__name__)
def test_the_gradient_is_the_derivative(f):
    want = numeric_gradient(lambda x: f(x, LABELS, WEIGHTS), [X], 0).value
    for derivative in derivatives(f):
        found = derivative(X, LABELS, WEIGHTS)
        assert found.shape == X.shape and found.dtype == X.dtype
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", EVERY, ids=lambda f: f.__name__)
def test_narrow_arrays_stay_narrow(f):
    narrow = X.astype("float32"), LABELS, WEIGHTS.astype("float32")
    for derivative in derivatives(f):
        found, want = derivative(*narrow), derivative(X, LABELS, WEIGHTS)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("f", [entropy, weighted, smoothed], ids=lambda f: f.__name__)
def test_no_row_is_added_up(f):
    text = gradgen.emit(f, wrt="x", shapes=FACTS)
    assert "np.sum(d_" not in text
    assert "hits" not in text  # len(z) does not hang on the entries of z
    if f is not smoothed:
        assert "zeros_like" not in text and "d_x[np.arange(len(" in text
