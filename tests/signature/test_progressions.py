"""Numbers by their place with nothing told: gamma ** np.arange(n), a + t * (b - a)."""

import numpy as np
import pytest

from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

R = np.random.default_rng(4)


def real(*shape):
    return R.uniform(0.2, 1.2, shape)


def discounted(cash, rate):
    return np.sum(cash * (1 + rate) ** -np.arange(1, len(cash) + 1))


def returns(r, gamma):
    return np.sum(np.sin(r) * gamma ** np.arange(r.shape[0]))


def tree(S, K, T, r, sigma, N=3):
    dt = T / N
    u = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(r * dt) - 1 / u) / (u - 1 / u)
    prices = S * u ** np.arange(-N, N + 1, 2)
    V = np.logaddexp(prices - K, 0)
    for _ in range(N):
        V = np.exp(-r * dt) * (p * V[1:] + (1 - p) * V[:-1])
    return V[0]


def between(q0, q1, t):
    q = q0 + t * (q1 - q0)
    return np.sum(q * q0) / np.linalg.norm(q)


def slopes(x, c):
    return np.sum((x[:, None] ** np.arange(len(c))) @ c)


def of_any_rank(x, w):
    return np.sum((x * w) ** 2) / len(x)


CASES = [
    (discounted, ["cash", "rate"], "rate is a number", (real(4), 0.1)),
    (returns, ["r"], "r is a vector, gamma is a number", (real(4), 0.9)),
    (tree, ["sigma"], "T is a number", (1.0, 0.9, 0.5, 0.1, 0.3, 3)),
    (between, ["q0"], "t is a number", (real(4), real(4), 0.3)),
    (slopes, ["x", "c"], "x is a vector, c is a vector", (real(4), real(3))),
    (of_any_rank, ["x"], "w broadcasts to the shape of x", (real(4, 3), real(3))),
]
OTHERS = [real(4), real(1), real(4, 4), real(1, 4), real(4, 1), 0.5]
IDS = [case[0].__name__ for case in CASES]


@pytest.mark.parametrize("function, wrt, words, args", CASES, ids=IDS)
def test_usual_arguments_need_no_helper(function, wrt, words, args):
    text, gradient = text_of(function, wrt)
    assert words in " ".join(text.split())
    assert "def _" not in text or function is tree
    is_right(function, gradient, wrt, args)


@pytest.mark.parametrize("function, wrt, words, args", CASES, ids=IDS)
def test_others_are_right_or_raise(function, wrt, words, args):
    _, gradient = text_of(function, wrt)
    names = function.__code__.co_varnames[: len(args)]

    def right(given):
        is_right(function, gradient, wrt, given)

    others = {name: OTHERS for name in names if name != "N"}
    assert sweep(function, gradient, right, args, others)
