"""Slices that are no keys: in tests, behind `or`, compared."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def asked(x, s=None):
    y = np.sum(x, axis=0)
    if s:
        y = y[s]
    return np.sum(y**2)


def behind_or(x, s=None):
    rows = s or slice(0, 2)
    return np.sum(x[rows] ** 2)


def compared(x, s=None):
    if s == slice(0, 2):
        return np.sum(x**2)
    return np.sum(x[s] ** 3)


@pytest.mark.parametrize("form", [asked, behind_or, compared])
@pytest.mark.parametrize("rows", [slice(0, 2), slice(1, None), slice(None, None, -1)])
def test_a_slice_as_an_option(form, rows):
    x = np.random.default_rng(1).uniform(0.5, 1.0, (3, 4))
    want = numeric_gradient(lambda x: form(x, rows), [x], 0)
    gradient = gradgen.grad(form)
    np.testing.assert_allclose(gradient(x, rows), want.value, rtol=1e-6)
    again = numeric_gradient(lambda x: form(x, slice(0, 2)), [x], 0)
    np.testing.assert_allclose(gradient(x, slice(0, 2)), again.value, rtol=1e-6)


def by_the_sign(x):
    s = slice(None, 2) if x[0] > 0 else slice(1, 3)
    return np.sum(x[s] ** 2)


def turned_by_the_sign(x):
    s = slice(0, 2)
    if x[1] < 0:
        s = slice(None, None, -1)
    return np.sum(x[s] * np.arange(1.0, len(x[s]) + 1))


def a_bound(x):
    a = None if x[0] > 0 else 1
    return np.sum(x[a:] ** 2)


def in_a_tuple(x):
    t = (slice(None, 2), 1.0) if x[0] > 0 else (slice(1, 3), 2.0)
    return np.sum(x[t[0]] ** 2) * t[1]


def in_a_loop(x):
    s = slice(0, 2)
    for i in range(3):
        s = slice(None, 3) if i > 1 else s
    return np.sum(x[s] ** 2)


def by_a_function(x):
    def pick(v):
        if v > 0:
            return slice(None, 2)
        return slice(0, 3)

    return np.sum(x[pick(x[0])] ** 2)


@pytest.mark.parametrize(
    "form",
    [by_the_sign, turned_by_the_sign, a_bound, in_a_tuple, in_a_loop, by_a_function],
)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_slice_by_a_branch_on_numbers(form, sign):
    """None is a bound like a number: it is there on every way."""
    x = sign * np.array([0.7, 1.3, -0.4, 0.9])
    want = numeric_gradient(form, [x], 0)
    np.testing.assert_allclose(gradgen.grad(form)(x), want.value, rtol=1e-6, atol=1e-9)
