"""Statements behind a jump, in a function that is called: as if they were not there."""

import numpy as np
import pytest

import gradgen
from tests.frontend.measured import X, is_right


def halved(x):
    return x / 2
    return x**3


def _refusing(x):
    raise ValueError("never taken")
    return x


def first(x):
    if x.ndim == 1:
        return np.sin(x)
        x = x**2
    else:
        _refusing(x)
        return x
    return x**3


def of_a_loop(x):
    for k in range(3):
        x = x * 1.5
        if k == 1:
            break
            x = x**4
        continue
        x = x**5
    return x


def by_halves(x):
    return np.sum(halved(x) ** 2)


def by_the_first(x):
    return np.sum(first(x) ** 2)


def by_a_loop(x):
    return np.sum(of_a_loop(x) ** 2)


@pytest.mark.parametrize("f", [by_halves, by_the_first, by_a_loop])
def test_the_derivative(f):
    is_right(f, X)
    space: dict = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](X)
    np.testing.assert_allclose(found, gradgen.grad(f)(X), rtol=1e-12)


def test_the_function_itself_is_told_of_them():
    with pytest.raises(gradgen.GradgenError) as caught:
        gradgen.emit(halved)
    assert caught.value.code == "GG110"
