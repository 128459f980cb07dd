"""A static method is a function, and its first argument no instance."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Wing:
    def __init__(self, surface):
        self.surface = surface

    @staticmethod
    def speed(lift, weight, rho=1.2):
        return (2 * weight / (lift * rho)) ** 0.5

    @staticmethod
    def discounted(rewards, gamma):
        total = 0.0
        for t in reversed(range(len(rewards))):
            total = total * gamma + rewards[t]
        return total

    @staticmethod
    def dotted(x, y):
        return np.sum(np.tanh(x * y))


R = np.random.default_rng(5)
CASES = [
    (Wing.speed, (0.7, 3.0)),
    (Wing.discounted, (R.normal(size=4), 0.9)),
    (Wing.dotted, (R.normal(size=3), R.normal(size=3))),
]


@pytest.mark.parametrize("function, args", CASES)
def test_in_process_and_as_text(function, args):
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(gradgen.grad(function)(*args), want, rtol=1e-6)
    space: dict = {}
    exec(gradgen.emit(function), space)
    found = space[f"grad_{function.__name__}"](*args)
    np.testing.assert_allclose(found, want, rtol=1e-6)
