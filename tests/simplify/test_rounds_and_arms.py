"""What an arm alone has computed in a round is not read outside of the arm."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.4, 1.1, 0.7, 0.9])


def in_an_arm(x):
    total, y = 0.0, x
    for i in range(3):
        if i > 0:
            total = total + np.sum(np.sin(y) * y**2)
        y = y + 0.1 * np.cos(y)
    return total + np.sum(y)


def in_an_inner_loop(x):
    total, y = 0.0, x
    for i in range(3):
        for j in range(i):
            total = total + np.sum(np.sin(y) * y**2) * (j + 1)
        y = y + 0.1 * np.cos(y)
    return total + np.sum(y)


def in_the_round(x):
    total, y = 0.0, x
    for i in range(3):
        s = np.sin(y)
        if i > 0:
            total = total + np.sum(s * s * y)
        y = y + 0.1 * np.cos(y) * s
    return total + np.sum(y)


def with_a_test(x):
    total, y = 0.0, x
    for i in range(3):
        if np.sum(y) > 3 + i:
            e = np.exp(y)
            total = total + np.sum(e * e * y)
        y = y * 0.5 + 0.1 * np.exp(y)
    return total + np.sum(y)


@pytest.mark.parametrize("told", [{}, {"shapes": {"x": "n"}}])
@pytest.mark.parametrize(
    "function", [in_an_arm, in_an_inner_loop, in_the_round, with_a_test]
)
def test_the_gradient_is_right(function, told):
    names = {}
    exec(gradgen.emit(function, **told), names)
    want = numeric_gradient(function, [X], 0).value
    np.testing.assert_allclose(
        names[f"grad_{function.__name__}"](X), want, rtol=1e-6, atol=1e-9
    )
