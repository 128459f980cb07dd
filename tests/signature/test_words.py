"""What words tell of ranks: cumulated, transposed, read by places, split into heads.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes. Curves that are fitted to data need no helper, whatever the ranks
of the data are.
"""

import numpy as np
import pytest
from scipy.special import gammaln

import gradgen
from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(45)


def real(*shape):
    return RNG.normal(size=shape)


def positive(*shape):
    return np.abs(RNG.normal(size=shape)) + 0.3


def partition(emissions, transitions):
    alpha = emissions[0]
    for t in range(1, len(emissions)):
        scores = alpha[:, None] + transitions + emissions[t][None, :]
        m = scores.max(axis=0)
        alpha = m + np.log(np.sum(np.exp(scores - m), axis=0))
    m = alpha.max()
    return m + np.log(np.sum(np.exp(alpha - m)))


def heads(X, Wq, Wk, Wo, n_heads):
    n, d = X.shape
    size = d // n_heads
    q = (X @ Wq).reshape(n, n_heads, size).transpose(1, 0, 2)
    k = (X @ Wk).reshape(n, n_heads, size).transpose(1, 0, 2)
    w = np.tanh(q @ k.transpose(0, 2, 1) / size)
    return np.sum(((w @ q).transpose(1, 0, 2).reshape(n, d) @ Wo) ** 2)


def sinkhorn(C, a, b, eps, rounds):
    K = np.exp(-C / eps)
    u = np.ones_like(a)
    for _ in range(rounds):
        v = b / (K.T @ u)
        u = a / (K @ v)
    return np.sum(u[:, None] * K * v[None, :] * C)


def line(theta, x, y):
    r = y - (theta[0] + theta[1] * x)
    return np.sum(r**2 / (1 + r**2))


def discounted(rewards, gamma):
    kept = np.cumprod(1 - gamma * rewards)
    return np.sum(kept * rewards)


def gaussian_nll(mu, L, X):
    z = np.linalg.solve(L, (X - mu).T)
    return 0.5 * np.sum(z**2) + len(X) * np.sum(np.log(np.diag(L)))


def weibull(beta, log_k, X, t, event):
    k, lam = np.exp(log_k), np.exp(X @ beta)
    logh = np.log(k) - np.log(lam) + (k - 1) * (np.log(t) - np.log(lam))
    return -np.sum(event * logh - (t / lam) ** k)


def dirichlet(alpha, counts):
    A, n = alpha.sum(), counts.sum(axis=1)
    ll = gammaln(A) - gammaln(n + A)
    return -np.sum(ll + np.sum(gammaln(counts + alpha) - gammaln(alpha), axis=1))


def potential(x, y, m, xs, ys):
    return -np.sum(m / np.sqrt((x - xs) ** 2 + (y - ys) ** 2))


def chain(x, k, x0):
    return 0.5 * k * np.sum((np.diff(x) - x0) ** 2)


def tempered(z, T):
    e = np.exp((z - z.max()) / T)
    p = e / e.sum()
    return -np.sum(p * np.log(p))


def surface(c, T, R, obs):
    index = c[0] + c[1] * T + c[2] * R + c[3] * T * R
    return np.mean((index - obs) ** 2)


def series(coef, t, y, period):
    w = 2 * np.pi * np.arange(1, (len(coef) - 1) // 2 + 1) / period
    phase = np.outer(t, w)
    pred = coef[0] + np.cos(phase) @ coef[1::2] + np.sin(phase) @ coef[2::2]
    return np.sum((pred - y) ** 2)


def dihedral(p):
    b1, b2, b3 = p[1] - p[0], p[2] - p[1], p[3] - p[2]
    n1, n2 = np.cross(b1, b2), np.cross(b2, b3)
    return np.arctan2(np.cross(n1, b2 / np.linalg.norm(b2)) @ n2, n1 @ n2)


def predators(params, z0, dt, steps):
    a, b, c, d = params
    x, y = z0
    total = 0.0
    for _ in range(steps):
        x, y = x + dt * (a * x - b * x * y), y + dt * (d * x * y - c * y)
        total += np.sum(x**2)
    return total


def mixture(log_pi, mu, log_sigma, x):
    z = (x[:, None] - mu) / np.exp(log_sigma)
    log_comp = log_pi - log_sigma - 0.5 * z**2
    m = log_comp.max(axis=1)
    return -np.sum(m + np.log(np.exp(log_comp - m[:, None]).sum(axis=1)))


COUNTS = RNG.integers(1, 6, size=(6, 4)) * 1.0
LOWER = np.linalg.cholesky((lambda A: A @ A.T + 3 * np.eye(3))(real(3, 3)))
CASES = [
    (
        partition,
        ["emissions", "transitions"],
        "transitions (d, d)",
        (real(5, 3), real(3, 3)),
        {"transitions": [real(3), real(3, 1), 0.3], "emissions": [real(1, 3)]},
    ),
    (
        heads,
        ["X", "Wq", "Wk", "Wo"],
        "n_heads int",
        (real(3, 4), real(4, 4), real(4, 4), real(4, 2), 2),
        {"Wo": [real(4)], "n_heads": [4, np.int64(2)], "Wk": [real(2, 4, 4)]},
    ),
    (
        sinkhorn,
        ["C"],
        "b broadcasts to (d)",
        (positive(3, 4), positive(3), positive(4), 0.7, 3),
        {"a": [0.4, positive(1)], "b": [0.4, positive(1)], "rounds": [1]},
    ),
    (
        line,
        ["theta"],
        "theta is a vector",
        (real(2), real(6), real(6)),
        {
            "theta": [real(3), real(2, 6)],
            "x": [0.3, real(2, 6)],
            "y": [real(3, 1), 0.5],
        },
    ),
    (
        discounted,
        ["rewards"],
        "rewards is a vector",
        (positive(5), 0.3),
        {"rewards": [positive(2, 3)], "gamma": [positive(5)]},
    ),
    (
        gaussian_nll,
        ["mu", "L"],
        "X is a matrix",
        (real(3), LOWER, real(5, 3)),
        {"mu": [real(5, 3), 0.3, real(1, 3), real(5, 1)], "X": [real(1, 3)]},
    ),
    (
        weibull,
        ["beta", "log_k"],
        "log_k is a number",
        (0.3 * real(3), 0.2, real(6, 3), positive(6), (real(6) > 0) * 1.0),
        {"log_k": [0.2 * real(6), real(1)], "event": [1.0], "t": [0.7]},
    ),
    (
        dirichlet,
        ["alpha"],
        "alpha is (d) or (1, d)",
        (positive(4), COUNTS),
        {"alpha": [positive(1, 4), positive(6, 4)], "counts": [COUNTS[:1]]},
    ),
    (
        potential,
        ["x", "y"],
        "x is a number",
        (0.3, -0.2, positive(5), 2 + real(5), 2 + real(5)),
        {"x": [real(5), real(1)], "y": [real(5)], "m": [0.5]},
    ),
    (
        chain,
        ["x"],
        "k is a number",
        (real(6), 2.0, 0.3),
        {"x": [real(2, 6)], "k": [positive(3)], "x0": [real(5), real(1)]},
    ),
    (
        tempered,
        ["z"],
        "T broadcasts to the shape of z",
        (real(5), 0.7),
        {"z": [real(2, 5)], "T": [positive(5), positive(2, 1)]},
    ),
    (
        surface,
        ["c"],
        "c is a vector",
        (real(4), real(6), real(6), real(6)),
        {"c": [real(4, 6), real(5)], "T": [0.3, real(2, 1)], "obs": [real(2, 6)]},
    ),
    (
        series,
        ["coef"],
        "coef is a vector",
        (real(5), positive(8), real(8), 2.5),
        {"t": [positive(2, 4)], "y": [0.3], "period": [positive(2)]},
    ),
    (
        dihedral,
        ["p"],
        "p is a matrix",
        (real(4, 3),),
        {"p": [real(4, 2, 3), real(4, 2)]},
    ),
    (
        predators,
        ["params"],
        "dt is a number",
        (0.2 * positive(4), positive(2), 0.1, 3),
        {"z0": [positive(2, 3)], "dt": [0.1 * positive(3)], "steps": [0]},
    ),
    (
        mixture,
        ["log_pi"],
        "log_pi is (n) or (1, n)",
        (real(3), real(3), 0.3 * real(3), real(7)),
        {"log_pi": [real(1, 3), 0.3, real(7, 3)], "log_sigma": [0.2, 0.3 * real(7, 3)]},
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

    assert sweep(function, gradient, right, args, others)


def saturation(params, s, v):
    top, half = params
    return np.mean((top * s / (half + s) - v) ** 2)


def bump(params, xs, ys, image):
    amp, x0, y0, sx, sy, off = params
    u, v = (xs - x0) / sx, (ys - y0) / sy
    return np.sum((off + amp * np.exp(-0.5 * u**2 - 0.5 * v**2) - image) ** 2)


def decay(p, t, y):
    return np.sum(np.abs(p[0] * np.exp(-p[1] * t) + p[2] - y) ** 1.5)


CURVES = [
    (saturation, positive(2), (positive(5), positive(5))),
    (saturation, positive(2), (positive(3, 1), 0.7)),
    (bump, positive(6), (real(4, 5), real(4, 5), real(4, 5))),
    (bump, positive(6), (real(4, 5), real(5), real(4, 5))),
    (decay, positive(3), (positive(6), positive(6))),
    (decay, positive(3), (positive(2, 6), positive(6))),
]


@pytest.mark.parametrize("function, params, data", CURVES)
def test_parameters_of_curves_need_no_helper(function, params, data):
    name = function.__code__.co_varnames[0]
    text, gradient = text_of(function, [name])
    assert "_unbroadcast" not in text
    is_right(function, gradient, [name], (params, *data))


def hinge(x):
    return np.sum(np.maximum(0, x))


def test_what_is_compared_with_a_number_stands_first():
    text = gradgen.emit(hinge)
    assert "np.where(x > 0, " in text and "0 < x" not in text
