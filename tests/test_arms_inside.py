"""Derivatives inside a function of what branches: an arm's own values, read again later.

The gradient of y = k * p in p is k, which is a variable of the arm that was taken; what
is made of that gradient is differentiated in k as well.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(11)


def product(x):
    p = np.sum(x * x)
    if x[1] > 0.3:
        k = np.sin(x[0])
        p = k * p
    return p


def arrays(x):
    p = x * 1.0
    if x[1] > 0.3:
        q = np.sin(x)
        p = q * p * q[0]
    else:
        p = np.cos(p)
    return np.sum(p * p)


def nested(x):
    p = x * 1.0
    if x[1] > 0.3:
        q = np.sin(x)
        if x[2] < 0.5:
            w = np.exp(x[0]) * q
            p = w * p * q[0]
        else:
            p = p * q
    return np.sum(p * p)


def rounds(x):
    p = x * 1.0
    for i in range(3):
        if x[i] > 0.3:
            q = np.sin(x[i] * p[0])
            p = q * p * x[0]
        else:
            r = p * p
            p = np.cos(r * p)
    return np.sum(p * p)


def last_round(x):
    for i in range(len(x)):
        p = np.sum(x[i] ** 2)
    if x[1] < 0.8:
        p = x[0] * p
    return p


def until(x):
    p = x[0] * 1.0
    while p < 3:
        if p > 1:
            q = x[1] * p
            p = p + q * q + 0.2
        else:
            p = p * 1.5 + x[2] ** 2 + 0.5
    return p


def by_grad(f):
    def outer(x):
        return np.sum(np.tanh(gradgen.grad(f)(x)))

    return outer


def by_value_and_grad(f):
    def outer(x):
        y, g = gradgen.value_and_grad(f)(x)
        return y * np.sum(np.tanh(g))

    return outer


def by_jvp(f):
    def outer(x):
        y, t = gradgen.jvp(f)(x, np.cos(x))
        return y * np.sum(np.tanh(t))

    return outer


@pytest.mark.parametrize("made", [by_grad, by_value_and_grad, by_jvp])
@pytest.mark.parametrize("f", [product, arrays, nested, rounds, last_round, until])
def test_values_of_an_arm_have_their_part(f, made):
    outer = made(f)
    for x in (RNG.uniform(0.4, 0.9, 4), RNG.uniform(-0.6, 0.25, 4)):
        found = gradgen.grad(outer)(x.copy())
        want = numeric_gradient(outer, [x], 0).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
