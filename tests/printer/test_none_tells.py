"""A None that one way of a branch gives to a key is assigned."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def as_key(x):
    a = None if np.sum(x) > 3 else 1
    return np.sum(x[a] ** 2)


def in_a_key(x):
    if np.sum(x) > 3:
        a = None
    else:
        a = 0
    return np.sum(np.sin(x[a, ...]))


def in_a_round(x):
    total = 0.0
    for i in range(3):
        a = None if i == 1 else i
        total = total + np.sum(x[a] ** (i + 1))
    return total


@pytest.mark.parametrize("function", [as_key, in_a_key, in_a_round])
@pytest.mark.parametrize("x", [np.array([0.2, 0.7, 1.3]), np.array([1.7, 0.3, 2.2])])
def test_none_is_assigned(function, x):
    expected = numeric_gradient(function, (x,), 0).value
    space = {}
    exec(gradgen.emit(function), space)
    for gradient in (gradgen.grad(function), space[f"grad_{function.__name__}"]):
        np.testing.assert_allclose(gradient(x), expected, atol=1e-7)
