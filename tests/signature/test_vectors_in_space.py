"""Vectors of space, points with masses, and filters along a series, with nothing told."""

import numpy as np
import pytest

from tests.signature.sweep import right_or_raised

RNG = np.random.default_rng(54)


def real(*shape):
    return RNG.normal(size=shape)


def positive(*shape):
    return RNG.uniform(0.2, 0.8, size=shape)


def reflect(d, n):
    return d - 2 * np.dot(d, n) * n


def refract(d, n, eta):
    c = -np.dot(n, d)
    return eta * d + (eta * c - np.sqrt(9.0 - eta**2 * (1 - c**2))) * n


def turned(v, k, theta):
    c, s = np.cos(theta), np.sin(theta)
    return v * c + np.cross(k, v) * s + k * np.dot(k, v) * (1 - c)


def by_quaternion(q, v):
    u = q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + q[0] * v)


def area(a, b, c):
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a))


def torsion(p0, p1, p2, p3):
    b0, b1, b2 = p0 - p1, p2 - p1, p3 - p2
    b1 = b1 / np.linalg.norm(b1)
    v = b0 - np.dot(b0, b1) * b1
    w = b2 - np.dot(b2, b1) * b1
    return np.arctan2(np.dot(np.cross(b1, v), w), np.dot(v, w))


def shade(n, light, view, ka, kd, ks):
    r = 2 * np.dot(n, light) * n - light
    return ka + kd * np.dot(n, light) + ks * np.tanh(np.dot(r, view))


def centre(pos, mass):
    return np.sum(pos * mass[:, None], axis=0) / np.sum(mass)


def gyration(pos, mass):
    c = np.sum(pos * mass[:, None], axis=0) / np.sum(mass)
    return np.sqrt(np.sum(mass * np.sum((pos - c) ** 2, axis=1)) / np.sum(mass))


def smoothed(x, alpha):
    out = np.zeros_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out


def discounted(rewards, gamma):
    g = 0.0
    out = np.zeros_like(rewards)
    for t in reversed(range(len(rewards))):
        g = rewards[t] + gamma * g
        out[t] = g
    return out


def parity(weights, cov_matrix):
    marginal = np.dot(cov_matrix, weights)
    return np.sum((weights * marginal / np.dot(weights.T, marginal)) ** 2)


OTHERS = [0.7, real(2), real(1, 3), real(3, 3), real(2, 3)]
CASES = [
    (reflect, (real(3), real(3)), {"d": OTHERS, "n": OTHERS}),
    (refract, (real(3), real(3), 0.8), {"d": OTHERS, "eta": OTHERS}),
    (turned, (real(3), real(3), 0.8), {"v": OTHERS, "theta": OTHERS}),
    (by_quaternion, (real(4), real(3)), {"q": OTHERS[1:], "v": OTHERS}),
    (parity, (positive(3), real(3, 3) + 3 * np.eye(3)), {"weights": OTHERS}),
    (area, (real(3), real(3), real(3)), {"a": OTHERS, "b": OTHERS}),
    (torsion, tuple(real(3) for _ in range(4)), {"p0": OTHERS, "p2": OTHERS}),
    (shade, (*(real(3) for _ in range(3)), 0.1, 0.5, 0.4), {"n": OTHERS, "ks": OTHERS}),
    (centre, (real(4, 3), positive(4)), {"pos": OTHERS, "mass": [real(3), real(2, 3)]}),
    (gyration, (real(4, 3), positive(4)), {"pos": OTHERS, "mass": [positive(3)]}),
    (smoothed, (real(5), 0.3), {"x": [real(5, 2), real(1)], "alpha": OTHERS}),
    (discounted, (real(5), 0.9), {"rewards": [real(5, 2)], "gamma": OTHERS}),
]


@pytest.mark.parametrize(
    "function, args, others", CASES, ids=[one.__name__ for one, *_ in CASES]
)
def test_no_helper_and_right_or_raised(function, args, others):
    assert "def _" not in right_or_raised(function, args, others)
