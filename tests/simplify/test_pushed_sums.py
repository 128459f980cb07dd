"""Sums of products are products of sums, where one factor alone has the axis."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(9)
X, W, B = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 4)), RNG.normal(size=3)
L, M = RNG.normal(size=(2, 3, 3)), RNG.normal(size=(2, 3))
SHAPES = {"b": "d", "X": "n d", "W": "d m", "means": "k d", "L": "k d d"}


def shifted(b, X, W):
    return np.sum(np.tanh((X - b) @ W))


def whitened(means, X, L):
    diff = X[:, None, :] - means
    d = np.einsum("kij,nkj->nki", L, diff)
    return np.sum(d**3)


def columns(b, X, W):
    return np.sum(np.sin(X @ (W * b[:, None])))


def traced(b, X, W):
    """The index stands in both operands: nothing is pushed."""
    return np.sum(np.einsum("nd,nd->n", X * b, np.cos(X)) ** 2)


CASES = [
    (shifted, (B, X, W), "np.sum(1 - np.tanh((X - b) @ W) ** 2, axis=0) @ W.T"),
    (whitened, (M, X, L), 'np.einsum("ki,kij->kj", np.sum('),
    (columns, (B, X, W), ""),
    (traced, (B, X, W), ""),
]


@pytest.mark.parametrize("function, args, said", CASES)
def test_the_factor_is_summed_first(function, args, said):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    text = gradgen.emit(function, shapes={name: SHAPES[name] for name in names})
    assert said in text
    space = {}
    exec(text, space)
    found = space[f"grad_{function.__name__}"](*args, 1.3)
    want = 1.3 * numeric_gradient(function, list(args), 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
