"""Methods of NamedTuples: the first argument is the one behind the instance."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Decay(NamedTuple):
    size: float
    rate: float = 2.0

    def __call__(self, t, scale=1.0):
        return np.sum(self.size * np.exp(-self.rate * t) * scale)

    def after(self, t):
        return np.sum(self.size * np.exp(-self.rate * t))


class Line(namedtuple("Line", "slope start")):
    def at(self, t):
        return np.sum((self.slope * t + self.start) ** 2)


class Held:
    def __init__(self):
        self.decay = Decay(1.5)

    def loss(self, t):
        return self.decay.after(t) * self.decay(t)


DECAY, T = Decay(1.5), np.array([0.3, 1.1, 0.7])
METHODS = {
    "called": DECAY,
    "of the instance": DECAY.after,
    "of a namedtuple": Line(2.0, 0.5).at,
    "of one that is held": Held().loss,
}


@pytest.mark.parametrize("name", METHODS)
def test_the_gradient_is_in_the_argument(name):
    method = METHODS[name]
    want = numeric_gradient(method, (T,), 0).value
    value, found = gradgen.value_and_grad(method)(T)
    assert value == pytest.approx(method(T)) and found.shape == T.shape
    np.testing.assert_allclose(found, want, rtol=1e-7)
    np.testing.assert_allclose(gradgen.jacobian(method)(T), want, rtol=1e-7)
    tangent = gradgen.jvp(method)(T, np.ones(3))[1]
    np.testing.assert_allclose(tangent, want.sum(), rtol=1e-7)
    np.testing.assert_allclose(
        gradgen.hessian(method)(T), gradgen.hessian(method, wrt="t")(T)
    )


def test_a_text_is_of_the_argument():
    want = numeric_gradient(DECAY.after, (T,), 0).value
    for emitted in (gradgen.emit(DECAY.after), gradgen.emit(Decay.after)):
        space: dict = {}
        exec(emitted, space)
        found = space["grad_after"](DECAY, T)
        np.testing.assert_allclose(found, want, rtol=1e-7)


def test_a_field_is_asked_for_by_its_name():
    found = gradgen.grad(DECAY.after, wrt=("self.size", "self.rate"))(T)
    want = np.sum(np.exp(-2 * T)), np.sum(-1.5 * T * np.exp(-2 * T))
    np.testing.assert_allclose(found, want, rtol=1e-12)


def test_a_record_that_is_an_argument_is_the_first():
    def loss(decay, t):
        return decay.after(t)

    found = gradgen.grad(loss)(DECAY, T)
    assert isinstance(found, Decay)
    np.testing.assert_allclose(found.size, np.sum(np.exp(-2 * T)), rtol=1e-12)


class Sizes(NamedTuple):
    total: float
    share: float


class Measured:
    def __init__(self, power):
        self.power = power

    def sizes(self, t):
        total = np.sum(t**self.power)
        return Sizes(total, total / np.sum(t))


MEASURED = Measured(3.0)


def field_of_a_call(t):
    return MEASURED.sizes(t).share * MEASURED.sizes(t).total


def test_fields_of_what_an_instance_around_the_function_gives():
    want = numeric_gradient(field_of_a_call, (T,), 0).value
    np.testing.assert_allclose(gradgen.grad(field_of_a_call)(T), want, rtol=1e-7)
