"""A reduction whose axis is an argument: a vector has one axis, others are refused."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def mean_distance(x, y, axis=0):
    return np.mean(np.abs(x - y), axis=axis)


def spread(x, y, axis=-1):
    return np.sum(np.var(x * y, axis=axis, keepdims=True))


def root(x, y, axis=0):
    return np.sqrt(np.mean((x - y) ** 2, axis=axis))


def deviation(x, y, axis=0):
    return np.std(x - y, axis=axis, ddof=1)


FORMS = (mean_distance, spread, root, deviation)
X = np.array([0.3, -0.7, 1.2, 0.4])
Y = np.array([0.9, 0.2, -0.5, 0.1])


@pytest.mark.parametrize("function", FORMS)
def test_of_vectors(function):
    found = gradgen.grad(function)(X, Y)
    want = numeric_gradient(lambda x, y: function(x, y), (X, Y), 0)
    assert found.shape == X.shape
    np.testing.assert_allclose(found, want.value, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("function", FORMS)
@pytest.mark.parametrize("given", [(), (0,), (1,)])
def test_of_matrices_it_is_right_or_refused(function, given):
    x, y = X.reshape(2, 2), Y.reshape(2, 2)
    seed = np.ones(np.shape(function(x, y, *given)))[()]
    try:
        found = gradgen.grad(function)(x, y, *given, seed=seed)
    except gradgen.GradgenError as refusal:
        assert refusal.code.startswith("GG3")
        return
    want = numeric_gradient(lambda x, y: function(x, y, *given), (x, y), 0, seed)
    np.testing.assert_allclose(found, want.value, rtol=1e-7, atol=1e-9)
