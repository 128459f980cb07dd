"""match on parameters with defaults, and on what such a name is bound to later."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([0.5, 0.8, 1.7, -0.6])


def rebound(x, p=(1.0, 2.0)):
    p = x[:2]
    match p:
        case [a, b]:
            return a * b * x[3]
        case _:
            return np.sum(x**2)


def in_a_loop(x, p=(1.0, 2.0)):
    for p in [x[:2]]:
        match p:
            case [a, b]:
                return a * b * x[3]
            case _:
                return np.sum(x**2)


def computed(x, p=(1.0, 2.0)):
    p = np.asarray(p) * x[0]
    match p:
        case [a, b]:
            return a * b * x[3]
        case _:
            return np.sum(x**2)


def in_a_function(x, p=(1.0, 2.0)):
    def g(p):
        match p:
            case [a, b]:
                return a * b * x[3]
            case _:
                return np.sum(x**2)

    return g(x[:2]) + g(p)


def kept(x, p=(1.0, 2.0)):
    match p:
        case [a, b]:
            return a * b * x[3]
        case _:
            return np.sum(x**2)


@pytest.mark.parametrize("f", [rebound, in_a_loop, computed, in_a_function, kept])
def test_a_pattern_asks_what_the_name_holds(f):
    want = numeric_gradient(f, [X], 0)
    found = gradgen.grad(f, "x")(X)
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)


def in_a_branch(x, p=(1.0, 2.0)):
    if x[0] > 0:
        p = x[:2]
    match p:
        case [a, b]:
            return a * b * x[3]
        case _:
            return np.sum(x**2)


def test_one_or_the_other_is_refused():
    with pytest.raises(GradgenError, match="GG262"):
        gradgen.grad(in_a_branch, "x")(X)


def starred(*rows, scale=2.0):
    return scale * np.sum(rows[0] * rows[1])


@pytest.mark.parametrize(
    "function",
    [
        functools.partial(np.einsum, "i,i->"),
        functools.partial(np.einsum, "i,i->", optimize=False),
        functools.partial(starred, scale=3.0),
    ],
)
def test_partial_functions_of_any_number_of_arguments(function):
    """The head has one star: *operands, optimize=False."""
    want = numeric_gradient(function, [X, X * 2], 0)
    found = gradgen.grad(function)(X, X * 2)
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)
