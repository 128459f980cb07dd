"""Methods behind decorators that hand on what they are given, *args and all: with nothing told."""

import functools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(72)


def handed_on(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Regression:
    def __init__(self, noise):
        self.noise = noise

    @handed_on
    def fit(self, X, y):
        A = X.T @ X + self.noise * np.eye(X.shape[1])
        self.c = np.linalg.solve(A, X.T @ y)
        return self

    @handed_on
    def predict(self, T):
        return np.tanh(T @ self.c)

    @handed_on
    def loss(self, T, y=None):
        error = self.predict(T) if y is None else self.predict(T) - y
        return np.mean(error**2) + self.noise * np.sum(self.c**2)


class Other(Regression):
    pass


MADE = Other(0.3).fit(RNG.normal(size=(5, 3)), RNG.normal(size=5))
T, Y = RNG.normal(size=(4, 3)), RNG.normal(size=4)


@pytest.mark.parametrize("cls", [Regression, Other])
def test_a_method_that_returns_an_array(cls):
    space, seed = {}, RNG.uniform(0.5, 1.5, size=4)
    exec(gradgen.emit(f"{__name__}:{cls.__name__}.predict"), space)
    want = numeric_gradient(lambda t: seed @ MADE.predict(t), (T,), 0).value
    np.testing.assert_allclose(space["grad_predict"](MADE, T, seed), want, rtol=1e-6)


@pytest.mark.parametrize("args", [(T,), (T, Y)], ids=len)
def test_a_method_that_calls_another(args):
    space = {}
    exec(gradgen.emit(Regression.loss, wrt="self.c"), space)

    def value(c):
        other = Regression(0.3)
        other.c = c
        return other.loss(*args)

    want = numeric_gradient(value, (MADE.c,), 0).value
    np.testing.assert_allclose(space["grad_loss"](MADE, *args), want, rtol=1e-6)
