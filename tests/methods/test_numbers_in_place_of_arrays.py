"""An option of __init__ that is a number, of which a method reads entries: it is an array."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Elements:
    def __init__(self, x, y=0, weights=1.0):
        self.x, self.y, self.weights = x, y, weights

    def by_places(self, u):
        out = 0.0
        for i in range(len(self.x)):
            out = out + np.cos(self.x[i] * u + self.y[i] * u)
        return out

    def by_items(self, u):
        out = 0.0
        for w in self.weights:
            out = out + w * np.sin(w * u)
        return out

    def by_length(self, u):
        return u**2 * np.sum(self.y) / len(self.y)


X, Y, W = np.array([0.1, 0.5, 0.9]), np.array([0.4, 0.2, 0.3]), np.array([0.7, 1.2])
MADE = Elements(X, Y, W)


@pytest.mark.parametrize("name", ["by_places", "by_items", "by_length"])
def test_in_an_argument(name):
    space = {}
    exec(gradgen.emit(f"{__name__}:Elements.{name}", wrt="u"), space)
    want = numeric_gradient(getattr(MADE, name), (0.6,), 0).value
    got = space[f"grad_{name}"](MADE, 0.6)
    np.testing.assert_allclose(got, want, rtol=1e-7)
    np.testing.assert_allclose(gradgen.grad(getattr(MADE, name))(0.6), want, rtol=1e-7)


def test_in_the_attribute():
    space = {}
    exec(gradgen.emit(Elements.by_places, wrt="self.y"), space)
    want = numeric_gradient(lambda y: Elements(X, y).by_places(0.6), (Y,), 0).value
    got = space["grad_by_places"](MADE, 0.6)
    np.testing.assert_allclose(got, want, rtol=1e-7)
    assert got.shape == Y.shape and got.dtype == Y.dtype
