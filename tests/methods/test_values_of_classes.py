"""What a class holds for its instances: a text reads it of the instance, or looks at it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, 0.5, 0.7])


class Model:
    rate = 0.5
    power = 2
    kind = "shifted"
    doubled = True
    table = (1.0, 2.0)
    weights = np.array([1.0, 2.0, 3.0])

    def loss(self, x):
        y = x * self.rate
        if self.kind == "shifted":
            y = y + self.table[0]
        if self.doubled:
            y = 2 * y
        return np.sum(y**self.power * self.weights)

    def scaled(self, x):
        return np.sum(np.sin(x * self.rate))


class Faster(Model):
    rate = 0.9


class Named(Model):
    kind = "plain"


def changed(**values):
    model = Model()
    for name, value in values.items():
        setattr(model, name, value)
    return model


OTHERS = [
    Model(),
    Faster(),
    changed(rate=0.8),
    changed(table=(4.0, 1.0)),
    changed(weights=X),
]
ELSEWHERE = [
    Named(),
    changed(power=3),
    changed(kind="plain"),
    changed(doubled=False),
]


def gradient_of(method):
    names: dict = {}
    exec(gradgen.emit(method), names)
    return names[f"grad_{method.__name__}"]


@pytest.mark.parametrize("model", OTHERS)
@pytest.mark.parametrize("name", ["loss", "scaled"])
def test_numbers_and_arrays_are_read_of_the_instance(model, name):
    want = numeric_gradient(getattr(model, name), [X], 0).value
    for made in (getattr(Model(), name), getattr(Faster(), name)):
        found = gradient_of(made)(model, X)
        np.testing.assert_allclose(found, want, rtol=1e-7)


@pytest.mark.parametrize("model", ELSEWHERE)
def test_other_settings_are_refused_by_the_text(model):
    with pytest.raises(ValueError, match="self|settings"):
        gradient_of(Model().loss)(model, X)


@pytest.mark.parametrize("model", OTHERS + ELSEWHERE)
def test_a_call_takes_what_there_is(model):
    gradient = gradgen.grad(model.loss)
    for rate in (0.4, 0.6):
        want = numeric_gradient(model.loss, [X], 0).value
        np.testing.assert_allclose(gradient(X), want, rtol=1e-7)
        model.rate = rate


def test_a_value_of_the_class_that_changes_is_noticed():
    class Own(Model):
        rate = 0.5

    model = Own()
    gradient = gradgen.grad(model.loss)
    gradient(X)
    Own.rate, Own.power = 0.7, 3
    want = numeric_gradient(model.loss, [X], 0).value
    np.testing.assert_allclose(gradient(X), want, rtol=1e-7)
