"""map over what is computed as it is gone through: its steps and calls alternate."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def over_a_generator(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(g, (g(v) for v in (1, 2, 3))))


def over_a_map(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(g, map(g, (1, 2, 3))))


def over_two_functions(x):
    y = x * 1.0

    def g(v):
        return v * y[0]

    def h(v):
        y[0] *= 1.1
        return v * 0.5

    return sum(map(g, (h(v) for v in (1, 2, 3))))


def over_two_generators(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(lambda p, q: p * q, (g(v) for v in (1, 2)), (g(v) for v in (1, 2))))


def pure(x):
    y = x * 1.0

    def g(v):
        return v * 0.5 + y[0] ** 2

    return sum(map(g, (v * y[1] for v in (1, 2, 3))))


def changed_by_the_function_alone(x):
    y = x * 1.0

    def g(v):
        y[0] *= 1.5
        return v * 0.5 + y[0]

    return sum(map(g, (v * 2 for v in (1, 2, 3))))


@pytest.mark.parametrize(
    "f", [over_a_generator, over_a_map, over_two_functions, over_two_generators]
)
def test_what_alternates_is_refused(f):
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.grad(f)(np.array([1.0, 2.0]))
    assert caught.value.code == "GG268"


@pytest.mark.parametrize("f", [pure, changed_by_the_function_alone])
def test_what_does_not_alternate_is_taken(f):
    x = np.array([1.0, 2.0])
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x), wanted, rtol=1e-6)
