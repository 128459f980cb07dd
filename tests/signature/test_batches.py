"""Batches, offsets, cross products, corners, shares, labels: what a text takes them for.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(43)


def real(*shape):
    return RNG.normal(size=shape)


def cell(x, h, Wz, Uz):
    z = 1 / (1 + np.exp(-(x @ Wz + h @ Uz)))
    return np.sum(((1 - z) * h) ** 2)


def ratings(P, Q, bu, bi, mu, R, M):
    pred = mu + bu[:, None] + bi[None, :] + P @ Q.T
    return 0.5 * np.sum((M * (R - pred)) ** 2)


def ridge(ell, alpha, X, y, lam):
    gaps = np.sum((X[:, None, :] - X[None, :, :]) ** 2, axis=-1)
    K = np.exp(-gaps / (2 * ell**2))
    r = K @ alpha - y
    return r @ r + lam * alpha @ K @ alpha


def two_modes(w, m1, m2, s1, s2, x):
    p1 = w * np.exp(-0.5 * ((x - m1) / s1) ** 2) / s1
    p2 = (1 - w) * np.exp(-0.5 * ((x - m2) / s2) ** 2) / s2
    return -np.sum(np.log(p1 + p2))


def rates(W, x0, I, tau, dt):
    x = x0
    loss = 0.0
    for k in range(I.shape[0]):
        x = x + dt / tau * (-x + W @ np.tanh(x) + I[k])
        loss = loss + np.sum(x**2)
    return loss


def orbit(r, v, GM, L0):
    energy = 0.5 * np.dot(v, v) - GM / np.linalg.norm(r)
    return energy**2 + np.sum((np.cross(r, v) - L0) ** 2)


def areas(X, faces):
    a, b, c = X[faces[:, 0]], X[faces[:, 1]], X[faces[:, 2]]
    n = np.cross(b - a, c - a)
    return 0.5 * np.sum(np.linalg.norm(n, axis=1))


def reprojection(X, K, t, uv):
    p = (X + t) @ K.T
    return np.sum((p[:, :2] / p[:, 2:] - uv) ** 2)


def halves(X, w):
    return np.sum((X[:, :2] * X[:, 2:]) @ w)


def ranking(s_pos, s_neg, margin=1.0, weights=None):
    loss = np.logaddexp(0, margin - s_pos + s_neg)
    if weights is not None:
        loss = loss * weights
    return np.mean(loss)


def entropy(p, t, w=None):
    e = -(t * np.log(p) + (1 - t) * np.log(1 - p))
    if w is not None:
        e = e * w
    return e.mean()


def inner(u, v):
    return np.sum(u * v)


def softmax_loss(W, b, X, y, reg):
    scores = X @ W + b
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(y)), y])) + reg * np.sum(W * W)


POSITIVE = RNG.uniform(0.2, 0.8, (3, 6))
FACES = np.array([[0, 1, 2], [1, 2, 3]])
# (function, wrt, what the docstring says, arguments that are taken, other ones of each)
CASES = [
    (
        cell,
        ["Wz", "Uz"],
        "x is a matrix",
        (real(5, 3), real(5, 2), real(3, 2), real(2, 2)),
        {"x": [real(3), real(2, 5, 3), real(1, 3)], "h": [real(2), real(1, 2)]},
    ),
    (
        ratings,
        ["P", "Q", "bu", "bi", "mu"],
        "mu is a number",
        (real(4, 2), real(3, 2), real(4), real(3), 0.3, real(4, 3), real(4, 3)),
        {"mu": [real(3), real(4, 1), real(4, 3)], "M": [real(3), 1.0], "bu": [real(1)]},
    ),
    (
        ridge,
        ["ell", "alpha"],
        "ell is a number",
        (0.8, real(4), real(4, 2), real(4), 0.1),
        {"ell": [real(4), real(4, 4)], "lam": [real(4), real(1)], "y": [0.5]},
    ),
    (
        two_modes,
        ["w", "m1", "m2", "s1", "s2"],
        "m1 is a number",
        (0.3, 0.1, 1.2, 0.7, 0.9, real(6)),
        {"w": [POSITIVE[0]], "m1": [real(6), real(1)], "x": [real(2, 6), 0.5]},
    ),
    (
        rates,
        ["W", "x0"],
        "x0 is a vector",
        (real(3, 3), real(3), real(5, 3), 2.0, 0.1),
        {"x0": [real(3, 5), 0.1, real(1)], "tau": [POSITIVE[0][:3]], "I": [real(5, 1)]},
    ),
    (
        orbit,
        ["r", "v"],
        "r is a vector of 3",
        (real(3), real(3), 1.3, real(3)),
        {"r": [real(2)], "v": [real(2)], "L0": [0.1, real(2, 3)]},
    ),
    (
        areas,
        ["X"],
        "faces is a matrix of integers",
        (real(4, 3), FACES),
        {"X": [real(6, 3)], "faces": [FACES[:1]]},
    ),
    (
        reprojection,
        ["X", "K", "t"],
        "K is a matrix",
        (real(5, 3), real(3, 3) + 4 * np.eye(3), real(3), real(5, 2)),
        {"K": [real(4, 3), real(2, 3)], "uv": [real(2), 0.5], "t": [0.1, real(5, 3)]},
    ),
    (
        ranking,
        ["s_pos", "s_neg"],
        "s_neg has the shape of s_pos",
        (real(6), real(6), 1.0, POSITIVE[1]),
        {"s_neg": [0.3, real(1)], "weights": [None, 2.0, real(2, 6)]},
    ),
    (
        entropy,
        ["p"],
        "t and w broadcast to the shape of p",
        (POSITIVE[0], POSITIVE[1], POSITIVE[2]),
        {
            "p": [0.4, POSITIVE[:2]],
            "t": [0.5, POSITIVE[:2]],
            "w": [None, 0.5, POSITIVE],
        },
    ),
    (
        inner,
        ["u", "v"],
        "v has the shape of u",
        (real(4), real(4)),
        {"u": [real(3, 4), 0.5], "v": [real(3, 4), 0.5, real(1)]},
    ),
    (
        softmax_loss,
        ["W", "b"],
        "y is a vector of integers",
        (real(3, 4), real(4), real(5, 3), np.array([0, 1, 3, 3, -1]), 0.1),
        {
            "b": [real(1, 4), 0.1, real(5, 1)],
            "y": [np.array([0, 1, 2]), np.array([1]), np.array([True])],
            "X": [real(1, 3)],
        },
    ),
]
IDS = [case[0].__name__ for case in CASES]


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_usual_arguments_are_taken_and_the_gradient_is_right(
    function, wrt, words, args, others
):
    text, gradient = text_of(function, wrt)
    assert words in " ".join(text.split()) and "def _" not in text
    is_right(function, gradient, wrt, args)


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_other_arguments_are_right_or_raise(function, wrt, words, args, others):
    _, gradient = text_of(function, wrt)

    def right(given):
        is_right(function, gradient, wrt, given)

    assert sweep(function, gradient, right, args, others)


@pytest.mark.parametrize("columns", [3, 4])
def test_halves_that_are_multiplied_are_no_corners(columns):
    _, gradient = text_of(halves, ["X"])
    is_right(halves, gradient, ["X"], (real(5, columns), real(2)))
