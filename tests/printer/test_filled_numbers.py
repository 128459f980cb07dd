"""x *= 2 stays an array of rank 0 where the primal stores into it afterwards."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -1.2, 0.7, 2.1])


def by_dots(x):
    y = np.array(x[0])
    y *= 2
    y[...] += x[1]
    return y**2


def by_nothing(x):
    y = np.array(x[0])
    y -= x[1]
    y[()] += 1
    y /= x[2]
    y[...] *= y
    return y


def in_a_loop(x):
    t = np.array(1.0)
    for v in x:
        t *= v
        if v > 0:
            t[...] = t + 1
    return t


def under_two_names(x):
    y = np.asarray(np.full((), x[0]))
    z = y
    z *= x[1]
    y[y > -9.0] = y * z
    return y + z


def of_what_may_have_axes(x):
    y = np.array(x)
    y *= y
    y += 1.0
    y[...] = y * x
    return np.sum(y)


FUNCTIONS = [by_dots, by_nothing, in_a_loop, under_two_names, of_what_may_have_axes]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_filled_numbers(function):
    want = numeric_gradient(function, [X], 0).value
    for told in ({}, {"x": "n"}):
        for options in ({}, {"guard": True}, {"value": True}):
            space = {}
            exec(gradgen.emit(function, shapes=told, **options), space)
            prefix = "value_and_grad_" if options == {"value": True} else "grad_"
            got = space[prefix + function.__name__](X)
            if options == {"value": True}:
                assert got[0] == function(X)
                got = got[1]
            np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    value, got = gradgen.value_and_grad(function)(X)
    assert value == function(X)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def test_of_a_number():
    for x in (np.array(0.7), np.float64(0.7)):
        want = 3 * 0.7**2 + 1  # of x * (x * x + 1)
        got = gradgen.grad(of_what_may_have_axes)(x)
        np.testing.assert_allclose(got, want, rtol=1e-12)
