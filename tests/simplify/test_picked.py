"""Softmax and labels: entries that are picked of probabilities, and their logarithms."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

LABELS = np.array([2, 0, 2, -1])
WEIGHTS = np.array([0.5, 1.0, 2.0, 0.25])
X = np.random.default_rng(3).normal(size=(4, 5))
HEAD = """
import numpy as np

def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)
"""
# with a function of x, labels and w, and whether entries are divided in its gradient
CASES = {
    "mean": ("-np.mean(np.log(softmax(x)[np.arange(len(labels)), labels]))", False),
    "sum": ("np.sum(-np.log(softmax(x)[np.arange(len(x)), labels])) / len(x)", False),
    "weighted": ("np.sum(w * np.log(softmax(x)[np.arange(len(x)), labels]))", False),
    "base": ("np.sum(np.log2(softmax(x)[np.arange(len(x)), labels]))", False),
    "one_column": ("np.sum(np.log(softmax(x)[np.arange(len(x)), 1]) * w)", False),
    "sigmoid": ("np.sum(np.log((1 / (1 + np.exp(-x)))[np.arange(4), labels]))", True),
    "some_rows": ("np.sum(np.log(softmax(x)[np.arange(2), labels[:2]]))", True),
    "again": ("np.sum(np.log(softmax(x)[np.array([0, 1, 1]), labels[:3]]))", True),
    "guarded": ("np.sum(np.log(softmax(x)[np.arange(len(x)), labels] + 0.1))", True),
    "squared": ("np.sum(softmax(x)[np.arange(len(x)), labels] ** 2)", True),
    "itself": ("np.sum(np.log((x**2)[np.arange(len(x)), labels]))", True),
    "beside": (
        "-np.sum(np.log(softmax(x)[np.arange(len(x)), labels])) + np.sum(softmax(x)**2)",
        True,
    ),
    "columns": (
        "np.sum(np.log(softmax(x.T)[np.arange(5), labels[[0, 1, 2, 3, 0]]]))",
        True,
    ),
    "mixed": ("np.sum(np.log(softmax(x)[labels, np.arange(len(x))]))", True),
}


def written(name):
    source = f"{HEAD}\ndef f(x, labels, w):\n    return {CASES[name][0]}\n"
    names: dict = {}
    exec(compile(source, f"<{name}>", "exec"), names)
    return names["f"], source


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_right_in_value_shape_and_dtype(name, told, dtype, tmp_path):
    f, source = written(name)
    (tmp_path / "picks.py").write_text(source)
    shapes = {"x": "4 5", "labels": "4:int", "w": "4"} if told else {}
    text = gradgen.emit(f"{tmp_path / 'picks.py'}:f", wrt="x", shapes=shapes)
    names: dict = {}
    exec(text, names)
    labels = np.array([2, 0, 2, 3]) if name == "mixed" else LABELS
    got = names["grad_f"](X.astype(dtype), labels, WEIGHTS.astype(dtype))
    want = numeric_gradient(f, (X, labels, WEIGHTS), 0).value
    assert got.shape == X.shape and got.dtype == dtype
    rtol, atol = (1e-6, 1e-9) if dtype is np.float64 else (2e-3, 2e-5)
    np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


@pytest.mark.parametrize("name", ["mean", "sum", "weighted"])
def test_nothing_is_divided_by_what_was_picked(name, tmp_path):
    (tmp_path / "picks.py").write_text(written(name)[1])
    shapes = {"x": "n k", "labels": "n:int", "w": "n"}
    text = gradgen.emit(f"{tmp_path / 'picks.py'}:f", wrt="x", shapes=shapes)
    way_back = text[text.index("# Grad of") :]
    assert "zeros_like" not in way_back and "log" not in way_back.split("\n", 1)[1]
    assert "-= " in way_back or "+= " in way_back


def test_finite_where_a_probability_underflows(tmp_path):
    (tmp_path / "picks.py").write_text(written("sum")[1])
    shapes = {"x": "n k", "labels": "n:int", "w": "n"}
    names: dict = {}
    exec(gradgen.emit(f"{tmp_path / 'picks.py'}:f", wrt="x", shapes=shapes), names)
    x = np.array([[0.0, -2000.0, 1.0], [0.0, 0.5, 1.0]])
    got = names["grad_f"](x, np.array([1, 0]), np.ones(2))
    e = np.exp(x - x.max(axis=1, keepdims=True))
    want = (e / e.sum(axis=1, keepdims=True) - np.eye(3)[[1, 0]]) / 2
    np.testing.assert_allclose(got, want, rtol=1e-12)
