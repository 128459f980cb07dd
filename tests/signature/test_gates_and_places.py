"""Gates of a split, entries that are places, windows, quaternions, mixtures, overlaps.

Each text is called with arguments of many shapes: it is right, in value and shape, or
raises what it assumes.
"""

import numpy as np
import pytest
from scipy.special import gammaln

import gradgen
from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(44)


def real(*shape):
    return RNG.normal(size=shape)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gru(x, h, W, U, b):
    xz, xr, xn = np.split(x @ W + b, 3, axis=1)
    hz, hr, hn = np.split(h @ U, 3, axis=1)
    z, r = sigmoid(xz + hz), sigmoid(xr + hr)
    n = np.tanh(xn + r * hn)
    return np.sum(((1 - z) * n + z * h) ** 2)


def lstm(x, h, c, W, U, b):
    i, f, g, o = np.split(x @ W + h @ U + b, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return np.sum((sigmoid(o) * np.tanh(c)) ** 2)


def gated(x, W, V):
    a, b = np.split(x @ W, 2, axis=-1)
    return np.sum((a * sigmoid(b)) @ V)


def loglik(log_pi, log_A, log_B, obs):
    alpha = log_pi + log_B[:, obs[0]]
    for t in range(1, len(obs)):
        m = alpha[:, None] + log_A
        top = m.max(axis=0)
        alpha = top + np.log(np.sum(np.exp(m - top), axis=0)) + log_B[:, obs[t]]
    top = alpha.max()
    return top + np.log(np.sum(np.exp(alpha - top)))


def windows(x, w, b):
    n = len(x) - len(w) + 1
    out = np.zeros(n)
    for k in range(len(w)):
        out += w[k] * x[k : k + n]
    return np.sum(np.tanh(out + b))


def diffusion(u0, kappa, data, dt, dx):
    u = u0.copy()
    for _ in range(3):
        lap = (u[2:] - 2 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] = u[1:-1] + dt * kappa * lap
    return 0.5 * np.sum((u - data) ** 2)


def turned(q, points, target):
    q = q / np.linalg.norm(q)
    w, v = q[0], q[1:]
    t = 2.0 * np.cross(v, points)
    moved = points + w * t + np.cross(v, t)
    return np.mean(np.sum((moved - target) ** 2, axis=1))


def mixture(logits, mu, log_sigma, y):
    z = (y[:, None] - mu) / np.exp(log_sigma)
    joint = logits - np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    joint = joint - 0.5 * z**2 - log_sigma
    return -np.mean(np.log(np.sum(np.exp(joint), axis=1)))


def overlap(pred, target, smooth=1.0):
    inter = np.sum(pred * target)
    return 1.0 - (2.0 * inter + smooth) / (np.sum(pred) + np.sum(target) + smooth)


def pairs(pos, eps=1.0):
    i, j = np.triu_indices(len(pos), k=1)
    r2 = np.sum((pos[i] - pos[j]) ** 2, axis=1)
    s6 = (0.9 / r2) ** 3
    return np.sum(4.0 * eps * (s6**2 - s6))


def decoder(mu, logvar, x, W, b, eps):
    z = mu + np.exp(0.5 * logvar) * eps
    recon = 1.0 / (1.0 + np.exp(-(z @ W + b)))
    return -np.sum(x * np.log(recon) + (1.0 - x) * np.log(1.0 - recon))


def angle(a, b, c, theta0, k=1.0):
    u, v = a - b, c - b
    cos = np.dot(u, v) / (np.linalg.norm(u) * np.linalg.norm(v))
    return 0.5 * k * (np.arccos(cos) - theta0) ** 2


def reverting(theta, mu, sigma, x, dt):
    a = np.exp(-theta * dt)
    var = sigma**2 * (1 - a**2) / (2 * theta)
    r = x[1:] - mu - (x[:-1] - mu) * a
    return 0.5 * np.sum(r**2) / var + 0.5 * (len(x) - 1) * np.log(var)


def curve(params, tau, y):
    b0, b1, lam = params
    x = tau / lam
    return np.sum((b0 + b1 * (1 - np.exp(-x)) / x - y) ** 2)


def bumps(centers, weights, X, y):
    d2 = np.sum((X[:, None, :] - centers[None, :, :]) ** 2, axis=2)
    phi = np.exp(-0.5 * d2)
    return np.mean((phi @ weights - y) ** 2)


def block(x, W1, b1, W2):
    h = np.maximum(0, x @ W1 + b1)
    return np.sum((x + h @ W2) ** 2)


def entropy(a, x):
    p = 1.0 / (1.0 + np.exp(-a))
    return -np.sum(x * np.log(p) + (1 - x) * np.log(1 - p))


def counts(eta, log_r, y):
    mu, r = np.exp(eta), np.exp(log_r)
    return -np.sum(gammaln(y + r) - gammaln(r) + y * np.log(mu / (r + mu)))


OBS = np.array([0, 2, 1, 1, 3])
POSITIVE = RNG.uniform(0.2, 0.8, (3, 6))
# (function, wrt, what the docstring says, arguments that are taken, other ones of each)
CASES = [
    (
        gru,
        ["x", "h", "W", "U", "b"],
        "W (d, 3*k)",
        (real(5, 2), real(5, 3), real(2, 9), real(3, 9), real(9)),
        {"h": [real(1, 3), real(5, 1)], "W": [real(2, 3)], "b": [real(1, 9), 0.1]},
    ),
    (
        lstm,
        ["W", "U", "b"],
        "U (k, 4*q)",
        (real(5, 2), real(5, 3), real(5, 3), real(2, 12), real(3, 12), real(12)),
        {"c": [real(3), real(1, 3), 0.3], "W": [real(2, 4)], "h": [real(1, 3)]},
    ),
    (
        gated,
        ["W", "V"],
        "W is a matrix",
        (real(4, 3), real(3, 6), real(3, 2)),
        {"x": [real(3), real(2, 4, 3)], "V": [real(3)]},
    ),
    (
        loglik,
        ["log_pi", "log_A", "log_B"],
        "obs is a vector of integers",
        (real(3), real(3, 3), real(3, 4), OBS),
        {
            "log_pi": [0.1, real(1)],
            "log_A": [real(3, 1), real(3)],
            "obs": [OBS[:1], OBS > 1],
        },
    ),
    (
        windows,
        ["x", "w", "b"],
        "b is a number",
        (real(8), real(3), 0.2),
        {"b": [real(6), real(1)], "x": [real(3)]},
    ),
    (
        diffusion,
        ["u0", "kappa"],
        "kappa is a number",
        (real(7), 0.3, real(7), 0.1, 0.5),
        {"kappa": [real(5), real(1)], "dt": [real(5)], "data": [0.5]},
    ),
    (
        turned,
        ["q"],
        "q is a vector of 4",
        (real(4), real(5, 3), real(5, 3)),
        {"points": [real(1, 3)], "target": [real(3), real(1, 3), 0.5, real(5, 1)]},
    ),
    (
        mixture,
        ["logits", "mu", "log_sigma"],
        "mu is a matrix",
        (real(5, 3), real(5, 3), real(5, 3), real(5)),
        {"mu": [real(3), real(5, 1), real(1, 3)], "log_sigma": [real(3), 0.1]},
    ),
    (
        overlap,
        ["pred"],
        "target has the shape of pred",
        (POSITIVE[0], POSITIVE[1]),
        {"pred": [POSITIVE], "target": [POSITIVE, 0.5], "smooth": [0.5]},
    ),
    (
        pairs,
        ["pos"],
        "pos is a matrix",
        (3 * real(4, 3),),
        {"pos": [3 * real(4, 2), 3 * real(4, 3, 2)], "eps": [0.5]},
    ),
    (
        decoder,
        ["mu", "logvar", "W", "b"],
        "mu is a matrix",
        (real(5, 2), real(5, 2), POSITIVE[:, :3].repeat(2, 0)[:5], real(2, 3), real(3))
        + (real(5, 2),),
        {"mu": [real(2)], "eps": [real(2), 0.5], "b": [real(1, 3), 0.1]},
    ),
    (
        reverting,
        ["theta", "mu", "sigma"],
        "dt is a number",
        (0.7, 0.2, 0.5, real(8), 0.3),
        {"x": [real(8, 2)], "dt": [POSITIVE[0]], "mu": [real(7)]},
    ),
    (
        curve,
        ["params"],
        "y broadcasts to the shape of tau",
        (np.array([0.4, -0.2, 1.5]), POSITIVE[0], real(6)),
        {"tau": [0.5, POSITIVE], "y": [0.1, real(3, 1)]},
    ),
    (
        bumps,
        ["centers", "weights"],
        "weights is a vector",
        (real(4, 2), real(4), real(6, 2), real(6)),
        {"weights": [real(4, 3)], "y": [0.1, real(1)], "X": [real(1, 2)]},
    ),
    (
        block,
        ["x", "W1", "b1", "W2"],
        "b1 is (k) or (1, k)",
        (real(5, 3), real(3, 4), real(4), real(4, 3)),
        {"x": [real(3)], "b1": [real(1, 4), real(5, 4), 0.1], "W2": [real(4, 1)]},
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


@pytest.mark.parametrize("eta", [real(6), 0.3])
def test_a_linear_predictor_is_no_number(eta):
    _, gradient = text_of(counts, ["eta", "log_r"])
    is_right(counts, gradient, ["eta", "log_r"], (eta, 0.4, np.arange(6.0)))


@pytest.mark.parametrize("a", [real(6), 0.3, real(2, 6)])
def test_what_one_letter_names_is_no_number_away_from_data(a):
    _, gradient = text_of(entropy, ["a"])
    is_right(entropy, gradient, ["a"], (a, POSITIVE[0]))


def test_what_is_divided_by_lengths_is_vectors():
    text, gradient = text_of(angle, ["a", "b", "c"])
    assert "a is a vector" in text
    args = (real(3), real(3), real(3), 1.1)
    is_right(angle, gradient, ["a", "b", "c"], args)


def test_lengths_are_held_against_what_they_are_made_of():
    text = gradgen.emit(gru, wrt=["W"])
    assert "np.shape(W)[1] != 3 * np.shape(h)[1]" in text
    assert "np.shape(target) != np.shape(points)" in gradgen.emit(turned, wrt="q")
