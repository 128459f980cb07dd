"""Classes whose __new__ gives no instance: numba's prange(n) is range(n)."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([0.3, 0.8, 1.4])


class prange:
    def __new__(cls, *args):
        return range(*args)


class Doubled:
    def __new__(cls, x):
        return np.asarray(x) * 2


class Chosen:
    def __new__(cls, x, k=1):
        if k == 1:
            return Doubled(x)
        return x * k


def over_rows(x):
    out = np.zeros(len(x))
    for i in prange(1, len(x)):
        out[i] = x[i] * x[i - 1]
    return np.sum(out**2)


def over_all(x):
    total = 0.0
    for i in prange(x.shape[0]):
        total += x[i] ** 3
    return total


def of_arrays(x):
    return np.sum(Chosen(x) ** 2 + Chosen(x, 3.0) ** 3)


class Plain:
    def __new__(cls, x):
        return object.__new__(cls)

    def __init__(self, x):
        self.x = x


class Filled:
    def __new__(cls, x):
        made = super().__new__(cls)
        made.x = x
        return made


def of_plain(x):
    return np.sum(Plain(x).x ** 2)


def of_filled(x):
    return np.sum(Filled(x).x ** 2)


@pytest.mark.parametrize("f", [over_rows, over_all, of_arrays])
def test_what_new_gives_is_what_the_call_gives(f):
    h = 1e-6
    wanted = [(f(X + e) - f(X - e)) / (2 * h) for e in h * np.eye(3)]
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-7, atol=1e-8)
    space = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](X)
    np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("f", [of_plain, of_filled])
def test_what_makes_an_instance_is_refused(f):
    with pytest.raises(GradgenError, match="GG270 .* has its own __new__"):
        gradgen.grad(f)(X)
