"""What may be None is still None where the way back asks for it."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.3, 0.9, -0.2, 0.8])
HEAD = """
def f(x):
    y = np.sin(x)
    s = x[0] * x[1]
    s, y[0] = y[0], s
    prev = None
    for v in y:
"""
FORMS = {
    "asked twice": """
        if prev is not None:
            s = s + prev * v
        prev = v if prev is None or v > 0.7 else prev * 0.7
""",
    "in an arm": """
        if prev is None:
            prev = s * v
        else:
            s = s + prev * prev * v
            prev = v
""",
    "kept for some rounds": """
        if v > 0.5:
            s = s * v if prev is None else s + np.sin(prev) * v
            prev = v
""",
    "the greatest so far": """
        if prev is None or v > prev:
            s = s + v * v * (2 if prev is None else prev)
            prev = v
""",
}


def slope(f, h=1e-3):
    """The gradient by differences of the fourth order."""
    near = [f(X + e) - f(X - e) for e in h * np.eye(4)]
    far = [f(X + 2 * e) - f(X - 2 * e) for e in h * np.eye(4)]
    return (8 * np.array(near) - np.array(far)) / (12 * h)


@pytest.mark.parametrize("body", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gradients(body, dtype, tmp_path):
    f = written(HEAD + body + "    return s * 0.5 + np.sum(y)\n", tmp_path)
    got = gradgen.grad(f)(X.astype(dtype))
    assert got.dtype == dtype
    near = 1e-9 if dtype is np.float64 else 1e-5
    np.testing.assert_allclose(got, slope(f), rtol=near, atol=near)
    space = {}
    exec(gradgen.emit(f), space)
    np.testing.assert_allclose(space["grad_f"](X), slope(f), rtol=1e-9, atol=1e-9)
