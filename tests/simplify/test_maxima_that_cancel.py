"""The maximum in a logsumexp has no gradient, with a temperature and by rows as well."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.random.default_rng(3).normal(size=(3, 4))


def of_numbers(x, g):
    top = x.max()
    return top + g * np.log(np.sum(np.exp((x - top) / g)))


def named(x, g):
    top = np.max(x)
    e = np.exp((x - top) / g)
    return top + g * np.log(e.sum())


def by_rows(X, g):
    top = X.max(axis=1, keepdims=True)
    e_sum = np.sum(np.exp((X - top) / g), axis=1, keepdims=True)
    return np.sum(top + g * np.log(e_sum))


def by_rows_of_vectors(X, g):
    top = X.max(axis=1)
    return np.sum(top + g * np.log(np.sum(np.exp((X - top[:, None]) / g), axis=1)))


def weighted(X, g):
    top = X.max(axis=1)
    lse = top + g * np.log(np.sum(np.exp((X - top[:, None]) / g), axis=1))
    return np.sum(lse**2)


FUNCTIONS = [of_numbers, named, by_rows, by_rows_of_vectors, weighted]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_trace_of_the_maximum_is_left(function):
    x = X[0] if function in (of_numbers, named) else X
    name = function.__code__.co_varnames[0]
    shapes = {name: "n" if x.ndim == 1 else "n m", "g": ""}
    text = gradgen.emit(function, shapes=shapes)
    assert "hits" not in text
    names = {}
    exec(text, names)
    want = numeric_gradient(function, [x, 0.7], 0).value
    found = names[f"grad_{function.__name__}"](x, 0.7)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def kept(X, g):
    """The maximum counts: it is divided by g twice."""
    top = X.max(axis=1)
    return np.sum(top / g + np.log(np.sum(np.exp((X - top[:, None]) / g), axis=1)) * g)


def test_where_it_counts_it_stays():
    text = gradgen.emit(kept, shapes={"X": "n m", "g": ""})
    names = {}
    exec(text, names)
    want = numeric_gradient(kept, [X, 0.7], 0).value
    np.testing.assert_allclose(names["grad_kept"](X, 0.7), want, rtol=1e-6)
    assert "hits" in text
