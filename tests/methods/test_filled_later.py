"""Texts of methods that build or fit first: what __init__ leaves None, others fill.

With nothing told a flag that leads to a draw is one that is set by then, and entries of a
dictionary that are None in __init__ are arrays once a method has put them there.
"""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(71)
X = RNG.normal(size=(4, 3))


class Dense:
    def __init__(self, n_out):
        self.n_out, self.n_in = n_out, None
        self.parameters = {"W": None, "b": None}
        self.built = False

    def _build(self):
        W = np.random.default_rng(1).normal(size=(self.n_in, self.n_out))
        self.parameters = {"W": W, "b": np.ones((1, self.n_out))}
        self.built = True

    def forward(self, X):
        if not self.built:
            self.n_in = X.shape[1]
            self._build()
        W, b = self.parameters["W"], self.parameters["b"]
        return np.tanh(X @ W + b)


class Normalised:
    def __init__(self, eps=1e-5):
        self.hyper = {"eps": eps}
        self.parameters = {"scaler": None, "mean": None}
        self.is_initialized, self.trainable = False, True

    def _init_params(self, n):
        self.parameters["scaler"] = np.random.default_rng(2).uniform(1, 2, size=n)
        self.parameters["mean"] = np.zeros(n)
        self.is_initialized = True

    def forward(self, X):
        if not self.is_initialized:
            self._init_params(X.shape[1])
        mean = self.parameters["mean"]
        if self.trainable:
            mean = X.mean(axis=0)
            self.parameters["mean"] = 0.9 * self.parameters["mean"] + 0.1 * mean
        std = np.sqrt(((X - mean) ** 2).mean(axis=0) + self.hyper["eps"])
        return self.parameters["scaler"] * (X - mean) / std


class Process:
    def __init__(self, alpha=0.1):
        self.parameters = {"mean": None, "cov": None}
        self.hyper = {"alpha": alpha}

    def fit(self, X, y):
        self.parameters["y"] = y
        self.parameters["cov"] = X @ X.T

    def forward(self, X):
        K = self.parameters["cov"] + np.eye(len(X)) * self.hyper["alpha"]
        return X.T @ np.linalg.solve(K, self.parameters["y"])


def built(cls, *args):
    made = cls(*args)
    if cls is Process:
        made.fit(X, np.array([0.3, -0.1, 0.4, 0.2]))
    else:
        made.forward(X)
    return made


CASES = [(Dense, 2), (Normalised,), (Process,)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_in_the_argument(case):
    made, space = built(*case), {}
    exec(gradgen.emit(case[0].forward), space)
    seed = RNG.uniform(0.5, 1.5, size=np.shape(made.forward(X)))
    want = numeric_gradient(lambda x: np.sum(seed * made.forward(x)), (X,), 0).value
    got = space["grad_forward"](made, X, seed)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        gradgen.grad(built(*case).forward)(X, seed=seed), want, rtol=1e-6, atol=1e-9
    )


KEYS = [(Dense, 2, "W"), (Dense, 2, "b"), (Normalised, "scaler"), (Process, "y")]


@pytest.mark.parametrize("case", KEYS, ids=lambda case: case[0].__name__ + case[-1])
def test_in_an_entry(case):
    *case, key = case
    made, space = built(*case), {}
    exec(gradgen.emit(case[0].forward, wrt=f'self.parameters["{key}"]'), space)
    seed = RNG.uniform(0.5, 1.5, size=np.shape(made.forward(X)))
    at = made.parameters[key]

    def value(one):
        other = built(*case)
        other.parameters[key] = one
        return np.sum(seed * other.forward(X))

    want = numeric_gradient(value, (at,), 0).value
    got = space["grad_forward"](made, X, seed)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)
    assert got.shape == at.shape and got.dtype == at.dtype


class Drawn:
    def __init__(self, n):
        self.n, self.W, self.built = n, None, False

    def build(self, m):
        self.W = np.random.randn(m, self.n)
        self.built = True

    def forward(self, X):
        if not self.built:
            self.build(X.shape[-1])
        return np.tanh(X @ self.W)


def test_a_text_raises_for_an_instance_that_is_not_built():
    space, text = {}, gradgen.emit(Drawn.forward)
    exec(text, space)
    seed, layer = np.ones((4, 2)), Drawn(2)
    with pytest.raises(ValueError, match="self.W is taken for a matrix"):
        space["grad_forward"](layer, X, seed)
    layer.build(3)
    layer.built = False
    with pytest.raises(ValueError, match="np.random.randn"):
        space["grad_forward"](layer, X, seed)
    layer.built = True
    value = lambda x: np.sum(layer.forward(x))
    want = numeric_gradient(value, (X,), 0).value
    np.testing.assert_allclose(space["grad_forward"](layer, X, seed), want, rtol=1e-6)
    assert "Decided: line" in text


class Empty:
    def __init__(self):
        self.parameters = {"W": None}

    def forward(self, X):
        return X @ self.parameters["W"]


def test_what_nobody_fills_is_none():
    with pytest.raises(GradgenError, match="GG213"):
        gradgen.emit(Empty.forward)
