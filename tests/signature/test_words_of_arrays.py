"""Ranks that follow from what is around: quadratic forms, tables, points, windows.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(46)


def real(*shape):
    return RNG.normal(size=shape)


def utility(w, mu, cov, risk=1.0):
    return w @ mu - 0.5 * risk * w @ cov @ w


def energy(x, A):
    return -x @ A @ x


def bag_of_words(table, ids, labels):
    mean = table[ids].mean(axis=1)
    scores = mean @ table.T
    total = np.log(np.exp(scores).sum(axis=1))
    return np.mean(total - scores[np.arange(len(labels)), labels])


def biquad(b, a, x):
    y = np.zeros_like(x)
    for n in range(len(x)):
        y[n] = b[0] * x[n]
        if n >= 2:
            y[n] += (
                b[1] * x[n - 1] + b[2] * x[n - 2] - a[1] * y[n - 1] - a[2] * y[n - 2]
            )
    return np.sum(y**2)


def characters(Wxh, Whh, Why, bh, by, inputs, targets):
    h = np.zeros((Whh.shape[0], 1))
    loss = 0
    for t in range(len(inputs)):
        x = np.zeros((Wxh.shape[1], 1))
        x[inputs[t]] = 1
        h = np.tanh(np.dot(Wxh, x) + np.dot(Whh, h) + bh)
        y = np.dot(Why, h) + by
        p = np.exp(y) / np.sum(np.exp(y))
        loss += -np.log(p[targets[t], 0])
    return loss


def projected(rvec, tvec, points, seen, f):
    theta = np.sqrt(np.sum(rvec**2))
    k = rvec / theta
    turned = points * np.cos(theta) + np.cross(k, points) * np.sin(theta)
    p = turned + np.outer(points @ k, k) * (1 - np.cos(theta)) + tvec
    return np.sum((f * p[:, 0] / (p[:, 2] + 9) - seen[:, 0]) ** 2)


def matched(params, src, dst):
    a, b, g = params[:3]
    R = np.array([[1, -g, b], [g, 1, -a], [-b, a, 1]])
    return np.sum(np.sum((src @ R.T + params[3:] - dst) ** 2, axis=1))


def filtered(image, kernel, bias):
    h, w = kernel.shape
    windows = np.lib.stride_tricks.sliding_window_view(image, (h, w))
    return np.sum((np.einsum("ijkl,kl->ij", windows, kernel) + bias) ** 2)


def heads(x, W, count=2):
    z = x @ W
    q = z.reshape(z.shape[0], count, z.shape[1] // count).transpose(1, 0, 2)
    return np.sum(np.tanh(q @ q.transpose(0, 2, 1)))


IDS4 = np.array([[0, 1, 2], [2, 2, 3]])
WRONG = [0.5, real(3), real(4, 3), real(2, 4, 3), np.array([0, 1])]
SQUARE = real(3, 3)
NETWORK = real(4, 5), real(4, 4), real(5, 4), real(4, 1), real(5, 1)
CASES = [
    (utility, "w mu cov", "cov is a matrix", (real(3), real(3), SQUARE), WRONG),
    (energy, "x A", "A is a matrix", (real(3), SQUARE), WRONG),
    (
        bag_of_words,
        "table",
        "ids is a matrix of integers",
        (real(4, 3), IDS4, np.array([0, 3])),
        WRONG,
    ),
    (biquad, "b a", "a is a vector", (real(3), real(3), real(6)), [real(6), SQUARE]),
    (
        characters,
        "Wxh Whh",
        "bh broadcasts to (n, 1)",
        (*NETWORK, np.array([0, 2, 4]), np.array([1, 1, 3])),
        [0.5, real(4), real(4, 4)],
    ),
    (
        projected,
        "rvec tvec",
        "points is a matrix",
        (real(3), real(3), real(5, 3), real(5, 2), 1.5),
        [real(3), real(1, 3), 2.0, real(5)],
    ),
    (
        matched,
        "params src",
        "src is a matrix",
        (real(6), real(5, 3), real(5, 3)),
        [real(3), real(1, 3), 2.0],
    ),
    (heads, "x W", "x is a matrix", (real(3, 2), real(2, 4)), [real(2), real(2, 2)]),
    (
        filtered,
        "image kernel",
        "image (n, d), kernel (h, w)",
        (real(6, 5), real(2, 3), 0.3),
        [real(5), real(2, 3), real(1, 3)],
    ),
]
IDS = [case[0].__name__ for case in CASES]


@pytest.mark.parametrize("function, wrt, words, args, others", CASES, ids=IDS)
def test_right_for_usual_arguments_and_right_or_raised_for_others(
    function, wrt, words, args, others
):
    text, gradient = text_of(function, wrt.split())
    assert words in " ".join(text.split()) and "_unbroadcast" not in text
    is_right(function, gradient, wrt.split(), args)

    def right(given):
        is_right(function, gradient, wrt.split(), given)

    names = function.__code__.co_varnames[: len(args)]
    assert sweep(function, gradient, right, args, dict.fromkeys(names, others))


def test_windows_of_one_length_leave_an_array_what_it_is():
    def sums(x, w):
        return np.sum(np.lib.stride_tricks.sliding_window_view(x, w) ** 2)

    _, gradient = text_of(sums, ["x"])
    is_right(sums, gradient, ["x"], (real(6), 3))
    is_right(sums, gradient, ["x"], (real(6, 5), (3, 2)))
