"""Eigenvectors and singular vectors of matrices without entries: gradients of none."""

import numpy as np
import pytest

import gradgen


def vectors(x):
    return np.linalg.eigh(x)[1]


def both(x):
    w, V = np.linalg.eigh(x)
    return w @ V


def left(x):
    return np.linalg.svd(x, full_matrices=False)[0]


def every(x):
    u, s, v = np.linalg.svd(x, full_matrices=False)
    return np.sum(u * s[..., None, :]) + np.sum(v)


def of_stacks(x):
    w, V = np.linalg.eigh(x)
    return np.sum(w[..., None] * V)


CASES = [
    (vectors, "n n", (0, 0)),
    (vectors, "k n n", (2, 0, 0)),
    (vectors, "k n n", (0, 3, 3)),
    (both, "n n", (0, 0)),
    (left, "n m", (0, 0)),
    (left, "n m", (0, 3)),
    (left, "n m", (3, 0)),
    (left, "k n m", (2, 0, 3)),
    (every, "n m", (0, 0)),
    (every, "n m", (0, 3)),
    (every, "k n m", (0, 2, 2)),
    (of_stacks, "k n n", (2, 0, 0)),
    (of_stacks, "k n n", (0, 2, 2)),
]


@pytest.mark.parametrize("function, fact, shape", CASES)
@pytest.mark.parametrize("mode", ["gradient", "forward", "call"])
def test_there_is_nothing_to_differentiate(function, fact, shape, mode):
    x = np.zeros(shape)
    value = np.asarray(function(x))
    if mode == "call":
        found, want = gradgen.vjp(function)(x)[1](np.ones(value.shape)[()]), shape
    elif mode == "forward":
        found, want = gradgen.jvp(function)(x, x)[1], value.shape
    else:
        space: dict = {}
        exec(gradgen.emit(function, shapes={"x": fact}), space)
        gradient = space[f"grad_{function.__name__}"]
        found, want = gradient(x, np.ones(value.shape)[()]), shape
    assert np.shape(found) == want and np.asarray(found).dtype == float
