"""Keys of an instance's dictionary that nobody reads may be there, and more of them."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Model:
    def __init__(self, parameters):
        self.parameters = parameters

    def rate(self, x):
        p = self.parameters
        return np.sum(p["a"] * x**2 + p["start"]["b"])

    def directly(self, x):
        return np.sum(self.parameters["a"] * x**3)

    def counted(self, x):
        p = self.parameters
        return np.sum(p["a"] * x**2) * len(p)

    def over_keys(self, x):
        p = self.parameters
        total = 0.0
        for key in ("a", "c"):
            total = total + p[key] * np.sum(x**2)
        return total / len(p)


X = np.array([0.5, -1.5, 2.0])
MORE = {"a": 2.0, "c": 0.7, "start": {"b": 1.0, "other": 3.0}, "unused": 5.0}


def text_of(name):
    names: dict = {}
    exec(gradgen.emit(getattr(Model, name), wrt="x"), names)
    return names[f"grad_{name}"]


@pytest.mark.parametrize("name", ["rate", "directly"])
def test_right_with_more_keys(name):
    model = Model(MORE)
    want = numeric_gradient(getattr(model, name), (X,), 0).value
    np.testing.assert_allclose(text_of(name)(model, X), want, rtol=1e-7)


def of_instance(name, parameters):
    names: dict = {}
    exec(gradgen.emit(getattr(Model(parameters), name), wrt="x"), names)
    return names[f"grad_{name}"]


@pytest.mark.parametrize("name", ["rate", "counted", "over_keys"])
def test_how_many_there_are_is_looked_at_where_that_counts(name):
    few = {"a": 2.0, "c": 0.7, "start": {"b": 1.0}}
    gradient = of_instance(name, few)
    want = numeric_gradient(getattr(Model(few), name), (X,), 0).value
    np.testing.assert_allclose(gradient(Model(few), X), want, rtol=1e-7)
    model = Model(MORE)
    want = numeric_gradient(getattr(model, name), (X,), 0).value
    try:
        found = gradient(model, X)
    except ValueError:
        assert name != "rate"
        return
    np.testing.assert_allclose(found, want, rtol=1e-7)
