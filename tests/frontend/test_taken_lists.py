"""A list that a loop has made, handed to a function that makes an array of it."""

import numpy as np
import pytest
from scipy import special

import gradgen
from gradgen import GradgenError
from gradgen.rules.traits import takes_array
from gradgen.verify.finite import numeric_gradient


def log1p(x):
    out = []
    for i in range(len(x)):
        out.append(x[i] * x[i])
    return np.sum(np.log1p(out))


def larger(x):
    out = [x[i] * 0.5 for i in range(len(x))]
    return np.sum(np.maximum(out, 0.3) * np.hypot(x, out))


def sorted_rows(x):
    out = []
    for row in x:
        out += [np.sin(row)]
    return np.sum(np.sort(out, axis=0) * x)


def sums(x):
    out = []
    for i in range(len(x)):
        out.append(x[i] ** 2)
    return np.nansum(out) * np.ptp(out) + np.sum(np.flip(out) * x)


def gamma(x):
    out = []
    for i in range(len(x)):
        out.append(x[i] + 1.0)
    return np.sum(special.gammaln(out))


def chosen(x):
    out = [x[0]]
    for i in range(1, len(x)):
        out.append(out[-1] * x[i])
    return np.sum(np.where(np.less(out, 0.4), out, x)) + np.count_nonzero(out) * x[0]


def joined(x):
    out = []
    for i in range(len(x)):
        out.append(x[i] * 2.0)
    return np.sum(np.stack(out) * np.concatenate([np.array(out)]))


VECTOR = np.array([0.7, 0.35, 0.92, 0.55])
MATRIX = np.array([[0.7, 0.35], [0.15, 0.92], [0.55, 0.41]])


@pytest.mark.parametrize(
    "function", [log1p, larger, sorted_rows, sums, gamma, chosen, joined]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_its_gradient_is_that_of_the_array(function, dtype):
    x = (MATRIX if function is sorted_rows else VECTOR).astype(dtype)
    got = gradgen.grad(function)(x)
    true = numeric_gradient(function, (x.astype(float),), 0, np.float64(1.0))
    assert got.shape == x.shape and got.dtype == dtype
    np.testing.assert_allclose(got, true.value, rtol=1e-4 if dtype != float else 1e-7)


def ragged(x):
    out = []
    for i in range(len(x)):
        out.append(x[:i])
    return np.sum(np.sqrt(out))


def test_what_numpy_makes_no_array_of_has_no_gradient():
    with pytest.raises(ValueError):
        ragged(VECTOR)
    with pytest.raises((GradgenError, ValueError)):
        gradgen.grad(ragged)(VECTOR)


@pytest.mark.parametrize(
    "op, position, takes",
    [
        ("numpy.log1p", 0, True),
        ("numpy.maximum", 1, True),
        ("numpy.where", 0, True),
        ("numpy.sum", 0, True),
        ("numpy.sum", 1, False),
        ("numpy.argmax", 0, True),
        ("numpy.full_like", 0, True),
        ("numpy.reshape", 1, False),
        ("numpy.stack", 0, False),
        ("numpy.array", 0, False),
        ("numpy.einsum", 1, True),
        ("numpy.select", 1, False),
        ("numpy.zeros", 0, False),
        ("numpy.shape", 0, True),
        ("numpy.argsort", 1, False),
        ("numpy.searchsorted", 1, True),
        ("scipy.special.gammaln", 0, True),
        ("len", 0, False),
    ],
)
def test_the_rule_says_which_arguments_are_arrays(op, position, takes):
    assert takes_array(op, position) is takes
