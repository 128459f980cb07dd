"""What is static in a call may stand before what is not, and need not have a default."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, 1.2, 0.7])


def count_first(n, a, b, kind="N", other=None):
    if kind == "N":
        return np.sum(np.sin(a * b)) * n
    return np.sum(a - b)


def function_first(f, a, b, order=2):
    return np.sum(f(a) * b) ** order


def option_between(a, how, b):
    return np.mean(a * b) if how == "mean" else np.sum(a * b**2)


def by_a_while(n, x, kind):
    total, i = 0.0, 0
    while i < n:
        total = total + np.sum(x**2) if kind == "square" else np.sum(x)
        i += 1
    return total


CASES = [
    (count_first, (5, X, X + 0.4), "a"),
    (count_first, (5, X, X + 0.4, "M"), "b"),
    (function_first, (np.tanh, X, X + 0.4), "a"),
    (option_between, (X, "mean", X + 0.4), "a"),
    (option_between, (X, "sum", X + 0.4), "b"),
    (by_a_while, (3, X, "square"), "x"),
]


@pytest.mark.parametrize("function, args, wrt", CASES)
def test_by_place(function, args, wrt):
    place = function.__code__.co_varnames.index(wrt)
    want = numeric_gradient(function, args, place)
    found = gradgen.grad(function, wrt=wrt)(*args)
    np.testing.assert_allclose(found, want.value, rtol=1e-6)
    names = function.__code__.co_varnames
    by_name = gradgen.grad(function, wrt=wrt)(**dict(zip(names, args)))
    np.testing.assert_allclose(by_name, want.value, rtol=1e-6)
