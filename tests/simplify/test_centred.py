"""The gradient of a variance reads the user's own x - mean."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.random.default_rng(53).normal(0, 1, (5, 4))


def by_columns(x):
    normed = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + 1e-5)
    return np.sum(np.sin(normed))


def by_rows(x):
    mean = np.mean(x, axis=1, keepdims=True)
    gap = x - mean
    std = np.std(x, axis=1, keepdims=True)
    return np.sum(np.tanh(gap / std))


def by_rows_without(x):
    gap = x.T - np.mean(x, axis=1)
    return np.sum(np.cos(gap) * x.var(axis=1))


def whole(x):
    return np.sum((x - np.mean(x)) ** 3) / np.std(x) ** 3


def with_another_mean(x):
    gap = x - np.mean(x * x, axis=0)
    return np.sum(gap * x.var(axis=0))


def along_another_axis(x):
    gap = x - np.mean(x, axis=0)
    return np.sum(gap**2 * x.var(axis=1, keepdims=True))


def square(x):
    """As many rows as columns: a mean of rows would line up with columns."""
    x = x[:4]
    gap = x - np.mean(x, axis=1)
    return np.sum(np.cos(gap) * x.var(axis=1))


CASES = [
    by_columns,
    by_rows,
    by_rows_without,
    whole,
    with_another_mean,
    along_another_axis,
    square,
]


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [{"x": "5 4"}, {}], ids=["told", "untold"])
def test_as_differences(f, shapes):
    gradient = gradgen.grad(f, shapes=shapes)(X)
    truth = numeric_gradient(f, [X], 0).value
    np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [by_columns, by_rows, whole], ids=lambda f: f.__name__)
def test_no_mean_is_taken_again(f):
    text = gradgen.emit(f, shapes={"x": "n d"})
    back = text.split("# Grad of", 1)[1].splitlines()[1:]
    assert not any("(x - np.mean" in line for line in back if "# " not in line), text


@pytest.mark.parametrize("f", [by_columns, whole], ids=lambda f: f.__name__)
def test_forward_mode(f):
    """There the statements of the primal stand between the others."""

    def later(x):
        spread = np.std(x)
        gap = x - np.mean(x)
        return np.sum(gap**3) * spread + f(x)

    direction = np.cos(np.arange(X.size)).reshape(X.shape)
    made = gradgen.jvp(later, "x", shapes={"x": "n d"})(X, direction)
    truth = np.sum(numeric_gradient(later, [X], 0).value * direction)
    np.testing.assert_allclose(made[1], truth, rtol=1e-6)
