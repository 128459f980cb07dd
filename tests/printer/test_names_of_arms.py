"""A test that an arm has named keeps its name while the gradient still reads it."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

STEPS = {"arctan": np.arctan, "same": lambda v: v, "cos": np.cos}
OTHERS = {"sin": np.sin, "square": np.square, "half": lambda v: 0.5 * v}


def then_a_test(x, mode="cos"):
    y = np.sin(x)
    y = STEPS[mode](y)
    y = y if y is not None else np.zeros(3)
    return np.sum(y) * x[0]


def then_a_test_of_numbers(x, mode="arctan"):
    y = STEPS[mode](np.sin(x))
    big = np.sum(y) > 0.2
    if big:
        y = y * y
    y *= x
    if big:
        y = y * 2
    return np.sum(y) * x[0]


def two_in_a_row(x, mode="cos", other="half"):
    y = STEPS[mode](np.sin(x))
    y = OTHERS[other](y * x)
    y = y if y is not None else np.zeros(3)
    return np.sum(y) * x[0]


def in_a_loop(x, mode="cos"):
    y = np.sin(x)
    for k in range(2):
        y = STEPS[mode](y * x[k])
        y = y if y is not None else np.zeros(3)
    return np.sum(y)


def kept_before_it_changes(x, limit=0.5):
    """What one arm alone has is kept under another name before y changes in place."""
    v = np.cos(x)
    y = v * 0.25
    for k in range(2):
        with np.errstate(all="ignore"):
            if y[0] * 0 + x[0] > limit:
                y = np.sin(y) + y
                y = y * v
                break
        for j in range(3):
            y[1] *= 1.5
            return np.sum(y)
    return np.sum(y)


FORMS = {
    kept_before_it_changes: [(0.5,), (0.9,)],
    then_a_test: [("cos",), ("same",), ("arctan",)],
    then_a_test_of_numbers: [("cos",), ("same",), ("arctan",)],
    two_in_a_row: [("cos", "half"), ("same", "sin"), ("arctan", "square")],
    in_a_loop: [("cos",), ("same",), ("arctan",)],
}


@pytest.mark.parametrize("function", FORMS, ids=lambda f: f.__name__)
def test_each_option_is_right(function):
    names: dict = {}
    exec(gradgen.emit(function), names)
    x = np.array([0.7, -0.4, 1.1])
    for options in FORMS[function]:
        want = numeric_gradient(lambda one: function(one, *options), [x], 0).value
        found = names[f"grad_{function.__name__}"](x, *options)
        np.testing.assert_allclose(found, want, rtol=1e-6, err_msg=str(options))
        found = gradgen.grad(function)(x, *options)
        np.testing.assert_allclose(found, want, rtol=1e-6, err_msg=str(options))
