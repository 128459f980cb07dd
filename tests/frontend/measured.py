"""The gradient of a function with nothing told, against differences at three points."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, 0.4, 1.3])
at_three_points = pytest.mark.parametrize(
    "x", [X, -X, X[::-1] - 0.9], ids=["one", "minus", "turned"]
)


def is_right(function, x) -> None:
    """Fails unless the value is the function's own, and the gradient the measured one."""
    want = numeric_gradient(function, [x], 0).value
    value, got = gradgen.value_and_grad(function)(x)
    np.testing.assert_array_equal(value, function(x))
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
