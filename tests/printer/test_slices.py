"""Slices that are no keys: in tests, behind `or`, compared."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def tested(x, s=None):
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


@pytest.mark.parametrize("form", [tested, behind_or, compared])
@pytest.mark.parametrize("rows", [slice(0, 2), slice(1, None), slice(None, None, -1)])
def test_a_slice_as_an_option(form, rows):
    x = np.random.default_rng(1).uniform(0.5, 1.0, (3, 4))
    want = numeric_gradient(lambda x: form(x, rows), [x], 0)
    gradient = gradgen.grad(form)
    np.testing.assert_allclose(gradient(x, rows), want.value, rtol=1e-6)
    again = numeric_gradient(lambda x: form(x, slice(0, 2)), [x], 0)
    np.testing.assert_allclose(gradient(x, slice(0, 2)), again.value, rtol=1e-6)
