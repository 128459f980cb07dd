"""Functions as people write them first, with nothing told: no helper, right or raised."""

import numpy as np
import pytest

from gradgen.verify.finite import numeric_gradient
from tests.signature.sweep import right_or_raised, text_of

RNG = np.random.default_rng(53)


def real(*shape):
    return RNG.normal(size=shape)


def positive(*shape):
    return RNG.uniform(0.2, 0.8, size=shape)


def logistic(w, x, y):
    p = 1 / (1 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def squares(theta, x, y):
    return ((np.dot(x, theta) - y) ** 2).mean()


def ridge(theta, x, y, lam):
    e = x @ theta - y
    return e @ e / len(y) + lam * theta @ theta


def spread(w, r):
    return np.var(np.dot(r, w))


def step(w, x, y, lr):
    return w - lr * (x.T @ (x @ w - y))


def layer(x, w, b):
    return np.tanh(x @ w + b)


def block(x, c_fc, c_proj):
    h = np.maximum(x @ c_fc["w"] + c_fc["b"], 0.1)
    return h @ c_proj["w"] + c_proj["b"]


def normed(x, ffn, g):
    mean = np.mean(x, axis=-1, keepdims=True)
    std = np.sqrt(np.mean((x - mean) ** 2, axis=-1, keepdims=True) + 1e-5)
    return x + (g * (x - mean) / std) @ ffn["w"] + ffn["b"]


def sharpe(w, mu, cov):
    return w @ mu / np.sqrt(w @ cov @ w + 9.0)


def angle(r1, r2):
    return np.tanh(np.trace(r1.T @ r2))


def kernel(x, y, gamma):
    return np.exp(-np.sum((x - y) ** 2) / (2 * gamma**2))


def divergence(mu, logvar):
    return -0.5 * np.sum(1 + logvar - mu**2 - np.exp(logvar))


def huber(y_true, y_pred, delta):
    e = y_true - y_pred
    small = np.abs(e) <= delta
    return np.mean(np.where(small, 0.5 * e**2, delta * (np.abs(e) - 0.5 * delta)))


def focal(p, y, gamma, alpha):
    there = alpha * y * (1 - p) ** gamma * np.log(p)
    return -np.mean(there + (1 - alpha) * (1 - y) * p**gamma * np.log(1 - p))


def morse(r, d, a, r0):
    return d * (1 - np.exp(-a * (r - r0))) ** 2


def covariance(distance, sill, reach):
    apart = distance > 0.3
    cov = np.zeros_like(distance)
    cov[apart] = sill * np.exp(-(distance[apart] ** 2) / (2 * reach**2))
    cov[~apart] = sill
    return cov


def bolus(t, m):
    z = np.array(m * t)
    inside = (z >= 0) & (z < 6.28)
    y = np.zeros(np.shape(t))
    y[inside] = 1 - np.cos(z[inside])
    return y


def noise(x, y):
    mse = float(np.mean((x.astype(np.float64) - y.astype(np.float64)) ** 2))
    return 100.0 if mse == 0.0 else 10.0 * np.log10(2.0 / mse)


def window(patch, weights, b):
    return np.sum(np.multiply(patch, weights) + b)


def shapes(xi, eta):
    return np.array([[(1 - xi) * (1 - eta), 1 + xi, -xi], [xi**2, -(1 + eta), eta]])


def elastic(E, nu):
    factor = E / (1 + nu)
    return factor * np.array([[1 - nu, nu, 0.0], [nu, 1 - nu, 0.0], [0.0, 0.0, nu]])


def pair(r, eps, sig):
    return 4 * eps * ((sig / r) ** 12 - (sig / r) ** 6)


def energy(pos, eps, sig):
    e = 0.0
    for i in range(len(pos)):
        for j in range(i + 1, len(pos)):
            r = np.linalg.norm(pos[i] - pos[j])
            e += 4 * eps * ((sig / r) ** 12 - (sig / r) ** 6)
    return e


def energies(x, eps, sig):
    r2 = np.sum((x[:, None] - x[None]) ** 2, axis=-1)
    s6 = (sig**2 / r2[np.triu_indices(len(x), 1)]) ** 3
    return np.sum(4 * eps * (s6**2 - s6))


def pull(pos, mass):
    d = pos[None] - pos[:, None]
    r = np.sqrt((d**2).sum(-1) + 0.1)
    return (d * (mass[None, :, None] / r[..., None] ** 3)).sum(1)


def neighbours(y, shares):
    q = 1 / (1 + ((y[:, None] - y[None]) ** 2).sum(-1))
    np.fill_diagonal(q, 0)
    q = q / q.sum()
    return np.sum(shares * np.log((shares + 1e-3) / (q + 1e-3)))


def gated(x, h, wz, uz, bz, wh, uh, bh):
    z = 1 / (1 + np.exp(-(x @ wz + h @ uz + bz)))
    n = np.tanh(x @ wh + (z * h) @ uh + bh)
    return (1 - z) * n + z * h


def attended(x, wq, wk, wv):
    q, k, v = x @ wq, x @ wk, x @ wv
    s = q @ k.T / np.sqrt(q.shape[-1])
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True) @ v


def contexts(center, context, others):
    there = np.log(1 / (1 + np.exp(-np.dot(center, context))))
    return -(there + np.sum(np.log(1 / (1 + np.exp(np.dot(others, center))))))


RANKS = [0.7, real(2), real(3), real(1, 3), real(3, 3), real(2, 3, 3)]
CASES = [
    (logistic, (real(3), real(4, 3), positive(4)), {"w": RANKS, "x": RANKS}),
    (squares, (real(3), real(4, 3), real(4)), {"theta": RANKS, "x": RANKS}),
    (ridge, (real(3), real(4, 3), real(4), 0.1), {"theta": RANKS, "lam": RANKS}),
    (spread, (real(3), real(4, 3)), {"w": RANKS, "r": RANKS}),
    (step, (real(3), real(4, 3), real(4), 0.1), {"w": RANKS, "lr": RANKS}),
    (layer, (real(4, 3), real(3, 2), real(2)), {"x": RANKS, "b": [0.5, real(4, 2)]}),
    (
        block,
        (real(4, 3), {"w": real(3, 2), "b": real(2)}, {"w": real(2, 2), "b": real(2)}),
        {"x": RANKS},
    ),
    (normed, (real(4, 3), {"w": real(3, 3), "b": real(3)}, real(3)), {"x": RANKS}),
    (sharpe, (real(3), real(3), real(3, 3)), {"mu": RANKS, "cov": RANKS}),
    (angle, (real(3, 3), real(3, 3)), {"r1": RANKS, "r2": RANKS}),
    (kernel, (real(3), real(3), 1.3), {"x": RANKS, "gamma": RANKS}),
    (divergence, (real(3), real(3)), {"mu": RANKS, "logvar": RANKS}),
    (huber, (real(4), real(4), 0.5), {"y_true": RANKS, "delta": RANKS}),
    (focal, (positive(3), positive(3), 2.0, 0.3), {"p": [0.5], "gamma": [positive(3)]}),
    (morse, (real(3), 1.0, 0.8, 1.2), {"r": RANKS, "a": RANKS}),
    (
        covariance,
        (positive(4), 1.5, 0.7),
        {"distance": [positive(2, 3)], "sill": RANKS},
    ),
    (bolus, (positive(4), 3.0), {"t": [positive(2, 3)], "m": RANKS}),
    (
        noise,
        (real(4), real(4)),
        {"x": [real(2, 4), real(1)], "y": [real(2, 4), real(1)]},
    ),
    (shapes, (0.3, 0.6), {"xi": RANKS, "eta": RANKS}),
    (elastic, (2.0, 0.3), {"E": RANKS, "nu": RANKS}),
    (pair, (1 + positive(4), 0.3, 1.1), {"r": [1.5, 1 + positive(2, 4)], "eps": RANKS}),
    (energy, (2 * real(4, 3), 0.3, 1.1), {"pos": RANKS[1:], "sig": RANKS}),
    (energies, (2 * real(4, 3), 0.3, 1.1), {"x": RANKS[1:], "sig": RANKS}),
    (pull, (real(4, 3), positive(4)), {"pos": RANKS[1:], "mass": RANKS}),
    (
        neighbours,
        (real(4, 2), positive(4, 4)),
        {"y": [real(4), real(2, 3, 3)], "shares": [positive(4), 0.4]},
    ),
    (
        gated,
        (real(4, 3), real(4, 2), *(real(3, 2), real(2, 2), real(2)) * 2),
        {"x": RANKS[1:], "h": RANKS[1:], "bz": RANKS},
    ),
    (attended, (real(4, 3), *(real(3, 2) for _ in range(3))), {"x": RANKS[1:]}),
    (contexts, (real(3), real(3), real(4, 3)), {"center": RANKS, "others": RANKS}),
    (window, (real(3), real(3), 0.2), {"patch": RANKS, "weights": RANKS}),
]


@pytest.mark.parametrize(
    "function, args, others", CASES, ids=[one.__name__ for one, *_ in CASES]
)
def test_no_helper_and_right_or_raised(function, args, others):
    assert "def _" not in right_or_raised(function, args, others)


def two_layers(x, w1, b1, w2, b2, y):
    h = np.tanh(x @ w1 + b1)
    return np.mean((h @ w2 + b2 - y) ** 2)


@pytest.mark.parametrize("wrt", ["w1", ("w1", "b1", "w2", "b2")])
def test_layers_with_several_biases(wrt):
    text, gradient = text_of(two_layers, wrt)
    assert "def _" not in text
    args = real(5, 3), real(3, 4), real(4), real(4, 2), real(2), real(5, 2)
    found = gradient(*args)
    names = two_layers.__code__.co_varnames
    many = isinstance(wrt, tuple)
    for name, one in zip(wrt if many else [wrt], found if many else [found]):
        want = numeric_gradient(two_layers, args, names.index(name)).value
        np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-7)


def moved(x, b, W):
    return np.sum(np.tanh(x @ W + b) * x)


def test_the_bias_behind_weights_is_a_row():
    text, gradient = text_of(moved, ("x", "b"))
    args = real(4, 3), real(3), real(3, 3)
    for k, found in enumerate(gradient(*args)):
        want = numeric_gradient(moved, args, k).value
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)
