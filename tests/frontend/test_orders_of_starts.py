"""What a reduction starts with is read behind its items, which may change it."""

import functools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


class Counting:
    def __init__(self, x):
        self.items, self.n = [x[0], x[1], x[2]], 0

    def held(self):
        self.n += 1
        return self.items

    def scaled(self, v):
        self.n += 1
        return v * self.n


def reduced(x):
    p = Counting(x)
    p.items[p.n % 3] = x[2]
    return functools.reduce(lambda a, b: a * b + 1.0, p.held(), p.scaled(x[0])) * p.n


def reduced_in_rounds(x):
    p = Counting(x)
    r = x[0]
    for _ in range(2):
        r = functools.reduce(
            lambda a, b: a * b + p.scaled(1.0), p.held(), p.scaled(x[0])
        )
    return r * p.n


def summed(x):
    p = Counting(x)
    return sum(p.held(), p.scaled(x[0])) * p.n


def summed_of_a_loop(x, k):
    p = Counting(x)
    for i in range(k):
        p.items.append(x[i] * i)
    return sum(p.held(), p.scaled(x[0])) * p.n + functools.reduce(
        lambda a, b: a + b * b, p.held(), p.scaled(x[1])
    )


@pytest.mark.parametrize(
    "function, more",
    [(reduced, ()), (reduced_in_rounds, ()), (summed, ()), (summed_of_a_loop, (2,))],
)
def test_against_differences(function, more):
    x = np.array([0.4, 1.1, 0.7])
    want = numeric_gradient(function, [x, *more], 0).value
    value, found = gradgen.value_and_grad(function)(x, *more)
    assert value == pytest.approx(function(x, *more))
    np.testing.assert_allclose(found, want, 1e-6)
    space = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(space["grad_" + function.__name__](x, *more), want, 1e-6)
