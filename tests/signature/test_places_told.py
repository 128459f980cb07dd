"""Arguments whose axes alone are told, and that entries of others are read by."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def gathered(E, i, w):
    return np.sum(w * np.sum(E[i] ** 2, axis=1))


def mean_of_pairs(x, i, j):
    return np.mean((x[i] - x[j]) ** 2)


def at_places(x, rows, columns):
    return np.sum(np.tanh(x[rows, columns]) * 2)


def chosen(x, keep):
    return np.mean(x[keep] ** 2)


def of_hidden(x, keep):
    h = np.tanh(x)
    return np.mean(h[keep] ** 2)


def run(text, name):
    space = {}
    exec(text, space)
    return space[f"grad_{name}"]


E, X = np.arange(6.0).reshape(3, 2) / 5, np.linspace(0.2, 1.4, 4)
I, J = np.array([2, 0, 2, 1]), np.array([1, 1, 0, 2])
CASES = [
    (gathered, {"E": "v d", "i": "b", "w": "b"}, (E, I, X)),
    (mean_of_pairs, {"x": "n", "i": "b", "j": "b"}, (X, I, J)),
    (at_places, {"x": "n d", "rows": "b", "columns": "b"}, (E, I, I % 2)),
]


@pytest.mark.parametrize("function, shapes, args", CASES, ids=lambda x: str(x)[:20])
def test_they_are_integers(function, shapes, args):
    text = gradgen.emit(function, shapes=shapes)
    assert "def _" not in text
    made = run(text, function.__name__)
    want = numeric_gradient(function, list(args), 0).value
    np.testing.assert_allclose(made(*args), want, rtol=1e-7)
    np.testing.assert_allclose(
        made(args[0], *(np.asarray(one).tolist() for one in args[1:-1]), args[-1]), want
    )
    with pytest.raises(ValueError, match="taken for an array of integers"):
        made(args[0], np.array([True, False, True]), *args[2:])


@pytest.mark.parametrize("function", [chosen, of_hidden])
def test_what_may_be_a_mask_stays_open(function):
    text = gradgen.emit(function, shapes={"x": "n", "keep": "n"})
    keep = np.array([True, False, True, True])
    for key in (keep, np.array([3, 0, 0, 1])):
        want = numeric_gradient(function, [X, key], 0).value
        found = run(text, function.__name__)(X, key)
        np.testing.assert_allclose(found, want, rtol=1e-7)


def test_general_texts_take_both():
    text = gradgen.emit(
        mean_of_pairs, shapes={"x": "n", "i": "b", "j": "b"}, general=True
    )
    key = np.array([True, False, True, True])
    found = run(text, "mean_of_pairs")(X, key, key[::-1])
    want = numeric_gradient(mean_of_pairs, [X, key, key[::-1]], 0).value
    np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-12)
