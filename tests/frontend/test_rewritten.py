"""Calls of NumPy's that are read as other calls of NumPy's."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.3, 0.6, 0.9])
HEAD = "import numpy as np\n\n\n"


def function(body):
    return imported(f"{HEAD}def f(x):\n    {body}\n", "f")


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "body",
    [
        "v = np.zeros(x.shape, np.promote_types(x.dtype, 'float'))\n"
        "    v[x > 0.5] = 2 * x[x > 0.5]\n    return np.sum(v**2)",
        "return np.sum(x.astype(np.promote_types(x.dtype, np.float32)) ** 2)",
        "return np.sum(x.astype(np.promote_types('f4', float)) ** 2)",
        "return np.sum(np.require(x, dtype=float) ** 2)",
        "return np.sum(np.require(x, float, []) ** 3)",
        "told = []\n    return np.sum(np.require(x, requirements=told) ** 3)",
        "return np.sum(np.require(x, None, None) ** 3)",
        "return np.sum(np.array(x, ndmin=1).flatten() ** 3)",
        "return np.sum(np.array(x, ndmin=2) @ np.ones((3, 2)) * x[0])",
        "return np.sum(np.array(x, float, ndmin=2).T @ x[None])",
        "return np.array(x[0] * x[1], ndmin=1)[0] + np.array(x, ndmin=0)[2] ** 2",
        "return np.sum(np.array([x, x**2], ndmin=2).T[1])",
        "return np.sum(np.nan_to_num(x, copy=True) ** 3)",
        "return np.sum(np.nan_to_num(x / x[0], copy=False, nan=2.0) ** 3)",
    ],
)
def test_the_same_as_differences(body, dtype):
    f, space = function(body), {}
    want = numeric_gradient(f, [X], 0).value
    exec(gradgen.emit(f), space)
    for found in (gradgen.grad(f)(X.astype(dtype)), space["grad_f"](X.astype(dtype))):
        assert found.dtype == dtype
        np.testing.assert_allclose(
            found, want, rtol=1e-5 if dtype is np.float32 else 1e-7
        )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return np.sum(np.require(x, requirements=['O']) ** 2)", "GG205"),
        ("return np.sum(np.require(x, None, 'C') ** 2)", "GG205"),
        ("return np.sum(np.array(x, ndmin=3) ** 2)", "GG209"),
        ("return np.sum(np.nan_to_num(x, copy=False) ** 2)", "GG209"),
    ],
)
def test_what_may_copy_or_not_is_refused(body, code):
    with pytest.raises(gradgen.GradgenError, match=code):
        gradgen.grad(function(body))(X.copy())
