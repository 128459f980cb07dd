"""What the way back hands to its next round, or leaves a branch with, as it stands.

With a seed of 1 the adjoint of `a * v` is v itself, a variable of the primal's round.
"""

import collections

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.scopes import watched

X = np.array([0.3, -1.2, 0.7, 2.1, -0.4])


def delayed(x):
    q = collections.deque([0.0, 0.0], maxlen=2)
    t = 0.0
    for v in x:
        t += q[0] * v
        q.append(v * v)
    return t


def neighbours(x):
    last, t = 0.0, 0.0
    for v in x:
        w = np.sin(v)
        t += last * w
        last = w
    return t


def three_back(x):
    a = b = c = 1.0
    t = 0.0
    for v in x:
        w = v * 2
        t += a * w
        a, b, c = b, c, w
    return t


def of_an_arm(x):
    last, t = 0.5, 0.0
    for v in x:
        if v > 0:
            w = np.exp(v)
            t += last * w
        else:
            w = v * v
            t += last * 3
        last = w
    return t


def rows(x):
    last, t = np.zeros(5), 0.0
    for k in range(3):
        r = np.cos(x * k)
        t += np.sum(last * r)
        last = r
    return t


@pytest.mark.parametrize(
    "function",
    (delayed, neighbours, three_back, of_an_arm, rows),
    ids=lambda f: f.__name__,
)
def test_it_is_the_value_of_that_round(function):
    want = numeric_gradient(function, (X,), 0).value
    with watched() as out_of_place:
        jacobian = gradgen.jacobian(function)(X)
        gradient = gradgen.grad(function)
        product = gradgen.hvp(function)(X, X[::-1].copy())
        got = gradient(X)
    assert not out_of_place
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(jacobian, want, rtol=1e-6, atol=1e-8)

    def slope(h):
        return (gradient(X + h * X[::-1]) - gradient(X - h * X[::-1])) / (2 * h)

    second = (4 * slope(5e-4) - slope(1e-3)) / 3
    np.testing.assert_allclose(product, second, rtol=1e-6, atol=1e-6)
