"""Rows of arrays of any number of axes, x.reshape(x.shape[0], -1), and gains of columns.

Each text is right, in value and shape, or raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import right_or_raised, text_of

RNG = np.random.default_rng(12)


def some(*shape):
    return RNG.uniform(0.3, 0.9, shape)


def affine(x, w, b):
    return x.reshape(x.shape[0], -1).dot(w) + b


def by_length(x, w, b):
    n = len(x)
    return np.dot(np.reshape(x, (n, -1)), w) + b


def by_product(x, w, b):
    rows = np.reshape(x, (x.shape[0], np.prod(x.shape[1:])))
    return rows @ w + b


def two_layers(x, w1, b1, w2, b2):
    h = np.tanh(x.reshape(x.shape[0], -1).dot(w1) + b1)
    return h.dot(w2) + b2


def bare(x, w):
    return x.reshape(x.shape[0], -1) @ w


def of_steps(x, w, b):
    n, t, d = x.shape
    return x.reshape(n * t, d).dot(w).reshape(n, t, -1) + b


def filtered(x, w, b):
    n, c, h = x.shape
    f, c, k = w.shape
    out = np.zeros((n, f, h - k + 1))
    for j in range(f):
        for i in range(h - k + 1):
            out[:, j, i] = np.sum(x[:, :, i : i + k] * w[j], axis=(1, 2)) + b[j]
    return out


def by_mode(x, gamma, beta, train=True):
    mu, var = np.mean(x, axis=0), np.var(x, axis=0)
    if train:
        return gamma * (x - mu) / np.sqrt(var + 1e-5) + beta
    return gamma * (x - 0.5) + beta


def by_option(x, gamma, beta, param):
    eps = param.get("eps", 1e-5)
    n, d = x.shape
    mean = param.get("mean", np.zeros(d))
    if param["mode"] == "train":
        z = (x - np.mean(x, axis=0)) / np.sqrt(np.var(x, axis=0) + eps)
    else:
        z = (x - mean) / np.sqrt(eps + 1)
    return gamma * z + beta


def by_state(x, gamma, beta, mean, var, train=True):
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
    return gamma * (x - mean) / np.sqrt(var + 1e-5) + beta


def of_averages(x, mean, var):
    n, d = x.shape
    return (x - mean) / np.sqrt(var + 1e-5)


def two_scales(X, Z, s, noise):
    K = s * np.exp(-((X[:, None] - X[None]) ** 2).sum(-1)) + noise * np.eye(len(X))
    Ks = s * np.exp(-((Z[:, None] - X[None]) ** 2).sum(-1))
    return Ks @ np.linalg.solve(K, np.ones(len(X)))


X2, X4, W, B = some(3, 4), some(3, 2, 2), some(4, 5), some(5)
ROWS = {"x": [X2], "b": [some(1, 5), some(3, 5)]}
CASES = [
    (affine, "w is a matrix, b is (d) or (1, d)", (X4, W, B), ROWS),
    (by_length, "w is a matrix, b is (d) or (1, d)", (X4, W, B), ROWS),
    (by_product, "w is a matrix, b is (d) or (1, d)", (X4, W, B), ROWS),
    (
        two_layers,
        "b1 is (d) or (1, d), w2 is a matrix, b2 is (k) or (1, k)",
        (X4, W, B, some(5, 2), some(2)),
        {"x": [X2], "b1": [some(3, 5)], "b2": [some(1, 2), some(1)]},
    ),
    (bare, "def grad_", (X4, W), {"x": [X2], "w": [some(4)]}),
    (of_steps, "x (n, t, d)", (some(2, 3, 4), W, B), {"w": [some(4, 5)]}),
    (
        filtered,
        "b is a vector",
        (some(2, 3, 5), some(4, 3, 2), some(4)),
        {"b": [some(4, 1), some(4, 2)]},
    ),
    (
        by_mode,
        "gamma and beta are (d) or (1, d)",
        (X2, some(4), some(4)),
        {"gamma": [some(1, 4), 0.5], "train": [False]},
    ),
    (
        by_option,
        "gamma and beta are (d) or (1, d)",
        (X2, some(4), some(4), {"mode": "train"}),
        {"param": [{"mode": "test", "mean": some(4)}], "beta": [some(3, 4), 0.5]},
    ),
    (
        by_state,
        "def grad_",
        (X2, some(4), some(4), some(4), some(4)),
        {"gamma": [some(1, 4), 0.5], "beta": [some(3, 4)]},
    ),
    (
        of_averages,
        "mean and var broadcast to (n, d)",
        (X2, some(4), some(4)),
        {"mean": [some(3, 1), some(3, 4)], "var": [0.5]},
    ),
    (
        two_scales,
        "s is a number, noise is a number",
        (X2, some(2, 4), 0.5, 0.1),
        {"s": [some(3, 3)]},
    ),
]


@pytest.mark.parametrize(
    "function, words, args, others", CASES, ids=lambda one: getattr(one, "__name__", "")
)
def test_rows_and_gains(function, words, args, others):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    asked = [n for n, one in zip(names, args) if not isinstance(one, dict)]
    text, _ = text_of(function, asked)
    assert words in " ".join(text.split())
    right_or_raised(function, args, others)
    right_or_raised(function, args, others, asked[-1])
