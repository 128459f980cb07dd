"""Products and quotients stored back: x[key] *= y in the text, and as measured."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

# what is done with y, a copy of x, and what the text has to say
LINES = {
    "an entry": ("y[0] *= 0.5", "d_y[0] *= 0.5"),
    "a part": ("y[1:] *= w", "d_y[1:] *= w"),
    "a quotient": ("y[1:] /= w", "d_y[1:] /= w"),
    "a mask": ("y[x < 0.0] *= 0.1", "] *= 0.1"),
    "places": ("y[[0, 2]] *= w", "d_y[[0, 2]] *= w"),
    "written out": ("y[0] = y[0] * 0.5", "y[0] = y[0] * 0.5"),
    "from the right": ("y[0] = 0.5 * y[0]", "y[0] = 0.5 * y[0]"),
    "by itself": ("y[1:] *= y[:-1]", "y[1:] *= y[:-1]"),
    "of the square": ("y[1:] *= y[1:]", "y[1:] *= "),
    "in a loop": ("for i in range(3):\n        y[i] *= w", "y[i] *= w"),
    "in a loop by the last": (
        "for i in range(1, 3):\n        y[i] /= y[i - 1] + 3.0",
        "d_y[i]",
    ),
    "in an arm": ("if w > 0.0:\n        y[1] *= w", "y[1] *= w"),
    "of rows": ("y = np.outer(y, y)\n    y[1] *= w\n    y[:, 0] /= w", "d_y[1] *= w"),
    "a kept row": (
        "y = np.outer(y, y)\n    for j in range(3):\n        y[j] /= y[j, j] + 2.0",
        "y[j] /= ",
    ),
}


@pytest.mark.parametrize("fast", [False, True], ids=["", "fast"])
@pytest.mark.parametrize("case", LINES)
def test_as_measured(case, fast, tmp_path):
    lines, said = LINES[case]
    text = f"def f(x, w):\n    y = x.copy()\n    {lines}\n    return np.sum(y**2)\n"
    f = written(text, tmp_path)
    x, w = np.array([0.7, -1.2, 1.9]), 0.6
    text = gradgen.emit(f, ("x", "w"), shapes={"x": "n", "w": ""}, fast=fast)
    assert fast or said in text, text
    space: dict = {}
    exec(text, space)
    for dtype in (float, np.float32):
        given = x.astype(dtype)
        found = space["grad_f"](given, dtype(w))
        assert np.array_equal(given, x.astype(dtype))
        assert found[0].dtype == dtype and found[0].shape == x.shape
        tolerance = 1e-6 if dtype is float else 2e-4
        for i, one in enumerate(found):
            want = numeric_gradient(f, (x, w), i).value
            np.testing.assert_allclose(one, want, rtol=tolerance, atol=tolerance)
