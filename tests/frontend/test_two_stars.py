"""Calls with two starred arguments, of which one is written out: f(*params, *[x])."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def decay(a, b, c, t):
    return a * np.exp(-b * t) + c


def last(params, t, y):
    return np.sum((decay(*params, *[t]) - y) ** 2)


def between(params, t, y):
    return np.sum((decay(*(params[0],), *params[1:3], *(t,)) - y) ** 2)


def first(params, t, y):
    return np.sum((np.multiply(*[t], *params[:1]) - y) ** 2)


ARGS = (
    np.array([1.5, 0.7, 0.2]),
    np.linspace(0.1, 2.0, 5),
    np.linspace(1.0, 0.3, 5),
)


@pytest.mark.parametrize("f", [last, between, first])
@pytest.mark.parametrize("door", ["text", "call", "example"])
def test_the_gradient_is_that_of_differences(f, door):
    if door == "call":
        found = gradgen.grad(f)(*ARGS)
    else:
        space: dict = {}
        exec(gradgen.emit(f, example=ARGS if door == "example" else None), space)
        found = space[f"grad_{f.__name__}"](*ARGS)
    want = numeric_gradient(f, ARGS, 0, 1.0).value
    np.testing.assert_allclose(found, want, rtol=1e-7)
