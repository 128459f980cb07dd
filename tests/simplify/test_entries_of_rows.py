"""Entries of the adjoint of a row are added to the row, not to the array it stretches to."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.random.default_rng(5).normal(size=(3, 4))


def of_column_sums(x):
    return x.sum(axis=0)[1] + (x**2).sum()


def of_row_means(x):
    return np.sum(np.sin(x)) - 2 * np.mean(x, axis=1, keepdims=True)[2, 0]


def some_of_column_sums(x):
    return (x.sum(0)[1:3] * np.array([2.0, 3.0])).sum() + np.prod(x)


def of_the_whole_sum(x):
    return np.prod(x) + x.sum(keepdims=True)[0, 0]


def of_one_axis(x):
    return np.linalg.norm(x) - x.sum(axis=-1, keepdims=True)[0].sum()


def beside_a_number(x):
    return x.sum() + 3 * x.sum(axis=0)[2] + np.sum(x * x[::-1])


FUNCTIONS = [of_column_sums, of_row_means, some_of_column_sums]
FUNCTIONS += [of_the_whole_sum, of_one_axis, beside_a_number]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_entries_of_rows(function):
    want = numeric_gradient(function, [X], 0).value
    for told in ({}, {"x": "n m"}, {"x": "3 4"}):
        space = {}
        exec(gradgen.emit(function, shapes=told), space)
        got = space[f"grad_{function.__name__}"](X)
        np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-8)
    at_hand = gradgen.grad(function)(X)
    np.testing.assert_allclose(at_hand, want, rtol=1e-7, atol=1e-8)


def test_entries_of_vectors():
    def total(x):
        return np.prod(x) + x.sum(keepdims=True)[0]

    want = numeric_gradient(total, [X[0]], 0).value
    np.testing.assert_allclose(gradgen.grad(total)(X[0]), want, rtol=1e-7)
