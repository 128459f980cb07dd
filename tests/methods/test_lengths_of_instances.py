"""Texts of bound methods: which axes of an instance's arrays are one follows from use."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(48)


def real(*shape):
    return RNG.normal(size=shape)


class Regression:
    def __init__(self, X, y, alpha=0.1):
        self.X, self.y, self.alpha = X, y, alpha

    def loss(self, w):
        r = self.X @ w - self.y
        return 0.5 * r @ r / len(self.y) + 0.5 * self.alpha * w @ w


class Layer:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def forward(self, x):
        return np.tanh(x @ self.W + self.b)


class Two:
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


class Filter:
    def __init__(self, A, C, Q, R):
        self.A, self.C, self.Q, self.R = A, C, Q, R

    def loglik(self, m, P, ys):
        total = 0.0
        for y in ys:
            m, P = self.A @ m, self.A @ P @ self.A.T + self.Q
            v = y - self.C @ m
            S = self.C @ P @ self.C.T + self.R
            K = P @ self.C.T @ np.linalg.inv(S)
            total += -0.5 * (v @ np.linalg.solve(S, v) + np.log(np.linalg.det(S)))
            m, P = m + K @ v, P - K @ S @ K.T
        return total


def regression(n, d):
    return Regression(real(n, d), real(n))


def two(n, d, k):
    return Two(Layer(real(n, d), real(d)), Layer(real(d, k), real(k)))


def kalman(n, k):
    return Filter(real(n, n) / 3, real(k, n), np.eye(n), np.eye(k))


CASES = [
    (regression(6, 3), regression(4, 4), "loss", lambda d: (real(d),), (3, 4)),
    (
        Layer(real(3, 4), real(4)),
        Layer(real(2, 2), real(2)),
        "forward",
        lambda d: (real(5, d),),
        (3, 2),
    ),
    (
        Layer(real(3, 4), real(4)),
        Layer(real(2, 5), real(5)),
        "forward",
        lambda d: (real(d),),
        (3, 2),
    ),
    (two(3, 4, 2), two(2, 2, 5), "forward", lambda d: (real(7, d),), (3, 2)),
    (
        kalman(2, 2),
        kalman(3, 2),
        "loglik",
        lambda n: (real(n), np.eye(n), real(4, 2)),
        (2, 3),
    ),
]
IDS = ["regression", "rows", "one row", "layers", "filter"]


def gradient_of(model, name):
    text, names = gradgen.emit(getattr(model, name)), {}
    exec(text, names)
    return text, names[f"grad_{name}"]


@pytest.mark.parametrize("model, other, name, args, sizes", CASES, ids=IDS)
def test_no_helper_is_left_and_other_lengths_are_right(model, other, name, args, sizes):
    text, gradient = gradient_of(model, name)
    assert "def _" not in text
    for one, size in zip((model, other), sizes):
        given = args(size)
        method = getattr(one, name)
        seed = real(*np.shape(method(*given)))
        want = numeric_gradient(lambda *x: np.sum(seed * method(*x)), given, 0).value
        found = gradient(one, *given, seed)
        assert np.shape(found) == np.shape(given[0])
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)


def test_an_instance_that_is_like_no_other_has_its_own_text():
    model, w = Regression(real(6, 3), real(1)), real(3)
    _, gradient = gradient_of(model, "loss")
    want = numeric_gradient(model.loss, [w], 0).value
    np.testing.assert_allclose(gradient(model, w), want, rtol=1e-6)


def test_what_is_added_to_a_layer_is_looked_at():
    layer = Layer(real(3, 4), real(4))
    _, gradient = gradient_of(layer, "forward")
    for b in (real(1), real(5, 4), real(4, 1)):
        odd = Layer(real(3, 4), b)
        x = real(4, 3) if np.ndim(b) == 2 and len(b) == 4 else real(5, 3)
        seed = real(*np.shape(odd.forward(x)))
        want = numeric_gradient(lambda x: np.sum(seed * odd.forward(x)), [x], 0).value
        try:
            found = gradient(odd, x, seed)
        except ValueError:
            continue
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-7)
