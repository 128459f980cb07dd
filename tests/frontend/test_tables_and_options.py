"""Long tables around a function, members of NumPy's enums, ndmin=, numpy.polynomial."""

import sys

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

TABLE = {i: 0.5 * i for i in range(500)}


def item_of_a_long_table(x):
    return np.sum(x**2) * TABLE[7]


def no_item_of_a_long_table(x):
    try:
        rate = TABLE["none"]
    except KeyError:
        rate = 3.0
    return np.sum(x**2) * rate


def _is_of(cls, module, name):
    try:
        found = sys.modules[module]
    except KeyError:
        return False
    return issubclass(cls, getattr(found, name))


def of_a_module_that_is_loaded(x):
    return np.sum(x**2) * (7 if _is_of(type(x), "numpy", "ndarray") else 5)


def of_a_module_that_is_not(x):
    return np.sum(x**2) * (7 if _is_of(type(x), "no_such_module", "Array") else 5)


def copied_if_needed(x):
    return np.sum(np.array(x, copy=np._CopyMode.IF_NEEDED) ** 2)


def always_copied(x):
    y = np.array(x, copy=np._CopyMode.ALWAYS)
    y *= 2
    return np.sum(y * x)


def of_one_axis_at_least(x):
    return np.sum(np.array(x[0], ndmin=1) ** 2)


def of_two_axes_at_least(x):
    return np.sum(np.array(x, ndmin=2, dtype=float) @ np.ones((4, 2)))


def of_a_polynomial(c):
    return np.polynomial.polynomial.polyval(0.7, c)


def of_chebyshev_polynomials(c):
    return np.sum(np.polynomial.chebyshev.chebval(np.array([0.2, 0.7]), c))


def of_legendre_polynomials(c):
    return np.polynomial.legendre.legval(0.7, c) ** 2


def of_hermite_polynomials_in_their_place(x):
    return np.sum(np.polynomial.hermite.hermval(x, np.array([1.0, 0.5, 0.2])))


def of_laguerre_polynomials(c):
    return np.polynomial.laguerre.lagval(0.7, c)


@pytest.mark.parametrize(
    "f",
    [
        item_of_a_long_table,
        no_item_of_a_long_table,
        of_a_module_that_is_loaded,
        of_a_module_that_is_not,
        copied_if_needed,
        always_copied,
        of_one_axis_at_least,
        of_two_axes_at_least,
        of_a_polynomial,
        of_chebyshev_polynomials,
        of_legendre_polynomials,
        of_hermite_polynomials_in_their_place,
        of_laguerre_polynomials,
    ],
)
def test_value_and_gradient(f):
    x = np.array([1.1, 0.7, 1.3, 0.4])
    value, gradient = gradgen.value_and_grad(f)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-12)
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-9)


def test_an_item_that_changes_makes_another_text(monkeypatch):
    g = gradgen.grad(item_of_a_long_table)
    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(g(x), 7 * x)
    monkeypatch.setitem(TABLE, 7, 1.0)
    np.testing.assert_array_equal(g(x), 2 * x)
