"""Hermite polynomials take whole degrees alone: their slopes do, of what is handed over."""

import numpy as np
import pytest
from scipy import special

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -0.4, 0.7])
DEGREES = [3, 0, np.array([0, 1, 4]), np.array([0, 1, 4], np.uint8), np.uint8(0)]


def physicists(n, x):
    return np.sum(special.eval_hermite(n, x))


def probabilists(n, x):
    return np.sum(special.eval_hermitenorm(n, x))


@pytest.mark.parametrize("n", DEGREES, ids=repr)
@pytest.mark.parametrize("function", [physicists, probabilists])
def test_the_degree_is_an_argument(function, n):
    want = numeric_gradient(function, (n, X), 1).value
    space = {}
    exec(gradgen.emit(function, wrt="x"), space)
    text = space[f"grad_{function.__name__}"]
    for found in (text(n, X), gradgen.grad(function, wrt="x")(n, X)):
        assert found.dtype == X.dtype and found.shape == X.shape
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
