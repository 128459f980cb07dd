"""What is assumed of a method's attributes where no gradient is named, and other new ones.

Each text is right at usual arguments, and right or raised at others; it has no helper.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.signature.sweep import right_or_raised

RNG = np.random.default_rng(64)


def real(*shape):
    return RNG.normal(size=shape)


class Kernel:
    def __init__(self, amplitude, ell):
        self.amplitude = amplitude
        self.ell = ell

    def matern(self, r):
        near = np.sqrt(3.0) * np.abs(r) / self.ell
        return self.amplitude**2 * (1 + near) * np.exp(-near)

    def slope(self, r):
        return -self.amplitude * r / self.ell * np.exp(-0.5 * (r / self.ell) ** 2)


class Reservoir:
    def __init__(self, k, storage):
        self.k, self.storage = k, storage

    def flow(self):
        return self.storage**2 / self.k


class Body:
    def __init__(self, a, e):
        self.a, self.e = a, e


class Orbit:
    def __init__(self, body):
        self.body = body

    def radius(self, angle):
        e = self.body.e
        return self.body.a * (1 - e**2) / (1 + e * np.cos(angle))


OBJECTS = [
    (Kernel(1.3, 0.7), "matern"),
    (Kernel(np.array([1.3, 0.2, 2.0]), 0.7), "matern"),
    (Kernel(1.3, 0.7), "slope"),
    (Orbit(Body(1.5, 0.3)), "radius"),
]


@pytest.mark.parametrize("instance, name", OBJECTS)
def test_attributes_broadcast_to_the_first_argument(instance, name):
    method = getattr(type(instance), name)
    text = gradgen.emit(method)
    assert "def _" not in text
    space: dict = {}
    exec(text, space)
    for x in (real(3), real(2, 3)):
        found = space[f"grad_{name}"](instance, x, np.ones_like(x))
        want = numeric_gradient(lambda x: np.sum(method(instance, x)), (x,), 0).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
        assert found.shape == x.shape


def test_attributes_that_are_larger_are_refused_by_the_text():
    space: dict = {}
    exec(gradgen.emit(Kernel.matern), space)
    with pytest.raises(ValueError, match="self.ell"):
        space["grad_matern"](Kernel(1.0, np.ones(3)), 0.5)


@pytest.mark.parametrize("k", [2.0, np.array([2.0, 3.0])])
def test_an_attribute_that_is_asked_for_may_be_a_number_or_an_array(k):
    space: dict = {}
    exec(gradgen.emit(Reservoir.flow, wrt="self.k"), space)
    found = space["grad_flow"](Reservoir(k, np.array([1.0, 4.0])), np.ones(2))
    slopes = -np.array([1.0, 16.0]) / k**2
    np.testing.assert_allclose(found, slopes if np.ndim(k) else np.sum(slopes))


def test_an_attribute_beside_an_argument_may_be_a_number_beside_an_array():
    space: dict = {}
    exec(gradgen.emit(Kernel.slope, wrt="self.ell"), space)
    r, ell = real(4), 0.7
    found = space["grad_slope"](Kernel(1.3, ell), r, np.ones(4))
    step = 1e-30j
    want = np.sum(Kernel(1.3, ell + step).slope(r + 0j)).imag / 1e-30
    np.testing.assert_allclose(found, want, rtol=1e-12)


def compartments(t, y, Q, V, CL, X):
    central, other = y
    exchange = Q * (central / V - other)
    return [X - central / V * CL - exchange, exchange]


def epidemic(y, t, N, beta, gamma):
    S, I, R = y
    new = beta * S * I / N
    return -new, new - gamma * I, gamma * I


def sharpe(bets, returns, sigma):
    return np.dot(bets, returns) / np.sqrt(np.dot(bets, np.matmul(sigma, bets)))


def excess(weights, means, cov, rate=0.01):
    gain = np.sum(means * weights) - rate
    return gain / np.sqrt(np.dot(weights.T, np.dot(cov, weights)))


def log_determinant(L):
    return 2.0 * np.sum(np.log(np.diag(L)))


def distance(d, cov):
    return np.sqrt(d.dot(cov.dot(d)))


def ring(x, F):
    rates = np.zeros_like(x)
    n = len(x)
    for i in range(n):
        rates[i] = (x[(i + 1) % n] - x[i - 2]) * x[i - 1] - x[i] + F
    return rates


def smoothed(x, a):
    y = np.zeros_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = a * x[i] + (1 - a) * y[i - 1]
    return y


def driven(series, A, b, start=None):
    h = np.zeros(len(b)) if start is None else start
    total = 0.0
    for t in range(series.size):
        h = np.tanh(A @ h + b * series[t])
        total += h @ h
    return total


POSITIVE = np.array([[2.0, 0.3], [0.3, 1.0]])
CASES = [
    (compartments, "y", (0.0, real(2) ** 2, 0.4, 1.2, 0.3, 1.0), [real(2, 3), real(3)]),
    (compartments, "CL", (0.0, real(2), 0.4, 1.2, 0.3, 1.0), [real(2, 3), real(3)]),
    (epidemic, "y", (real(3) ** 2, 0.0, 2.0, 0.5, 0.3), [real(3, 2), real(2)]),
    (epidemic, "beta", (real(3), 0.0, 2.0, 0.5, 0.3), [real(3, 2), real(2)]),
    (sharpe, "bets", (real(2), real(2), POSITIVE), [real(2, 2), real(3)]),
    (sharpe, "sigma", (real(2), real(2), POSITIVE), [real(2, 2), 2.0]),
    (excess, "weights", (real(2), real(2), POSITIVE), [real(2, 1), 0.5]),
    (excess, "means", (real(2), real(2), POSITIVE), [real(2, 1), 0.5, real(1)]),
    (log_determinant, "L", (POSITIVE,), [real(3) ** 2 + 1, POSITIVE[None]]),
    (distance, "d", (real(2), POSITIVE), [real(2, 2), real(3)]),
    (distance, "cov", (real(2), POSITIVE), [real(2, 2), real(1)]),
    (ring, "x", (real(5), 8.0), [real(5, 2), real(2), real(1)]),
    (ring, "F", (real(5), 8.0), [real(5, 2), real(2), real(1)]),
    (smoothed, "x", (real(5), 0.3), [real(5, 2), real(2), real(1)]),
    (smoothed, "a", (real(5), 0.3), [real(5, 2), real(2), real(1)]),
    (
        driven,
        "series",
        (real(4), real(3, 3), real(3), real(3)),
        [None, real(4, 1), real(3, 1), 0.5],
    ),
]


@pytest.mark.parametrize(
    "function, wrt, args, others",
    CASES,
    ids=[f"{f.__name__}-{w}" for f, w, *_ in CASES],
)
def test_right_or_raised(function, wrt, args, others):
    labels = function.__code__.co_varnames[: len(args)]
    text = right_or_raised(function, args, dict.fromkeys(labels, others), wrt=wrt)
    assert "def _" not in text


def gates(x, h, W, U, b):
    n = h.shape[1]
    z = 1 / (1 + np.exp(-(x @ W[:, :n] + h @ U[:, :n] + b[:n])))
    r = np.tanh(x @ W[:, n : 2 * n] + h @ U[:, n : 2 * n] + b[n : 2 * n])
    return (1 - z) * r + z * h


@pytest.mark.parametrize("wrt", ["x", "h", "W", "U", "b"])
def test_sections_that_follow_one_another_are_all_of_an_array(wrt):
    text = gradgen.emit(gates, wrt=wrt)
    assert "W (m, 2*n), U (n, 2*n), b (2*n)" in " ".join(text.split())
    space: dict = {}
    exec(text, space)
    args = [real(4, 2), real(4, 3), real(2, 6), real(3, 6), real(6)]
    at = "x h W U b".split().index(wrt)

    def total(*args):
        return np.sum(gates(*args))

    found = space["grad_gates"](*args, np.ones((4, 3)))
    want = numeric_gradient(total, tuple(args), at).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
    args[4] = real(7)
    with pytest.raises(ValueError, match="b "):
        space["grad_gates"](*args, np.ones((4, 3)))


def layers(params, X, y):
    h = np.tanh(X @ params["W1"] + params["b1"])
    return np.mean((h @ params["W2"] + params["b2"] - y) ** 2)


def columns(params, X):
    return np.sum(np.tanh(params["W"] @ X + params["b"]))


def pair(params, x):
    W, b = params
    return np.sum(np.tanh(x @ W + b))


@pytest.mark.parametrize("function", [layers, columns, pair])
def test_a_container_that_comes_first_is_asked_of_as_a_whole(function):
    def body(text):
        return text.partition("import numpy as np")[2]

    named = gradgen.emit(function, wrt="params")
    assert body(gradgen.emit(function)) == body(named)
    assert "broadcasts to (m, d)" not in named and "def _" not in named
