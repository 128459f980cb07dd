"""Sections that begin at one place are not all of an array, and no text follows a set."""

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(9)


def in_two_ways(W, h):
    n = h.shape[0]
    a = W[:, :n] @ h
    b = W[:, n : 2 * n] @ h
    c = W[:, : 2 * n] @ np.concatenate([h, h])
    return np.sum(a * b * c)


def test_nothing_is_said_of_the_whole():
    text = gradgen.emit(in_two_ways)
    assert "W (d, m), h (n)" in text
    space: dict = {}
    exec(text, space)
    for columns in (6, 8):  # two sections, and more behind them
        W, h = R.normal(size=(4, columns)), R.normal(size=3)
        want = numeric_gradient(in_two_ways, (W, h), 0).value
        found = space["grad_in_two_ways"](W, h)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
