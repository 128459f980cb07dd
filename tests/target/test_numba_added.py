"""What is added at places that may repeat, in a loop, for numba."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.target.numba_texts import function_of


def gathered(x, places, steps):
    y = x * 1.0
    for t in range(steps):
        y = y[places] + x
    return np.sum(y * y)


def gathered_and_scaled(x, places, steps):
    y = np.sin(x)
    for t in range(steps):
        y = y[places] * x + 0.5 * y
    return np.sum(y**3)


PROGRAMS = (gathered, gathered_and_scaled)
ARGS = np.arange(5.0) + 0.1, np.array([0, 2, 2, -1, 3]), 3


def text_of(function):
    told = {"x": "n", "places": "n:int", "steps": ":int"}
    return gradgen.emit(function, "x", shapes=told, target="numba")


def check(got, function):
    want = numeric_gradient(function, ARGS, 0, 1.0).value
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_as_python(function):
    assert "np.add.at" not in text_of(function)
    check(function_of(text_of(function))(*ARGS), function)


@pytest.mark.libraries
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_compiled(function):
    pytest.importorskip("numba")
    check(function_of(text_of(function), compiled=True)(*ARGS), function)
    check(gradgen.grad(function, wrt="x", target="numba")(*ARGS), function)


@pytest.mark.libraries
def test_a_place_outside_is_told():
    pytest.importorskip("numba")
    derivative = function_of(text_of(gathered), compiled=True)
    with pytest.raises(IndexError):
        derivative(ARGS[0], np.array([0, 1, 2, 3, 7]), 2)
