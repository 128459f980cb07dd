"""What is added to a product counts as a bias where a gradient is asked of it alone.

The other attributes of an instance may have any shape that fits: a number, a row, a column.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(70)


class Layer:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def forward(self, X):
        return np.tanh(X @ self.W + self.b)


class Ratings:
    def __init__(self, P, Q, mean):
        self.P, self.Q, self.mean = P, Q, mean

    def forward(self, X):
        return self.mean + X * self.P.dot(self.Q.T)


BIASES = [0.3, RNG.normal(size=2), RNG.normal(size=(1, 2)), RNG.normal(size=(4, 1))]


@pytest.mark.parametrize("bias", BIASES, ids=np.shape)
@pytest.mark.parametrize("asked", ["X", "self.W"])
def test_a_bias_of_any_shape(asked, bias):
    layer, X = Layer(RNG.normal(size=(3, 2)), bias), RNG.normal(size=(4, 3))
    agrees(Layer, layer, X, asked, layer.W)


@pytest.mark.parametrize("mean", BIASES, ids=np.shape)
@pytest.mark.parametrize("asked", ["X", "self.P"])
def test_what_is_added_to_a_product_by_name(asked, mean):
    made = Ratings(RNG.normal(size=(4, 3)), RNG.normal(size=(2, 3)), mean)
    agrees(Ratings, made, RNG.normal(size=(4, 2)), asked, made.P)


def agrees(cls, made, X, asked, attribute):
    space = {}
    exec(gradgen.emit(cls.forward, wrt=asked), space)
    seed = RNG.uniform(0.5, 1.5, size=(4, 2))
    name = asked.removeprefix("self.")

    def value(one):
        other = cls(*vars(made).values())
        if name != "X":
            setattr(other, name, one)
        return np.sum(seed * other.forward(one if name == "X" else X))

    at = X if name == "X" else attribute
    want = numeric_gradient(value, (at,), 0).value
    got = space["grad_forward"](made, X, seed)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)
    assert got.shape == at.shape and got.dtype == at.dtype


def test_the_bias_that_is_asked_for_is_a_row():
    text = gradgen.emit(Layer.forward, wrt="self.b")
    assert "Assumed: self.W is a matrix, self.b is (d) or (1, d)" in text
    assert "_unbroadcast" not in text
