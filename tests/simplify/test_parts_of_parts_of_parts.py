"""Slices of slices of slices under names of their own: each part is placed in the next."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

LINES = {
    "three": "p = y[1:]\n    q = p[1:-1]\n    return q[1:]",
    "squares": "p = y[1:]\n    q = p[:-1]\n    return np.sum(q[1:] ** 2)",
    "four": "p = y[1:]\n    q = p[1:]\n    r = q[1:]\n    return r[:-1] ** 2",
    "read twice": "p = y[1:]\n    q = p[1:]\n    return q[1:] * q[:-1]",
    "differences": "p = y[1:] - y[:-1]\n    q = p[1:] - p[:-1]\n    return (q[1:] - q[:-1]) ** 2",
    "in a loop": "s = 0.0\n    for i in range(2):\n        p = y[1:]\n        q = p[1:]\n        s = s + i * q[1:] ** 2\n    return s",
}


@pytest.mark.parametrize("lines", LINES.values(), ids=LINES)
def test_as_measured(lines, tmp_path):
    f = written(f"def f(y):\n    {lines}\n", tmp_path)
    space: dict = {}
    exec(gradgen.emit(f, "y", shapes={"y": "n"}), space)
    y = np.random.default_rng(5).normal(size=7)
    seed = np.cos(np.arange(np.size(f(y)))) if np.ndim(f(y)) else 0.7
    want = numeric_gradient(f, (y,), 0, seed).value
    found = space["grad_f"](y, seed)
    assert found.shape == y.shape
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
