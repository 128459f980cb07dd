"""Scales of kernels, control points, rows put together, Newton's steps in numbers.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(50)


def real(*shape):
    return RNG.normal(size=shape)


def predicted(K, K_new, y, scale, noise, jitter=1e-6):
    A = scale * K + (noise**2 + jitter) * np.eye(len(y))
    L = np.linalg.cholesky(A)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y - y.mean()))
    v = np.linalg.solve(L, (scale * K_new).T)
    return np.sum(scale * K_new @ alpha) + np.sum(v**2)


def bezier(control_points, t):
    points = control_points.copy()
    for r in range(1, len(points)):
        rest = len(points) - r
        points[:rest] = (1 - t) * points[:rest] + t * points[1 : rest + 1]
    return np.sum(points[0] ** 2)


def stacked(X):
    rows = []
    for i in range(len(X)):
        rows.append(np.tanh(X[i]) * (i + 1))
    return np.sum(np.vstack(rows) ** 2)


def anomaly(e, M):
    E = M
    for _ in range(20):
        step = (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
        E -= step
        if abs(step) < 1e-12:
            break
    return np.sin(E) * np.sqrt(1 - e**2)


def normed(X, W, s):
    z = s * X
    scaled = X / np.sqrt(np.mean(X**2, axis=-1, keepdims=True) + 1)
    return np.mean(np.tanh(z) + np.sum(np.tanh(scaled @ W)))


SQUARE = real(4, 4)
KERNEL = SQUARE @ SQUARE.T + 3 * np.eye(4)
CASES = [
    (
        predicted,
        ["K_new", "y", "scale", "noise"],
        "scale is a number",
        (KERNEL, real(3, 4), real(4), 0.8, 0.3),
        {"scale": [real(1)], "noise": [np.abs(real(4))], "y": [real(1)]},
    ),
    (
        bezier,
        ["control_points"],
        "control_points is a matrix",
        (real(4, 2), 0.3),
        {"control_points": [real(4), real(3, 2, 2)], "t": [np.abs(real(2))]},
    ),
    (stacked, ["X"], "X is a matrix", (real(3, 2),), {"X": [real(3), real(1, 3)]}),
    (
        anomaly,
        ["e", "M"],
        "M is a number",
        (0.3, 1.1),
        {"M": [np.abs(real(1))], "e": [np.array([0.2])]},
    ),
    (
        normed,
        ["X", "W"],
        "W is a matrix",
        (real(4, 3), real(3, 2), 0.7),
        {"X": [real(3), real(2, 4, 3)], "W": [real(3)], "s": [real(3)]},
    ),
]
IDS = [case[0].__name__ for case in CASES]


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

    assert sweep(function, gradient, right, args, others) >= 2
