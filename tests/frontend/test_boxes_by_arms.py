"""An array of rank 0 that was changed in place stays an array where arms meet."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient


def with_a_number(x, y):
    v = y
    v += x
    if y > 0.4:
        w = y
    else:
        w = x * 1.0
    w *= 2.0
    return x * w + y * x


def chosen(x, y):
    y += x
    w = y if y > 0.4 else x
    w *= np.sin(y)
    return x * w + y * x


def returned(x, y):
    def first(a, b):
        if b > 2.5:
            return b * 0.5
        return a

    y *= x + 1
    w = first(y, x)
    w += x
    return w * y


def of_rounds(x, y):
    w = x * 0.5
    for i in range(2):
        y *= x
        if i > 0:
            w = y
    w -= 0.5 * x
    return w + y * y


def both_changed(x, y):
    y += x
    w = y if y > 0.4 else x
    w *= x
    return w + y


FORMS = [with_a_number, chosen, returned, of_rounds, both_changed]
KINDS = [
    (float, np.array),
    (np.float64, np.array),
    (np.array, np.array),
    (float, float),
]
TOLD = [{}, {"x": "", "y": ""}, {"x": "", "y": ":array"}]


@pytest.mark.parametrize("function", FORMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("told", TOLD, ids=str)
def test_a_change_of_what_may_be_the_box_is_one_of_it(function, told):
    """w *= 2 changed y as well, and the text did not know."""
    for x, y in KINDS:
        args = [x(0.7), y(1.1)]
        measured = [a.astype(float) if isinstance(a, np.ndarray) else a for a in args]
        want = numeric_gradient(function, measured, 0).value
        try:
            found = gradgen.grad(function, "x", shapes=told)(*args)
        except GradgenError as error:
            assert error.code in ("GG233", "GG220")
            assert (x, y) != (float, float) or told
        else:
            assert abs(found - want) < 1e-6
