"""Functions as arguments: whether there is one, and which a table has for a class."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.7, 0.4, 1.3])


def either(x, f=np.tanh, g=None):
    return np.sum((g or f)(x))


def unless(x, g=None):
    if not g:
        return np.sum(x)
    return np.sum(g(x))


def both(x, g=None):
    return np.sum(g(x)) if g and callable(g) else np.prod(x)


def first_of(x, g=None, k=None):
    return np.sum((g if g else k or np.cos)(x))


def square(v):
    return v * v


GIVEN = {
    either: [(), (np.sin,), (np.sin, np.exp), (square, None)],
    unless: [(), (np.exp,), (square,)],
    both: [(np.exp,), (), (square,)],
    first_of: [(np.exp,), (), (None, np.sin), (square, np.sin)],
}


@pytest.mark.parametrize("function", GIVEN)
def test_whether_there_is_one(function):
    gradient, pull = gradgen.grad(function), gradgen.vjp(function)
    for given in GIVEN[function]:
        want = numeric_gradient(lambda x: function(x, *given), [X], 0).value
        for got in (gradient(X, *given), pull(X, *given)[1](1.0)):
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def by_class(x):
    return {float: lambda v: v**2, np.ndarray: lambda v: np.sum(v**3)}[type(x)](x)


def test_a_table_of_classes():
    np.testing.assert_allclose(gradgen.grad(by_class)(X), 3 * X**2)
    with pytest.raises(gradgen.GradgenError, match="GG244"):
        gradgen.grad(by_class)(0.7)
    with pytest.raises(gradgen.GradgenError, match="GG244"):
        gradgen.emit(by_class)
