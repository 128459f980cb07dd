"""np.interp of knots that are not in order: NumPy's value is no interpolation."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

at = np.array([0.3, 0.7, 1.4])
heights = np.array([1.0, 5.0, 2.0, 3.0])


def of_places(x):
    return np.sum(np.interp(x, np.array([0.0, 2.0, 1.0, 0.5]), heights) ** 2)


def of_knots(x):
    return np.sum(np.interp(at, x, heights) ** 2)


def of_heights(x, xp):
    return np.sum(np.interp(at, xp, x, left=0.0) ** 2)


def text_of(function):
    space = {}
    exec(gradgen.emit(function), space)
    return space[f"grad_{function.__name__}"]


@pytest.mark.parametrize("take", [gradgen.grad, text_of])
def test_the_gradient_raises(take):
    wrong = np.array([0.0, 2.0, 1.0, 0.5])
    for function, args in [
        (of_places, (at,)),
        (of_knots, (wrong,)),
        (of_heights, (heights, wrong)),
    ]:
        refusal = gradgen.GradgenError if take is gradgen.grad else ValueError
        with pytest.raises(refusal, match="knots of np.interp out of order"):
            take(function)(*args)


@pytest.mark.parametrize("take", [gradgen.grad, text_of])
def test_knots_in_order_have_their_gradient(take):
    right = np.array([0.0, 0.5, 1.0, 2.0])
    for function, args in [(of_knots, [right]), (of_heights, [heights, right])]:
        want = numeric_gradient(function, args, 0).value
        np.testing.assert_allclose(take(function)(*args), want, rtol=1e-6, atol=1e-9)
