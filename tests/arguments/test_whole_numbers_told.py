"""Whole numbers by annotation, and lengths that __init__ names, are numbers."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

Q, K = np.random.default_rng(2).standard_normal((2, 3, 4))
BODIES = (
    "return Q @ K.T / np.sqrt(d)",
    "scores = Q @ K.T\n    return scores * d + scores",
    "return np.sum((Q @ K.T) ** 2, axis=1) ** d",
)


@pytest.mark.parametrize("body", BODIES)
def test_an_annotation_tells_of_a_number(body, tmp_path):
    function = written(f"def f(Q, K, d: int):\n    {body}\n", tmp_path)
    assert "d broadcasts" not in gradgen.emit(function)
    compare(function, (Q, K, 4))


class Attention:
    def __init__(self, n, d):
        self.d = d
        self.W = 0.1 * np.random.randn(n, d)

    def scores(self, X):
        return X @ self.W @ (X @ self.W).T / np.sqrt(self.d)


class Layer:
    def __init__(self, rows, columns, rate):
        self.columns, self.rate = columns, rate
        self.W = np.ones((rows, columns))

    def scores(self, X):
        return X @ self.W / self.columns * self.rate


class Rounds:
    def __init__(self, n, rate):
        self.n, self.W = n, [np.ones((3, 3)) for _ in range(n)]
        self.rate = rate

    def scores(self, X):
        return X @ X.T / self.n


@pytest.mark.parametrize("made", [Attention(4, 2), Layer(4, 2, 0.5), Rounds(2, 0.5)])
def test_what_arrays_are_made_with_is_a_number(made):
    space: dict = {}
    text = gradgen.emit(type(made).scores, wrt="X")
    assert "self.d broadcasts" not in text and "self.columns b" not in text
    assert "self.n broadcasts" not in text
    exec(text, space)
    value = made.scores(Q)
    seed = np.random.default_rng(5).standard_normal(value.shape)
    found, step = space["grad_scores"](made, Q, seed), 1e-6
    want = np.zeros_like(Q)
    for place in np.ndindex(Q.shape):
        moved = np.zeros_like(Q)
        moved[place] = step
        change = made.scores(Q + moved) - made.scores(Q - moved)
        want[place] = np.sum(seed * change) / (2 * step)
    assert found.shape == Q.shape and found.dtype == Q.dtype
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
