"""Class methods that are handed instances: what they read of these, also through `cls`."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Gaussian:
    def __init__(self, alpha, x):
        self.alpha, self.x = alpha, x
        self.A = (2.0 * alpha / np.pi) ** 0.75

    @classmethod
    def overlap(cls, one, other):
        total = one.alpha + other.alpha
        apart = np.sum((one.x - other.x) ** 2)
        return one.A * other.A * np.exp(-one.alpha * other.alpha / total * apart)

    @classmethod
    def kinetic(cls, one, other):
        mu = one.alpha * other.alpha / (one.alpha + other.alpha)
        return mu * (3.0 - mu) * cls.overlap(one, other)


ONE = Gaussian(0.5, np.array([0.1, 0.2, 0.3]))
OTHER = Gaussian(0.8, np.array([0.4, 0.2, 0.0]))


@pytest.mark.parametrize("name", ["overlap", "kinetic"])
@pytest.mark.parametrize("of", [Gaussian, ONE], ids=["class", "instance"])
def test_in_an_array_of_an_instance(name, of):
    method = getattr(of, name)

    def value(x):
        made = Gaussian(0.5, x)
        return method(made, OTHER)

    want = numeric_gradient(value, (ONE.x,), 0).value
    got = gradgen.grad(method, wrt="one.x")(ONE, OTHER)
    np.testing.assert_allclose(got, want, rtol=1e-6)
    assert got.shape == (3,) and got.dtype == float


def test_in_a_number_of_an_instance():
    def value(alpha):
        other = Gaussian(0.8, OTHER.x)
        other.alpha = float(alpha)
        return Gaussian.kinetic(ONE, other)

    want = numeric_gradient(value, (0.8,), 0).value
    got = gradgen.grad(Gaussian.kinetic, wrt="other.alpha")(ONE, OTHER)
    np.testing.assert_allclose(got, want, rtol=1e-6)
