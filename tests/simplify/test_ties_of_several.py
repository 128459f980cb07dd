"""Several choices of the same two operands: what is squared of one is not of the others."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def asymmetric(x, n):
    return np.sum(np.maximum(x, 0) ** 2) + np.sum(np.minimum(x, 0))


def both_squared(x, n):
    return np.sum(np.maximum(x, 0) ** 2) + np.sum(np.minimum(x, 0) ** 3)


def squared_and_not(x, n):
    return np.sum(np.maximum(x, 0) ** 2) + np.sum(np.maximum(x, 0))


def of_two_names(x, n):
    a = np.maximum(x, 0.0)
    b = np.maximum(x, 0)
    return np.sum(a * a) + np.sum(np.sin(b))


def with_clip(x, n):
    return np.sum(np.maximum(x, 0) ** 2) + np.sum(np.clip(x, 0, None))


def unread_where_it_raises(x, n):
    if n == 3:
        y = np.maximum(x, 0)
        raise KeyError(f"{n} of {y}")
    return np.sum(np.maximum(x, 0))


def dropped_where_it_raises(x, n):
    y = x * 2
    for _ in range(2):
        if n == 3:
            y = np.maximum(y, 0)
            raise KeyError(n)
        elif n != 1:
            y = np.maximum(y, 0)
        else:
            raise ValueError(n)
    return np.sum(y)


def squared_where_it_raises(x, n):
    if n == 3:
        y = np.maximum(x, 0) ** 2
        raise KeyError(y)
    return np.sum(np.maximum(x, 0))


def unread_in_an_arm(x, n):
    y = x
    if n == 3:
        y = np.minimum(x, 0)
    return np.sum(np.maximum(x, 0)) + 0 * np.size(y)


FUNCTIONS = (
    asymmetric,
    both_squared,
    squared_and_not,
    of_two_names,
    with_clip,
    unread_where_it_raises,
    dropped_where_it_raises,
    squared_where_it_raises,
    unread_in_an_arm,
)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_measured(f):
    x = np.array([-0.7, 0.3, 1.2, -2.1])
    want = numeric_gradient(f, (x, 0), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(x, 0), want, rtol=1e-6, atol=1e-9)
    for told in ({}, {"x": "n", "n": ""}):
        space: dict = {}
        exec(gradgen.emit(f, shapes=told), space)
        found = space[f"grad_{f.__name__}"](x, 0)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
    tangent = np.array([0.4, -1.1, 0.6, 0.2])
    _, slope = gradgen.jvp(f)(x, 0, tangent)
    np.testing.assert_allclose(slope, want @ tangent, rtol=1e-6)
