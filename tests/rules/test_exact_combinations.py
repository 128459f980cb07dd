"""comb(n, k, exact=True) of whole numbers, as statistics of order are written."""

import numpy as np
import pytest
from scipy.special import comb

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([1.0, 2.5, 3.0, 0.5])


def scaled(x):
    return np.sum(np.sort(x) * np.arange(len(x))) / comb(len(x), 2, exact=True)


def bernstein(x):
    total = 0.0
    for i in range(len(x)):
        total += comb(len(x) - 1, i, exact=True) * x[i] ** i
    return total


def listed(x):
    counts = [comb(i, 2, exact=True) for i in range(len(x))]
    return sum(v * n for v, n in zip(x, counts)) / comb(len(x), 3, exact=True)


@pytest.mark.parametrize("f", [scaled, bernstein, listed])
def test_of_lengths(f):
    want = numeric_gradient(f, (X,), 0).value
    space = {}
    exec(gradgen.emit(f), space)
    assert np.allclose(gradgen.grad(f)(X), want, rtol=1e-6)
    assert np.allclose(space[f"grad_{f.__name__}"](X), want, rtol=1e-6)
