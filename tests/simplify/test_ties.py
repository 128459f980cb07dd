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


SQUARED = [
    "np.sum(np.maximum(0, 1 - y * (X @ x)) ** 2)",
    "np.sum(y * np.square(np.minimum(X @ x, 0)))",
    "np.mean(np.maximum(X @ x, 0) ** 3) + np.sum(x * x)",
]


@pytest.mark.parametrize("text", SQUARED)
def test_the_square_of_a_maximum_has_no_tie(text, tmp_path):
    function = written(f"def f(x, X, y):\n    return {text}", tmp_path)
    shapes = {"x": "d", "X": "n d", "y": "n"}
    assert "==" not in gradgen.emit(function, wrt="x", shapes=shapes)
    X = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 0.0], [-1.0, 1.0]])
    y = np.array([1.0, -1.0, 1.0, 2.0])
    at = np.array([1.0, 1.0])  # of which X @ x is 0 twice, and y * (X @ x) is 1
    step, found = 1e-5, gradgen.grad(function, wrt="x", shapes=shapes)(at, X, y)
    for k, unit in enumerate(np.eye(2)):
        up, down = at + step * unit, at - step * unit
        measured = (function(up, X, y) - function(down, X, y)) / (2 * step)
        assert abs(found[k] - measured) < 1e-4


@pytest.mark.parametrize(
    "text",
    [
        "m = np.maximum(X @ x, 0)\n    return np.sum(m**2) + np.sum(m)",
        "m = np.maximum(X @ x, 0)\n    return np.sum(m**1.5)",
        "m = np.maximum(X @ x, x[0])\n    return np.sum(m**2)",
    ],
    ids=["read otherwise", "of a smaller power", "of two arguments"],
)
def test_other_maxima_keep_theirs(text, tmp_path):
    function = written(f"def f(x, X):\n    {text}", tmp_path)
    assert "==" in gradgen.emit(function, wrt="x", shapes={"x": "d", "X": "n d"})
