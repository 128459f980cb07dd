"""What a product has on both sides, turned round on the left: w.T @ S @ w, lam * w.T @ w.

Each text is right, in value and shape, or raises what it assumes; matrices stay those.
"""

import numpy as np
import pytest

import gradgen

from tests.signature.sweep import right_or_raised

RNG = np.random.default_rng(11)


def some(*shape):
    return RNG.uniform(0.3, 0.9, shape)


def sharpe(w, mu, Sigma, rf=0.02):
    return (w @ mu - rf) / np.sqrt(w.T @ Sigma @ w)


def utility(w, mu, cov, lam):
    return w @ mu - lam / 2 * w.T @ cov @ w


def by_dot(w, mu, cov, gamma):
    return np.dot(mu.T, w) - 0.5 * gamma * np.dot(w.T, np.dot(cov, w))


def ridge(w, lam):
    return lam / 2 * w.T @ w


def penalised(theta, X, y, lam):
    e = X @ theta - y
    return e.T @ e / 2 + lam / 2 * theta.T @ theta


def replicator(x, A):
    f = np.dot(A, x)
    phi = np.dot(f, x)
    return x * (f - phi)


def replicated(p, payoff):
    f = payoff @ p
    return p * (f - p.T @ f)


def gaussian(x, mu, P, k):
    return np.exp(-0.5 * k * (x - mu).T @ P @ (x - mu))


def of_rows(w, returns, cov):
    portfolio = returns @ w
    return np.mean(portfolio) / np.sqrt(w.T @ cov @ w)


def budget(w, cov, target):
    sigma = np.sqrt(w @ cov @ w.T)
    return np.sum((np.multiply(cov @ w.T, w.T) / sigma - sigma * target) ** 2)


# of these nothing is a vector
def column(x, A, b):
    return 0.5 * x.T @ A @ x - b.T @ x


def traced(v, A, k):
    return np.trace(k * v.T @ A @ v)


def stiffness(b, c, t, det):
    return t * det * b.T @ c @ b


def twice(h, w, v):
    z = h @ w
    return np.sum(np.tanh(z @ w) * v)


def gram(phi, alpha, beta):
    return np.linalg.slogdet(alpha * np.eye(phi.shape[1]) + beta * phi.T @ phi)[1]


CASES = [
    (sharpe, "w is a vector", (some(3), some(3), some(3, 3)), {"w": [some(3, 1)]}),
    (
        utility,
        "mu is a vector, cov is a matrix, lam is a number",
        (some(3), some(3), some(3, 3), 2.0),
        {"w": [some(3, 1), some(3, 3)], "lam": [some(3)]},
    ),
    (
        by_dot,
        "mu is a vector, cov is a matrix, gamma is a number",
        (some(3), some(3), some(3, 3), 2.0),
        {"w": [some(3, 1)], "mu": [some(3, 1)]},
    ),
    (ridge, "w is a vector, lam is a number", (some(3), 2.0), {"w": [some(3, 2)]}),
    (
        penalised,
        "theta is a vector",
        (some(3), some(5, 3), some(5), 2.0),
        {"theta": [some(3, 1)], "y": [some(5, 1)]},
    ),
    (
        replicator,
        "x is a vector, A is a matrix",
        (some(3), some(3, 3)),
        {"x": [some(3, 3)]},
    ),
    (replicated, "def grad_", (some(3), some(3, 3)), {"p": [some(3, 3)]}),
    (
        gaussian,
        "x is a vector",
        (some(3), some(3), some(3, 3), 0.5),
        {"x": [some(3, 1)], "mu": [some(3, 1), 0.2]},
    ),
    (
        of_rows,
        "w is a vector, returns is a matrix, cov is a matrix",
        (some(3), some(6, 3), some(3, 3)),
        {"w": [some(3, 1)]},
    ),
    (
        budget,
        "w is a vector, cov is a matrix",
        (some(3), some(3, 3), 0.3),
        {"w": [some(1, 3)], "target": [some(3)]},
    ),
    (column, "def grad_", (some(3), some(3, 3), some(3)), {"x": [some(3, 1)]}),
    (traced, "def grad_", (some(4, 3), some(4, 4), 0.5), {"v": [some(4, 1)]}),
    (
        stiffness,
        "def grad_",
        (some(3, 4), some(3, 3), 0.1, 2.0),
        {"b": [some(3)], "t": [some(4, 1)]},
    ),
    (twice, "def grad_", (some(4, 3), some(3, 3), some(4, 3)), {"v": [some(4, 1)]}),
    (gram, "phi is a matrix", (some(5, 3), 0.5, 2.0), {"phi": [some(5, 1)]}),
]


@pytest.mark.parametrize(
    "function, words, args, others", CASES, ids=lambda one: getattr(one, "__name__", "")
)
def test_both_sides_tell(function, words, args, others):
    assert words in " ".join(right_or_raised(function, args, others).split())


def test_weights_in_front_of_a_matrix_are_no_rows():
    def loss(w, W, lam):
        z = w @ W
        return np.sum(np.exp(z), axis=0) + np.sum(np.abs(w)) * lam

    text: dict = {}
    exec(gradgen.emit(loss), text)
    w, W = np.array([0.3, -0.4]), np.arange(6.0).reshape(2, 3) / 7
    want = np.exp(w @ W) @ W.T + 0.5 * np.sign(w)
    np.testing.assert_allclose(text["grad_loss"](w, W, 0.5, 1.0), want)
