"""Statements behind a jump, as if they were not there."""

import numpy as np
import pytest

import gradgen
from tests.frontend.measured import X, is_right


def halved(x):
    return x / 2
    return x**3


def _refusing(x):
    raise ValueError("never taken")
    return x


def first(x):
    if x.ndim == 1:
        return np.sin(x)
        x = x**2
    else:
        _refusing(x)
        return x
    return x**3


def of_a_loop(x):
    for k in range(3):
        x = x * 1.5
        if k == 1:
            break
            x = x**4
        continue
        x = x**5
    return x


def stub(x):
    return np.sum(x**3)
    raise NotImplementedError("write this one")


def halved_itself(x):
    y = np.sum(x) / 2
    return y * x[0]
    y, z = x
    z[0] = y


def in_rounds(x):
    total = 0.0
    for k in range(3):
        total = total + np.sum(x) * k
        continue
        total = total * x
    return total
    while True:
        x = x


def by_halves(x):
    return np.sum(halved(x) ** 2)


def by_the_first(x):
    return np.sum(first(x) ** 2)


def by_a_loop(x):
    return np.sum(of_a_loop(x) ** 2)


@pytest.mark.parametrize(
    "f", [by_halves, by_the_first, by_a_loop, stub, halved_itself, in_rounds]
)
def test_the_derivative(f):
    is_right(f, X)
    space: dict = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](X)
    np.testing.assert_allclose(found, gradgen.grad(f)(X), rtol=1e-12)
