"""Ties of a maximum: right where kinks cancel, on one side where nothing cancels them."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

SMOOTH = [
    ("np.sum(np.maximum(x, 0) + np.minimum(x, 0))", 1.0),
    ("np.sum(np.maximum(x, 0) - np.maximum(-x, 0))", 1.0),
    ("np.sum(np.maximum(x, 0) - 0.3 * x + np.log1p(np.exp(-np.abs(x))))", 0.2),
    ("np.sum(np.maximum(np.stack([x, -x]), 0) * np.array([[1], [-1]]))", 1.0),
]


@pytest.mark.parametrize("told", [{}, {"x": "n"}], ids=["none", "n"])
@pytest.mark.parametrize(("text", "slope"), SMOOTH)
def test_kinks_that_cancel(text, slope, told, tmp_path):
    function = written(f"def f(x):\n    return {text}", tmp_path)
    x = np.array([0.0, 0.0])
    step = 1e-6
    measured = (function(x + [step, 0]) - function(x - [step, 0])) / (2 * step)
    assert abs(measured - slope) < 1e-6
    np.testing.assert_allclose(gradgen.grad(function, shapes=told)(x), slope)


@pytest.mark.parametrize(
    "text",
    [
        "np.mean(np.maximum(0.3 * x, -0.7 * x))",
        "np.sum(np.maximum(x, 0) ** 2)",
        "np.sum(np.minimum(x - 1, 2 * x))",
    ],
)
def test_a_lone_kink_has_no_tie(text, tmp_path):
    function = written(f"def f(x):\n    return {text}", tmp_path)
    assert "==" not in gradgen.emit(function, wrt="x", shapes={"x": "n"})
