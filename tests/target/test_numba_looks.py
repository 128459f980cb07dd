"""What nothing tells of, and compiled code would take for another rank as well."""

import numpy as np
import pytest

import gradgen

pytest.importorskip("numba")


def by_its_length(a, g, X):
    s = X[[-1, 0, -1]]
    v = np.exp(g - np.max(g, axis=-1, keepdims=True))
    total = np.reshape(v, (-1, v.shape[0]))
    d = np.log(2 + s * s)
    return np.sum(np.tanh(total) * np.sum(a) - np.cos(d).sum())


def test_the_text_looks_at_axes():
    text = gradgen.emit(by_its_length, wrt="X", target="numba")
    assert ".ndim != 1" in text


def test_another_rank_raises(tmp_path):
    text = gradgen.emit(by_its_length, wrt="X", target="numba")
    path = tmp_path / "looking.py"
    path.write_text(text.replace("cache=True, ", ""))
    space = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    gradient = space["grad_by_its_length"]
    a, X = np.ones((2, 3)), np.array([0.5])
    plain = gradgen.grad(by_its_length, wrt="X")
    g = np.array([0.3, 0.7, 0.1])
    np.testing.assert_allclose(gradient(a, g, X, 1.0), plain(a, g, X), 1e-6)
    with pytest.raises(ValueError, match="taken for a vector"):
        gradient(a, np.ones((2, 1, 3)), X, 1.0)
