"""Rates of a state, and steps: entries that are numbers, of parameters that are.

And what may be left out: read by entries it has the shape of what stands for it.
"""

import numpy as np
import pytest

import gradgen
from tests.signature.sweep import right_or_raised

RNG = np.random.default_rng(48)


def real(*shape):
    return RNG.normal(size=shape)


def seir(y, t, N, beta, sigma, gamma):
    S, E, I, R = y
    new = beta * S * I / N
    return np.array([-new, new - sigma * E, sigma * E - gamma * I, gamma * I])


def lorenz(state, t, sigma=10.0, rho=28.0, beta=2.5):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def oscillator(y, t, mu):
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


def pendulum_step(state, force, length, damping):
    angle, speed = state
    faster = -np.sin(angle) / length - damping * speed + force
    return np.array([angle + 0.1 * speed, speed + 0.1 * faster])


def weighted(beta, X, y, weights=None):
    if weights is None:
        weights = np.ones(len(y))
    total = 0.0
    for i in range(len(y)):
        total += weights[i] * (y[i] - X[i] @ beta) ** 2
    return total


def labelled(scores, labels, mask=None):
    n = len(labels)
    if mask is None:
        mask = np.ones(n)
    loss = 0.0
    for i in range(n):
        row = scores[i]
        loss -= mask[i] * (row[labels[i]] - np.log(np.exp(row).sum()))
    return loss


def chained(scores, moves, tags, mask=None):
    T, K = scores.shape
    if mask is None:
        mask = np.ones(T)
    total = scores[0, tags[0]]
    for t in range(1, T):
        total += (moves[tags[t - 1], tags[t]] + scores[t, tags[t]]) * mask[t]
    return total


CASES = [
    (seir, (real(4) ** 2, 0.0, 2.0, 0.5, 0.3, 0.1), [real(4), real(4, 4), real(3)]),
    (lorenz, (real(3), 0.0, 9.0, 20.0, 2.0), [real(3), real(3, 2), real(1)]),
    (oscillator, (real(2), 0.0, 0.7), [real(2), real(2, 3), real(3)]),
    (pendulum_step, (real(2), 0.4, 1.2, 0.1), [real(2), real(2, 2), real(1)]),
    (
        weighted,
        (real(2), real(4, 2), real(4), real(4)),
        [None, 1.5, real(1), real(4, 1)],
    ),
    (
        labelled,
        (real(3, 4), np.array([0, 3, 1]), real(3)),
        [None, 2.0, real(1), real(3, 1), real(3, 4)],
    ),
    (
        chained,
        (real(4, 3), real(3, 3), np.array([0, 2, 2, 1]), real(4)),
        [None, 2.0, real(1), real(4, 1), real(4, 3)],
    ),
]
IDS = [function.__name__ for function, *_ in CASES]


@pytest.mark.parametrize("function, args, others", CASES, ids=IDS)
def test_right_for_usual_arguments_and_right_or_raised_for_others(
    function, args, others
):
    labels = function.__code__.co_varnames[: len(args)]
    text = right_or_raised(function, args, dict.fromkeys(labels, others))
    assert function is chained or "def _" not in text


@pytest.mark.parametrize(
    "function, words",
    [
        (seir, "N is a number, beta is a number"),
        # with rows of any rank as well
        (lorenz, "state (*s), t (*t), sigma (), rho (), beta (), d_out (...)"),
        (oscillator, "y is a vector, mu is a number"),
        (pendulum_step, "length is a number, damping is a number"),
        (weighted, "weights is a vector"),
        (labelled, "mask is a vector"),
    ],
)
def test_what_is_assumed(function, words):
    assert words in " ".join(gradgen.emit(function).split())


def turned(p, c, s):
    x, y = p
    return np.array([c * x - s * y, s * x + c * y])


def test_coordinates_may_be_those_of_many_points():
    names: dict = {}
    exec(gradgen.emit(turned), names)
    p, seed = real(2, 5), real(2, 5)
    want = np.array([[0.8, 0.6], [-0.6, 0.8]]) @ seed
    np.testing.assert_allclose(names["grad_turned"](p, 0.8, 0.6, seed), want)
