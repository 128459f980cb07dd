"""Instances that hold complex arrays: the method is differentiated as it stands."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, -1.2, 0.8])


class Filter:
    def __init__(self, response):
        self.response = response
        self.parts = {"main": response, "other": np.ones(3)}
        self.stages = [np.ones(3), response]

    def energy(self, x):
        return np.sum(np.abs(np.fft.ifft(self.response * np.fft.fft(x))) ** 2)

    def of_a_dictionary(self, x):
        return np.sum(np.abs(x * self.parts["main"]) ** 2)

    def of_a_list(self, x):
        return np.sum(np.real(x**2 * self.stages[1]))


METHODS = ["energy", "of_a_dictionary", "of_a_list"]
MADE = Filter(np.array([1.0 + 2.0j, 0.5 - 1.0j, -0.3 + 0.2j]))


@pytest.mark.parametrize("name", METHODS)
def test_gradients_in_real_arguments(name):
    method = getattr(MADE, name)
    want = numeric_gradient(method, [X], 0).value
    np.testing.assert_allclose(gradgen.grad(method)(X), want, rtol=1e-6)
    by_class = gradgen.grad(getattr(Filter, name), wrt="x")(MADE, X)
    np.testing.assert_allclose(by_class, want, rtol=1e-6)


@pytest.mark.parametrize("wrt", ["self.parts.main", 'self.parts["main"]'])
def test_gradient_in_the_complex_part(wrt):
    got = gradgen.grad(MADE.of_a_dictionary, wrt=wrt)(X)
    z = MADE.parts["main"]
    # |x z|^2: dL/dRe z - i dL/dIm z
    np.testing.assert_allclose(got, 2 * X**2 * np.conj(z), rtol=1e-12)


def test_real_at_the_next_call():
    made = Filter(np.array([1.0 + 1.0j, 2.0, 0.5j]))
    g = gradgen.grad(made.of_a_dictionary)
    np.testing.assert_allclose(g(X), 2 * X * np.abs(made.response) ** 2)
    made.parts["main"] = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(g(X), 2 * X * np.array([1.0, 4.0, 9.0]))
