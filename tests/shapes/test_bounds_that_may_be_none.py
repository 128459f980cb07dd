"""A slice whose bound may be None: x[:h] and x[h:] are then all of x both.

What nothing tells to be a number is not taken for one: neither are the two parts of
x stored one after the other, nor joined.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def left_out(x, h=None):
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2)


def told_by_nothing(x, h):
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2)


def a_number_by_default(x, h=1):
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2)


def in_three(x, h, k):
    return np.sum(np.sin(x[:h])) + np.sum(x[h:k] ** 2) + np.sum(x[k:] ** 3)


def by_two(x, h, k):
    return np.sum(np.sin(x[:h])) + np.sum(x[k:] ** 2)


def of_a_tuple(x, ends):
    h = ends[0]
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2) * ends[1]


def chosen(x, h, k):
    h = h if k is None else None
    return np.sum(np.sin(x[:h])) + np.sum(x[h:] ** 2)


ONE = [(None,), (0,), (1,), (-1,), (5,)]
TWO = [(None, None), (1, 2), (2, 1), (None, 1), (1, None), (-1, None)]
CASES = {
    left_out: ONE,
    told_by_nothing: ONE,
    a_number_by_default: ONE,
    in_three: TWO,
    by_two: TWO,
    chosen: TWO,
    of_a_tuple: [((None, 2.0),), ((1, 2.0),)],
}


@pytest.mark.parametrize("shapes", [{}, {"x": "n"}, None], ids=["none", "told", "call"])
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_each_bound(function, shapes):
    x = np.array([0.7, 0.4, 1.2])
    if shapes is None:
        derivative = gradgen.grad(function)
    else:
        names: dict = {}
        try:
            exec(gradgen.emit(function, "x", shapes=shapes), names)
        except gradgen.GradgenError as refusal:
            assert function in (of_a_tuple, chosen), refusal
            return
        derivative = names[f"grad_{function.__name__}"]
    for given in CASES[function]:
        want = numeric_gradient(lambda one: function(one, *given), [x], 0).value
        found = derivative(x, *given)
        np.testing.assert_allclose(
            found, want, rtol=1e-6, atol=1e-8, err_msg=str(given)
        )
