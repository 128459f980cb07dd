# ruff: noqa: F841
"""Arms of which nothing is left but comments are no if."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def kept_from_either(x, mode="a", k=2):
    if x.shape[-1] == x.shape[0]:
        mode = "b"
    if isinstance(x, np.ndarray):
        k = 3
    elif np.size(x) > 3:
        x = x.T
    y = x * (2.0 if x.ndim == 1 else 3.0)
    return np.mean(y) * 2.0


def by_kind(x, n=1):
    # what is counted
    if isinstance(x, np.ndarray):
        n = 3  # not read
    else:
        n = 4  # not read either
    return np.sum(x * (2.0 if x.ndim == 1 else 3.0))


def by_either(x, flag=False):
    if flag:
        a = 1  # one
    elif np.ndim(x) > 1:
        a = 2  # two
    else:
        a = 3  # three
    y = np.sin(x) if flag else x
    return np.sum(y * y)


FUNCTIONS = [kept_from_either, by_kind, by_either]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_what_is_left_is_python(function):
    x = np.random.default_rng(3).normal(size=(3, 2))
    for text in (gradgen.emit(function), gradgen.emit(function, general=True)):
        space: dict = {}
        exec(text, space)
        want = numeric_gradient(function, (x,), 0).value
        found = space[f"grad_{function.__name__}"](x)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
