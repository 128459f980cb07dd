"""Generators whose items are all taken at once: lists, tuples, unpacking, sums."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.4, 0.9, -0.31])
FORMS = (
    "s = list(v * v for v in x)\n    return s[0] * s[1] + np.sum(np.array(s))",
    "s = tuple(v * v for v in x)\n    return s[0] * 2 + s[-1]",
    "a, b, c = (v * k for k, v in enumerate(x, 1))\n    return a * b + c",
    "s = [*(np.sin(v) for v in x), x[0]]\n    return sum(s) * s[0]",
    "s = np.sort(list(v * v for v in x))\n    return s[0] * 2 + s[2] * s[1]",
    "return max(v * v for v in x) + min(np.cos(v) for v in x)",
    "return sum(v * v for v in x if v > 0) * x[2]",
    "s = list(np.outer(x, x)[i] for i in range(len(x)))\n    return s[0] @ s[1]",
    "return np.sum(np.array(list(v + w for v in x for w in x)) ** 2)",
    "return next((v * 2 for v in (x[0], x[1])), 0.0) * x[1]",
)


@pytest.mark.parametrize("form", FORMS)
def test_each_form(form):
    function = imported(f"import numpy as np\n\n\ndef f(x):\n    {form}\n", "f")
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(X), want, rtol=1e-6, atol=1e-9)
