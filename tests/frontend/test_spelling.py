"""Operators, functions under any import, methods and attributes mean the same."""

import math

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

SAME = {
    "np.sum(x, axis=1, keepdims=True)": [
        "x.sum(axis=1, keepdims=True)",
        "x.sum(1, keepdims=True)",
        "numpy.sum(x, axis=1, keepdims=True)",
        "xp.sum(x, 1, keepdims=True)",
        "total(x, axis=1, keepdims=True)",
    ],
    "np.multiply(x, x)": ["x * x", "x**2", "np.square(x)", "x.__class__ and x * x"][:3],
    "np.transpose(x)": ["x.T", "x.transpose()", "np.matrix_transpose(x)"],
    "np.matmul(x, x.T)": ["x @ x.T", "x.dot(x.T)", "np.dot(x, np.transpose(x))"],
    "np.reshape(x, -1)": ["x.reshape(-1)", "x.ravel()", "np.ravel(x)", "x.flatten()"],
    "np.reshape(x, (3, 2))": ["x.reshape(3, 2)", "x.reshape((3, -1))"],
    "np.mean(x)": ["x.mean()", "np.sum(x) / x.size", "x.sum() / (len(x) * x.shape[1])"],
    "np.arccos(x / 9)": ["np.acos(x / 9)"] if hasattr(np, "acos") else [],
    "np.abs(x)": ["abs(x)", "np.absolute(x)", "np.fabs(x)"],
    "np.negative(x)": ["-x", "0 - x", "-1 * x"],
    "x * 3.141592653589793": ["x * np.pi", "x * math.pi", "x * pi"],
    "x[0]": ["x[0, :]", "x[0, ...]", "x[-2]", "x[0:1][0]"],
}
IMPORTS = """
import math
from math import pi
import numpy
import numpy as xp
from numpy import sum as total
"""
CASES = [(first, other) for first, others in SAME.items() for other in others]


def gradient(expression: str, tmp_path, facts):
    source = f"{IMPORTS}\n\ndef f(x):\n    return np.sum(np.sin({expression}))\n"
    return gradgen.grad(written(source, tmp_path), shapes=facts)


@pytest.mark.parametrize("first, other", CASES, ids=[other for _, other in CASES])
@pytest.mark.parametrize("facts", [{"x": "n d"}, None], ids=["facts", "none"])
def test_same_gradient(first, other, facts, tmp_path):
    x = np.array([[1.5, -0.3, 2.0], [0.7, 1.1, -2.2]])
    want = gradient(first, tmp_path, facts)(x)
    got = gradient(other, tmp_path, facts)(x)
    assert got.shape == want.shape
    assert np.allclose(got, want, rtol=1e-13, atol=1e-14)
    assert np.any(want != 0)


def test_math_functions_of_numbers(tmp_path):
    source = """
    import math

    SCALE = 2.5

    def f(x, rate: float = 0.5, *, shift=1e-3):
        \"\"\"Not the gradient's docstring.\"\"\"
        # how fast it falls
        decay = math.exp(-rate * x)  # in (0, 1]
        a, b = decay, SCALE
        return a * math.sqrt(b) + shift
    """
    function = written(source, tmp_path)
    made = gradgen.grad(
        function, wrt=("x", "rate", "shift"), shapes={"x": "", "shift": ""}
    )
    found = made(0.7, 0.3, shift=2.0)
    decay = math.exp(-0.21) * math.sqrt(2.5)
    assert np.allclose(found, (-0.3 * decay, -0.7 * decay, 1.0), rtol=1e-14)
    text = made.source
    assert "import math" in text and "import numpy" not in text
    assert "SCALE = 2.5" in text
    assert "# how fast it falls" in text and "# in (0, 1]" in text
    assert "def grad_f(x, rate: float = 0.5, d_out=1.0, *, shift=1e-3):" in text
    assert "Not the gradient's" not in text
