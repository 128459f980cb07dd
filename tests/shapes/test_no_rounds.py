"""A total that starts from a number is one where its loop has no round."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def lags(x, w):
    out = 0.0
    for k in range(1, len(w)):
        out = out + w[k] * x
    return np.mean((out - w[0]) ** 2)


def rows(m, X):
    z = 0.0
    for t in range(len(X)):
        z += (X[t] - m) ** 2 / 2
    return np.mean((z - m) ** 2)


def gone_over(m, X):
    z = 0
    for row in X:
        z = row * m - z * 0 + z
        z = z - 0
    return np.mean(np.exp(-z) + m)


def counted(x, m, n):
    z = 0.0
    for i in range(n):
        z = z + np.sin(i + x)
    return np.mean((z * m) ** 2 + m)


def while_more(x, m, n):
    z, i = 0.0, 0
    while i < n:
        z = z - x * m
        i += 1
    return np.mean(z - m) + np.size(z) * m


def along_axes(A, m):
    z = 0.0
    for k in range(len(A) - 1):
        z = z + A[k] * m
    return np.sum(np.sum(np.atleast_2d(z + m), axis=0) ** 2)


def at_once(A, m):
    z = 0.0
    for k in range(len(A) - 1):
        z = z + A[k] * m[0]
    return np.linalg.norm(z - m) + np.sum(z) / np.size(z)


X, NONE = np.array([[0.3, -1.2, 0.7], [1.1, 0.4, -0.9]]), np.zeros((0, 3))
ONE, NUMBER = np.array([0.8]), 0.8
CASES = [
    (lags, X[0], X[1]),
    (lags, X[0], ONE),
    (rows, ONE, NONE),
    (rows, ONE, X),
    (rows, NUMBER, NONE),
    (gone_over, ONE, NONE),
    (gone_over, NUMBER, X),
    (counted, X[0], NUMBER, 0),
    (counted, X[0], ONE, 0),
    (counted, X, NUMBER, 2),
    (while_more, X[0], NUMBER, 0),
    (while_more, X, NUMBER, 0),
    (while_more, X[0], NUMBER, 3),
    (along_axes, X[:1], NUMBER),
    (along_axes, X[:1], X[0]),
    (along_axes, X, NUMBER),
    (at_once, X[:1], ONE),
    (at_once, X, ONE),
]


@pytest.mark.parametrize("door", ["call", "text"])
@pytest.mark.parametrize("function, given", [(one, given) for one, *given in CASES])
def test_the_gradient_is_that_of_the_function(function, given, door):
    names = function.__code__.co_varnames[:2]
    if door == "text":
        space: dict = {}
        exec(gradgen.emit(function, names), space)
        got = space[f"grad_{function.__name__}"](*given)
    else:
        got = gradgen.grad(function, names)(*given)
    for at, found in enumerate(got):
        want = numeric_gradient(function, given, at, 1.0).value
        assert np.shape(found) == np.shape(want)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-7)


def test_a_loop_of_so_many_rounds_has_them():
    def three(x, w):
        out = 0.0
        for k in range(3):
            out = out + x[k] * w
        return np.mean((out - 1) ** 2)

    shapes = {"x": "m n", "w": "n"}
    assert "d_out / x.shape[1]" in gradgen.emit(three, "w", shapes=shapes)
