"""Choices between numbers that a loop stores in entries, or adds up."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

ROUTED = """
    def f(x, a, b):
        q = np.zeros(len(x))
        q[0] = x[0]
        for t in range(1, len(x)):
            {0}
        return q
"""
STEPS = [
    "q[t] = max(a * x[t] + b * q[t - 1], 0.0)",
    "q[t] = min(a * x[t] + b * q[t - 1], 0.3)",
    "q[t] = np.maximum(a * x[t], b * q[t - 1])",
    "q[t] = np.clip(a * x[t] + b * q[t - 1], -0.2, 0.4)",
    "q[t] = a * x[t] if x[t] > q[t - 1] else b * q[t - 1]",
]


@pytest.mark.parametrize("step", STEPS)
def test_python_chooses(tmp_path, step):
    f = written(ROUTED.format(step), tmp_path)
    x = np.random.default_rng(3).normal(size=7)
    seed = np.random.default_rng(4).normal(size=7)
    text = gradgen.emit(f, ("x", "a", "b"))
    assert "np.where" not in text
    names: dict = {}
    exec(text, names)
    found = names["grad_f"](x, 0.7, 0.4, seed)
    for k, value in enumerate((x, 0.7, 0.4)):
        true = numeric_gradient(f, [x, 0.7, 0.4], k, seed).value
        np.testing.assert_allclose(found[k], true, rtol=1e-6, atol=1e-8)
