"""Biases, gains, places, coefficients and initial values: what a text takes them for.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient
from tests.signature.sweep import sweep, text_of

RNG = np.random.default_rng(42)


def real(*shape):
    return RNG.normal(size=shape)


def layer(X, W, b, Y):
    return np.sum((np.tanh(X @ W + b) - Y) ** 2)


def normalised(x, gamma, beta):
    n = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + 0.1)
    return np.sum((gamma * n + beta) ** 3)


def moved(P, R, t):
    return np.sum(np.sin(P @ R.T + t))


def compared(r, i, j, y):
    d = r[i] - r[j]
    return np.sum(np.logaddexp(0, d) - y * d)


def springs(x, edges, rest):
    d = x[edges[:, 0]] - x[edges[:, 1]]
    return np.sum((np.linalg.norm(d, axis=1) - rest) ** 2)


def ratings(U, V, i, j, y):
    return np.mean((np.sum(U[i] * V[j], axis=1) - y) ** 2)


def utility(w, mu, Sigma, before, gamma, cost):
    moves = np.sum(np.sqrt((w - before) ** 2 + 0.01))
    return mu @ w - 0.5 * gamma * (w @ Sigma @ w) - cost * moves


def variances(omega, a, b, r):
    var = np.zeros(len(r))
    var[0] = np.var(r)
    for t in range(1, len(r)):
        var[t] = omega**2 + a * r[t - 1] ** 2 + b * var[t - 1] ** 2
    return np.sum(var)


def paths(s0, mu, Z):
    s = s0 * np.ones(Z.shape[1])
    for t in range(Z.shape[0]):
        s = s + mu * s * 0.1 + s * Z[t]
    return np.mean(s)


def pendulum(theta, omega, g, dt):
    for _ in range(4):
        omega = omega - dt * g * np.sin(theta)
        theta = theta + dt * omega
    return omega**2 - np.cos(theta)


def weibull(log_k, scale, t, event):
    u = t / np.exp(scale)
    return np.sum(event * (log_k + np.log(u)) - u ** np.exp(log_k))


def divergence(mu, logvar):
    return -0.5 * np.sum(1 + logvar - mu**2 - np.exp(logvar))


def scaled_rows(x, g, eps):
    return np.sum((x * g / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)) ** 3)


def triplets(anchor, near, far, margin):
    d_near = np.sum((anchor - near) ** 2, axis=1)
    d_far = np.sum((anchor - far) ** 2, axis=1)
    return np.sum(np.log1p(np.exp(d_near - d_far + margin)))


def decay(a, b, t, y):
    return np.sum((a * np.exp(-b * t) - y) ** 2)


def normal(mu, sigma, x):
    return np.sum(0.5 * ((x - mu) / sigma) ** 2 + np.log(sigma))


def gated(x, g, W, V, y):
    n = x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-6) * g
    return np.mean((np.tanh(n @ W) * (n @ V) - y) ** 2)


def logistic(w, b, X, y, lam):
    z = X @ w + b
    return np.mean(np.logaddexp(0, z) - y * z) + lam * w @ w


def contrast(A, B):
    S = A @ B.T
    return np.sum(np.logaddexp.reduce(S, axis=1) - np.diag(S))


PLACES = np.array([0, 2, 1, 2]), np.array([1, 0, 0, 2])
EDGES = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
MASK = np.array([True, False, True])
# (function, wrt, what the docstring says, arguments that are taken, other ones of each)
CASES = [
    (
        layer,
        ["W", "b"],
        "b is (k) or (1, k)",
        (real(5, 3), real(3, 2), real(2), real(5, 2)),
        {"b": [real(1, 2), 0.3, real(1), real(5, 1), real(5, 2)], "Y": [real(2), 0.5]},
    ),
    (
        normalised,
        ["x", "gamma", "beta"],
        "gamma and beta are (d) or (1, d)",
        (real(5, 3), real(3), real(3)),
        {"gamma": [real(1, 3), 1.5, real(5, 1)], "beta": [real(1, 3), real(5, 3), 0.5]},
    ),
    (
        moved,
        ["R", "t"],
        ") or (1, ",
        (real(6, 3), real(3, 3), real(3)),
        {"t": [real(1, 3), real(6, 3), real(1), 0.4], "R": [real(2, 3), real(3)]},
    ),
    (
        compared,
        ["r"],
        "i is a vector of integers",
        (real(3), *PLACES, real(4)),
        {
            "r": [real(3, 4), real(3, 1)],
            "i": [2, np.array([1]), MASK, PLACES[0][:, None]],
            "j": [1, np.array([0])],
            "y": [0.5, real(4, 1)],
        },
    ),
    (
        springs,
        ["x"],
        "edges is a matrix of integers",
        (real(4, 2), EDGES, 0.7),
        {"x": [real(4, 3), real(4, 1)], "rest": [real(4), real(3, 4)]},
    ),
    (
        ratings,
        ["U", "V"],
        "i is a vector of integers",
        (real(3, 2), real(3, 2), *PLACES, real(4)),
        {"i": [1, np.array([2]), MASK], "V": [real(3, 1)], "y": [0.2, real(4, 1)]},
    ),
    (
        utility,
        ["w"],
        "gamma is a number",
        (real(3), real(3), real(3, 3), real(3), 2.0, 0.1),
        {"mu": [real(4, 3)], "gamma": [real(2)], "cost": [real(2)], "before": [0.1]},
    ),
    (
        variances,
        ["omega", "a", "b"],
        "omega is a number",
        (0.5, 0.2, 0.3, real(6)),
        {"omega": [real(1), real(3)], "a": [real(1)], "b": [real(1, 1)]},
    ),
    (
        paths,
        ["s0", "mu"],
        "",
        (2.0, 0.3, 0.1 * real(4, 5)),
        {"s0": [real(5), real(1)], "mu": [real(5), real(1), real(2, 5)]},
    ),
    (
        pendulum,
        ["theta", "omega"],
        "has the shape of",
        (0.4, 0.2, 9.8, 0.05),
        {"theta": [real(3), real(1)], "omega": [real(3)], "g": [real(3), real(2, 3)]},
    ),
    (
        weibull,
        ["log_k", "scale"],
        "broadcasts to the shape of t",
        (0.3, 0.2, np.abs(real(5)) + 0.1, np.array([1.0, 0, 1, 1, 0])),
        {
            "log_k": [0.1 * real(5), 0.1 * real(1), 0.1 * real(4, 1)],
            "t": [1.5, np.abs(real(4, 1)) + 0.1],
            "event": [1.0, np.ones((4, 1))],
        },
    ),
]
CASES += [
    (
        divergence,
        ["mu", "logvar"],
        "mu has the shape of logvar",
        (real(4), real(4)),
        {"mu": [0.3, real(1), real(3, 4)], "logvar": [0.2, real(1), real(3, 1)]},
    ),
    (
        scaled_rows,
        ["x", "g"],
        "",
        (real(4, 3), real(3), 0.1),
        {"x": [real(3), real(2, 4, 3)], "g": [real(1, 3), 0.4, real(4, 3)]},
    ),
    (
        triplets,
        ["anchor", "near", "far"],
        "near is a matrix",
        (real(5, 3), real(5, 3), real(5, 3), 0.5),
        {"near": [real(3), real(1, 3), 0.1], "far": [real(5, 1)], "margin": [real(5)]},
    ),
    (
        decay,
        ["a", "b"],
        "a is a number",
        (1.5, 0.3, np.abs(real(6)), real(6)),
        {"a": [real(6), real(1)], "b": [real(2, 1)], "y": [0.5], "t": [0.7]},
    ),
    (
        normal,
        ["mu", "sigma"],
        "sigma is a number",
        (0.2, 1.3, real(6)),
        {"mu": [real(6), real(1)], "sigma": [np.array([1.1, 0.9])], "x": [0.4]},
    ),
    (
        gated,
        ["x", "g", "W", "V"],
        "x is a matrix",
        (real(5, 3), real(3), real(3, 2), real(3, 2), real(5, 2)),
        {"x": [real(3), real(2, 5, 3)], "g": [real(1, 3), 0.5], "y": [0.1, real(2)]},
    ),
    (
        logistic,
        ["w", "b"],
        "b is a number",
        (real(3), 0.2, real(5, 3), np.array([0.0, 1, 1, 0, 1]), 0.1),
        {"b": [real(5), real(1)], "lam": [real(1)]},
    ),
    (
        contrast,
        ["A", "B"],
        "A is a matrix",
        (real(4, 3), real(4, 3)),
        {"B": [real(5, 3), real(4, 1)], "A": [real(6, 3), real(3)]},
    ),
]
IDS = [case[0].__name__ for case in CASES]


def total(function):
    """The function, or the sum of its entries where it is none of numbers."""
    return lambda *args: np.sum(function(*args))


def is_right(function, gradient, wrt, args):
    found = gradient(*args)
    found = found if isinstance(found, tuple) else (found,)
    names = function.__code__.co_varnames
    for one, name in zip(found, wrt, strict=True):
        at = names.index(name)
        want = numeric_gradient(total(function), args, at).value
        assert np.shape(one) == np.shape(args[at]), name
        np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_usual_arguments_are_taken_and_the_gradient_is_right(
    function, wrt, words, args, others
):
    text, gradient = text_of(function, wrt)
    assert words in " ".join(text.split())
    is_right(function, gradient, wrt, args)


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_other_arguments_are_right_or_raise(function, wrt, words, args, others):
    _, gradient = text_of(function, wrt)

    def right(given):
        is_right(function, gradient, wrt, given)

    assert sweep(function, gradient, right, args, others)
