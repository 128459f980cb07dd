"""Targets that are multiplied by a matrix are vectors, whatever is summed by rows."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(8)


def penalised(X, s, lam, y):
    z = y @ X
    return np.sum(z, axis=0) - lam / 2 * s


def summed(X, y):
    return np.sum(y @ X, axis=0)


def averaged(X, target):
    return np.mean(np.tanh(target @ X), axis=0)


def of_weights(X, w):
    return np.sum(w @ X, axis=0) ** 2


def of_rows(B, a):
    return np.sum(np.mean(a @ B, axis=0) ** 2)


@pytest.mark.parametrize("function", [penalised, summed, averaged, of_weights])
def test_a_vector_on_the_left(function):
    space = {}
    text = gradgen.emit(function, wrt=function.__code__.co_varnames[:1])
    exec(text, space)
    args = [RNG.normal(size=(4, 3))] + [0.7, 0.5] * (function is penalised)
    args.append(RNG.normal(size=4))
    want = numeric_gradient(function, args, 0).value
    found = space["grad_" + function.__name__](*args)
    np.testing.assert_allclose(np.asarray(found).reshape(4, 3), want, 1e-6, 1e-9)


def test_what_has_rows_by_another_name():
    assert re.search("a is a matrix", gradgen.emit(of_rows, wrt="B"))
