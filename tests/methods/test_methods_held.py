"""Instances that hold methods, their own among them: self.step = self.euler."""

import numpy as np
import pytest

import gradgen
from tests.frontend.measured import X, is_right


class Stepper:
    def __init__(self, way="euler"):
        self.rate = 0.3
        self.count = 2
        self.step = self.euler if way == "euler" else self.middle

    def euler(self, x):
        return x + self.rate * self.slope(x)

    def middle(self, x):
        half = x + self.rate / 2 * self.slope(x)
        return x + self.rate * self.slope(half)

    def slope(self, x):
        return np.sin(x) * self.count

    def loss(self, x):
        return np.sum(self.step(self.step(x)) ** 2)


class Pair:
    def __init__(self, other):
        self.scale = 1.5
        self.by = other.slope
        self.own = self.twice

    def twice(self, x):
        return 2 * self.scale * x

    def loss(self, x):
        return np.sum(self.own(self.by(x)))


EULER, MIDDLE = Stepper(), Stepper("middle")
PAIR = Pair(MIDDLE)


def around_euler(x):
    return EULER.loss(x) * x[0]


def around_middle(x):
    return np.sum(MIDDLE.step(x)) + EULER.loss(x)


def around_a_pair(x):
    return PAIR.loss(x) ** 2


@pytest.mark.parametrize(
    "f",
    [EULER.loss, MIDDLE.loss, PAIR.loss, around_euler, around_middle, around_a_pair],
)
def test_what_the_method_reads_counts(f):
    is_right(f, X)


def test_an_attribute_that_only_the_held_method_reads_has_a_gradient():
    stepper = Stepper("middle")
    found = gradgen.grad(stepper.loss, wrt="self.rate")(X)
    moved, values = 1e-5, []
    for rate in (0.3 + moved, 0.3 - moved):
        stepper.rate = rate
        values.append(stepper.loss(X))
    assert found == pytest.approx((values[0] - values[1]) / (2 * moved), rel=1e-8)


def test_another_method_under_the_name_makes_another_text():
    stepper = Stepper()
    derivative = gradgen.grad(stepper.loss)
    before = derivative(X)
    stepper.step = stepper.middle
    after = derivative(X)
    np.testing.assert_allclose(before, gradgen.grad(EULER.loss)(X))
    np.testing.assert_allclose(after, gradgen.grad(MIDDLE.loss)(X))
    assert not np.allclose(before, after)
