"""Examples with arrays of integers, which round what is stored into their like."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X, K = np.array([0.5, 1.2, -2.7]), np.array([1, 2, 3])
ROUNDING = {
    "zeros_like": "y = np.zeros_like(k); y[:] = x * 3; return np.sum(y * x)",
    "a copy": "y = k.copy(); y[0] = x[0]; return np.sum(y * x)",
    "full_like": "return np.sum(np.full_like(k, x[0] * 3) * x)",
    "astype": "return np.sum((x * 3).astype(k.dtype) * x)",
    "dtype=": "return np.sum(np.asarray(x * 3, dtype=k.dtype) * x)",
    "an array of a list": "y = np.array(k); y[0] = x[0] * 3; return np.sum(y * x)",
    "itself": "k[0] = x[0]; return np.sum(k * x)",
}
FLOATS = {
    "labels": "y = np.zeros((3, 4)); y[np.arange(3), k] = x; return np.sum(y**2)",
    "counts": "y = k * 1.0; y[0] = x[0]; return np.sum(y * x)",
    "added": "y = k + 0.5; y += x; return np.sum(y * x)",
}


def function(line, path):
    return written("def f(x, k):\n    " + line.replace("; ", "\n    "), path)


@pytest.mark.parametrize("name", ROUNDING)
@pytest.mark.parametrize("of", [np.array, list, tuple])
def test_what_is_rounded_is_refused(name, of, tmp_path):
    if of is not np.array and name != "an array of a list":
        return  # a list has no dtype
    with pytest.raises(GradgenError, match="GG309"):
        gradgen.emit(
            function(ROUNDING[name], tmp_path), wrt="x", example=(X, of(K.tolist()))
        )


@pytest.mark.parametrize("name", FLOATS)
def test_what_is_no_integer_is_emitted(name, tmp_path):
    f, names = function(FLOATS[name], tmp_path), {}
    exec(gradgen.emit(f, wrt="x", example=(X, K)), names)
    want = numeric_gradient(f, [X, K], 0).value
    np.testing.assert_allclose(names["grad_f"](X, K), want, rtol=1e-7, atol=1e-9)
