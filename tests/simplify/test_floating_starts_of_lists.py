"""An adjoint that starts as what a list keeps of a round is made floating by itself."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

LINES = {
    "as it is": "t += p @ r\n        t += u[0] * r[1]\n        p = u + u",
    "a part": "t += p[1:] @ r[1:]\n        t += r[2]\n        p = u + u",
    "negative": "t -= p @ r\n        t += u[0] * r[1]\n        p = u + u",
    "of two": "t += p @ r + u @ r\n        t += r[0] * r[0]\n        p = u * u",
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_as_measured(lines, tmp_path):
    text = f"def f(x, w):\n    p, t = w, 0.0\n    for r in x:\n        u = r + p * 0.5\n        {lines}\n    return t + p @ w\n"
    f = written(text, tmp_path)
    rng = np.random.default_rng(3)
    x, w = rng.normal(size=(4, 3)), rng.normal(size=3)
    whole = np.array([1, -2, 3])
    for args in ((x, w), (x, whole)):
        want = numeric_gradient(f, args, 0).value
        for slopes in (gradgen.jacobian(f), gradgen.grad(f)):
            found = slopes(*args)
            assert found.shape == x.shape and found.dtype == float
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
