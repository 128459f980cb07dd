"""A function with constants of its own that is called twice is computed once."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

T, S = np.array([290.0, 301.5, 310.2]), np.array([0.4, 1.3, 0.9])


def viscosity(t):
    eps = 97.0
    reduced = t / eps
    return np.sqrt(t) / (np.sin(reduced) * -0.03 + 1)


def conductivity(t):
    return viscosity(t) * 3.0


def pressure(t):
    a, b = 17.27, 237.3
    return 0.61 * np.exp(a * t / (t + b))


def scaled(t, scale):
    factor = 2.0 if scale else 3.0
    return np.tanh(t / factor)


def by_another(t, s):
    return np.sum(s * viscosity(t) + conductivity(t) ** 2)


def as_it_is(t, s):
    return np.sum((pressure(t) - s) / pressure(t))


def of_one_value(t, s):
    return np.sum(scaled(t, True) * s) + np.sum(scaled(t, True))


def of_two_values(t, s):
    return np.sum(scaled(t, True) * s) + np.sum(scaled(t, False))


CASES = [
    (by_another, "np.sin(", 1),
    (as_it_is, "np.exp(", 1),
    (of_one_value, "np.tanh(", 1),
    (of_two_values, "np.tanh(", 2),
]


@pytest.mark.parametrize(("f", "part", "times"), CASES)
def test_how_often_it_is_computed(f, part, times):
    t = T / 300
    text = gradgen.emit(f, shapes={"t": "n", "s": "n"})
    assert text.count(part) == times, text
    compare(f, (t, S))


def signs_of_zero(t, s):
    return np.sum(np.copysign(np.exp(t), 0.0) * s + 2 * np.copysign(np.exp(t), -0.0))


def test_the_two_zeros_are_two_constants():
    compare(signs_of_zero, (T / 300, S))
