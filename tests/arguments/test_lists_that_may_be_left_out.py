"""Arguments that may be left out, and that come as lists or tuples where they are given."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X, Y = np.array([1.0, 2.0, 3.0]), np.array([0.3, 0.1, 0.7])


def length(x, y=None):
    if y is not None:
        return np.linalg.norm(np.array(x) - np.array(y))
    return np.linalg.norm(np.array(x))


def weighed(x, w=None):
    total = np.sum(x)
    if w is not None:
        total = total + np.sum(np.exp(w)) + np.mean(w)
    return total


def clipped(x, low=None):
    a = np.asarray(x)
    if low is None:
        return np.sum(a**2)
    return np.sum(np.maximum(a, np.asarray(low)))


@pytest.mark.parametrize(
    "sort", [np.array, tuple, list], ids=["array", "tuple", "list"]
)
@pytest.mark.parametrize("wrt", [0, 1])
@pytest.mark.parametrize("function", [length, weighed, clipped])
def test_given(function, wrt, sort):
    namespace = {}
    exec(gradgen.emit(function, wrt=wrt), namespace)
    found = namespace[f"grad_{function.__name__}"](sort(X), sort(Y))
    want = numeric_gradient(function, (X, Y), wrt).value
    assert isinstance(found, np.ndarray) and found.dtype == float
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    "sort", [np.array, tuple, list], ids=["array", "tuple", "list"]
)
@pytest.mark.parametrize("function", [length, weighed, clipped])
def test_left_out(function, sort):
    namespace = {}
    exec(gradgen.emit(function), namespace)
    found = namespace[f"grad_{function.__name__}"](sort(X))
    want = numeric_gradient(function, (X,), 0).value
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-9)
