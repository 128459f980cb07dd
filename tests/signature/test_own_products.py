"""Arrays that meet their own product with nothing told: h @ w + h, d @ p * d."""

import numpy as np
import pytest

from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

R = np.random.default_rng(3)


def real(*shape):
    return R.uniform(0.2, 1.2, shape)


def added(x, w):
    return np.sum(np.tanh(x @ w + x) ** 2)


def of_part(y, w, k=0.5):
    u = k * y
    return np.sum(np.tanh(u @ w - y))


def behind(h, A):
    return np.sum(np.sin(A @ h + h) * h)


def distances(x, mu, p):
    d = x - mu
    return np.sum(np.exp(-np.sum((d @ p) * d, axis=1)))


def by_dot(d, p):
    return 0.5 * np.mean(np.sum(np.dot(d, p) * d, axis=-1))


def apart(x, n):
    return np.sum(np.sin(x - (x @ n) * n))


CASES = [
    (added, ["x", "w"], "w is a matrix", (real(4, 3), real(3, 3))),
    (of_part, ["y"], "y is a matrix", (real(4, 3), real(3, 3))),
    (behind, ["h"], "h is a vector", (real(3), real(3, 3))),
    (distances, ["x"], "p is a matrix", (real(5, 3), real(3), real(3, 3))),
    (by_dot, ["d", "p"], "d is a matrix", (real(5, 3), real(3, 3))),
    (apart, ["x"], "x is a vector, n is a vector", (real(3), real(3))),
]
OTHERS = [
    real(3),
    real(1),
    real(3, 3),
    real(1, 3),
    real(3, 1),
    real(1, 1),
    real(2, 4, 3),
]
IDS = [case[0].__name__ for case in CASES]


@pytest.mark.parametrize("function, wrt, words, args", CASES, ids=IDS)
def test_usual_arguments_need_no_helper(function, wrt, words, args):
    text, gradient = text_of(function, wrt)
    assert words in " ".join(text.split())
    assert "def _" not in text
    is_right(function, gradient, wrt, args)


@pytest.mark.parametrize("function, wrt, words, args", CASES, ids=IDS)
def test_others_are_right_or_raise(function, wrt, words, args):
    _, gradient = text_of(function, wrt)
    names = function.__code__.co_varnames[: len(args)]

    def right(given):
        is_right(function, gradient, wrt, given)

    assert sweep(function, gradient, right, args, {name: OTHERS for name in names})
