"""Quantiles whose q is an argument: one number at a time, and held constant."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

A = np.array([[0.1, 0.7, 0.3], [2.0, 1.4, 1.1]])
CASES = {
    "np.quantile(x, q, axis=0)": (0.3, 0.5, np.float64(0.9), 0, 1, np.array(0.4)),
    "np.quantile(x, q)": (0.3, 1),
    "np.percentile(x, q, axis=1)": (30, 33.5, 0, 100),
    "np.percentile(x, 100 - q)": (30, np.float32(12.5)),
    "np.subtract(*np.percentile(x, [q, 100 - q]))": (10, 33.5),
    "np.quantile(x, q, axis=1, keepdims=True) * x": (0.3, 1),
}


@pytest.mark.parametrize("line", CASES)
def test_the_gradient_and_the_tangent(tmp_path, line):
    f = written(f"def f(x, q=0.5):\n    return {line}\n", tmp_path)
    gradient, tangent = gradgen.grad(f), gradgen.jvp(f)
    for q in CASES[line]:
        seed = np.cos(np.arange(np.size(f(A, q)))).reshape(np.shape(f(A, q)))[()]
        true = numeric_gradient(f, [A, q], 0, seed).value
        found = gradient(A, q, seed=seed)
        assert found.shape == A.shape and found.dtype == A.dtype
        np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-8)
        value, along = tangent(A, q, np.sin(A))
        np.testing.assert_array_equal(value, f(A, q))
        np.testing.assert_allclose(np.sum(seed * along), np.sum(true * np.sin(A)))


def test_an_order_that_varies_is_refused(tmp_path):
    f = written("def f(q, x):\n    return np.quantile(x, q)\n", tmp_path)
    with pytest.raises(GradgenError, match="q of quantile"):
        gradgen.grad(f)(0.3, A)
    g = written("def f(x):\n    return np.quantile(x, 0.1 * x[0, 0])\n", tmp_path, "g")
    with pytest.raises(GradgenError, match="q of quantile"):
        gradgen.jvp(g)(A, A)
