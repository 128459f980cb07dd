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
    ("np.sum(np.sum(np.maximum(np.stack([x, -x]), 0), 1) * np.array([1, -1]))", 1.0),
    ("np.sum(np.clip(np.stack([x, x + 1]), 0, 1))", 1.0),
    (
        "np.sum(np.clip(np.outer([1.0, 1.0], x) + np.array([[0], [1]]), len(x) - 2, 1))",
        1.0,
    ),
    ("np.sum(np.maximum(np.outer([1.0, -1.0], x), 0) * np.array([[1], [-1]]))", 1.0),
    ("sum(s * np.maximum(s * v, 0) for v in x for s in (1, -1))", 1.0),
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


SUMMED = [
    "np.mean(np.maximum(0, 1 - y * (X @ x)))",
    "np.mean(np.maximum(0, 1 - y * (X @ x))) + 0.1 * np.sum(x * x)",
    "np.sum(0.5 * np.maximum(X @ x, 2 * (X @ x)) + np.exp(X @ x) / 3)",
    "np.sqrt(np.sum(-np.minimum(0, X @ x - 1) / 2)) * x[0]",
    "np.log(3 + np.sum(np.maximum(np.sum(X * x, axis=1), 0)))",
]


@pytest.mark.parametrize("look", ["", "if X.ndim != 2:\n        raise ValueError(X)"])
@pytest.mark.parametrize("text", SUMMED)
def test_the_sum_of_a_maximum_has_no_tie(text, look, tmp_path):
    function = written(f"def f(x, X, y):\n    {look}\n    return {text}", tmp_path)
    shapes = {"x": "d", "X": "n d", "y": "n"}
    assert "==" not in gradgen.emit(function, wrt="x", shapes=shapes)
    # ties that no direction leaves: X @ x is 0 and y * (X @ x) is 0 in a row of zeros
    X = np.array([[1.0, 0.5], [-0.5, 0.7], [0.0, 0.0], [-1.0, 1.0]])
    y = np.array([1.0, -1.0, 1.0, 2.0])
    at = np.array([0.4, 0.8])
    step, found = 1e-6, gradgen.grad(function, wrt="x", shapes=shapes)(at, X, y)
    for k, unit in enumerate(np.eye(2)):
        up, down = at + step * unit, at - step * unit
        measured = (function(up, X, y) - function(down, X, y)) / (2 * step)
        assert abs(found[k] - measured) < 1e-7


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
        "m = np.maximum(X @ x, 0)\n    return np.sum(m) + m[0]",
        "m = np.maximum(X @ x, 0)\n    return np.sum(m * np.cos(X @ x))",
        "m = np.maximum(X @ x, 0)\n    return np.sum(np.sum(X * m[:, None], axis=0))",
        "m = np.clip(X @ x, 0, 1)\n    return np.sum(m)",
    ],
    ids=[
        "read otherwise",
        "of a smaller power",
        "of two arguments",
        "read twice",
        "with weights",
        "with factors",
        "two ends",
    ],
)
def test_other_maxima_keep_theirs(text, tmp_path):
    function = written(f"def f(x, X):\n    {text}", tmp_path)
    assert "==" in gradgen.emit(function, wrt="x", shapes={"x": "d", "X": "n d"})
