"""Functions of NumPy's that are read as what they put together: polyfit, unravel_index."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

TIMES = np.linspace(0.0, 1.0, 6)


def slope(x):
    return np.polyfit(TIMES, x, 1)[0] * 2


def curve(x):
    fitted = np.polyfit(x, x**2 + np.sin(x), 2)
    return np.sum(np.polyval(fitted, TIMES) ** 2)


def weighted(x):
    p, q = np.polyfit(TIMES, np.log(x), 1, w=np.exp(-x))
    return np.exp(q) * p


def columns(x):
    return np.sum(np.polyfit(TIMES, np.stack([x, x**2], axis=1), 2) ** 2)


def largest(x):
    table = np.outer(x, np.sin(x))
    i, j = np.unravel_index(np.argmax(table), table.shape)
    return table[i, j] * x[i]


def least(x):
    table = np.multiply.outer(np.outer(x, x), x + 1)
    place = np.unravel_index(table.argmin(), table.shape)
    return table[place] ** 2


X = np.array([0.31, 1.42, 0.77, 1.13, 0.58, 0.94])


@pytest.mark.parametrize("f", [slope, curve, weighted, columns, largest, least])
def test_a_call_and_a_text_have_the_derivative(f):
    want = numeric_gradient(f, (X,), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X), want, rtol=1e-6, atol=1e-8)
    space: dict = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](X)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def test_the_value_is_numpys():
    value, _ = gradgen.value_and_grad(curve)(X)
    np.testing.assert_allclose(value, curve(X), rtol=1e-12)


def test_more_than_the_coefficients_is_refused():
    def f(x):
        return np.sum(np.polyfit(TIMES, x, 1, cov=True)[1])

    with pytest.raises((GradgenError, NotImplementedError)):
        gradgen.grad(f)(X)
