"""Slices whose bounds may lie beyond an axis: gradients in their arguments' shapes."""

import numpy as np
import pytest

import gradgen
from tests.simplify.test_by_hand import by_complex_step

RNG = np.random.default_rng(11)


def moved_index(x, i):
    k = 3
    e = 0.0
    for j in range(len(x) - k + 1):
        j = j + 1
        e += np.sum(x[j : j + k] * np.arange(1.0, 1.0 + len(x[j : j + k])))
    return e


def before_the_start(x, w):
    e = 0.0
    for j in range(-2, 2):
        e += np.sum(x[j : j + 2]) * np.sum(w)
    return e


def beyond_the_end(x, y):
    k = len(y)
    e = 0.0
    for j in range(0, len(x), 2):
        p = x[j : j + k]
        e += np.sum(p * y[: len(p)])
    return e


def backwards(x, y):
    k = len(y)
    e = 0.0
    for j in range(k, len(x) + 1):
        e += np.sum(x[j - k : j] * y)
    return e


def cut_at(x, h):
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2)


def halved(x):
    for j in range(len(x) - 1, 0, -1):
        x = x + 0
        x[j - 1 : j + 1] *= 0.5
    return np.sum(x**2)


def thirds(x, y):
    h = len(y)
    return np.sum(x[2 * h : 3 * h] * y) + np.sum(x[:h] * y)


# function, facts, the arrays' lengths, the integers behind them
CASES = [
    (moved_index, {"x": "n"}, (7,), (1,)),
    (before_the_start, {"x": "n", "w": "m"}, (7, 2), ()),
    (beyond_the_end, {"x": "n", "y": "k"}, (7, 3), ()),
    (backwards, {"x": "n", "y": "k"}, (7, 3), ()),
    (cut_at, {"x": "n", "h": ":int"}, (5,), (-2,)),
    (cut_at, {"x": "n", "h": ":int"}, (5,), (9,)),
    (halved, {"x": "n"}, (5,), ()),
    (thirds, {"x": "n", "y": "h"}, (9, 3), ()),
    (thirds, {"x": "n", "y": "h"}, (7, 3), ()),  # x[2*h:3*h] has one entry
    (thirds, {"x": "3*h", "y": "h"}, (9, 3), ()),
]


@pytest.mark.parametrize("told", [True, False], ids=["facts", "none"])
@pytest.mark.parametrize("function, facts, lengths, counts", CASES)
def test_the_gradient(function, facts, lengths, counts, told):
    arrays = [RNG.normal(size=n) for n in lengths]
    wrt = [name for name, fact in facts.items() if ":" not in fact]
    gradient = gradgen.grad(function, wrt=wrt, shapes=facts if told else {})
    found = gradient(*[a.copy() for a in arrays], *counts)
    expected = by_complex_step(lambda *given: function(*given, *counts), arrays)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape and one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
