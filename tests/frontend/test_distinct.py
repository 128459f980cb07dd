"""np.unique with the places, the first ones and the counts of what it finds."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -1.2, 0.7, 2.1, -0.4])
GROUPS = np.array([7, 2, 7, 4, 2])
TIMES = np.array([0.5, 0.1, 0.5, 0.1, 0.9])


def means(x, g):
    u, inverse, counts = np.unique(g, return_inverse=True, return_counts=True)
    sums = np.zeros(len(u))
    np.add.at(sums, inverse, x)
    return np.sum((sums / counts) ** 2)


def weighted(x, g):
    u, inverse = np.unique(g, return_inverse=True)
    return np.sum(np.bincount(inverse, weights=x) ** 2 * u)


def firsts(x, g):
    u, first = np.unique(g, return_index=True)
    return np.sum(x[first] ** 2) * u[-1]


def counted(x, g):
    u, n = np.unique(g, return_counts=True)
    return np.sum([np.sum(x[g == v]) ** 2 * k for v, k in zip(u, n)])


def all_of_it(x, g):
    u, first, inverse, n = np.unique(
        g, return_counts=True, return_index=True, return_inverse=True
    )
    return np.sum(x[first] * n) ** 2 + np.sum(u[inverse] * x)


@pytest.mark.parametrize("function", (means, weighted, firsts, counted, all_of_it))
@pytest.mark.parametrize("g", (GROUPS, TIMES, GROUPS[::-1], GROUPS[:1].repeat(5)))
def test_it_is_what_numpy_finds(function, g):
    want = numeric_gradient(function, (X, g), 0).value
    value, got = gradgen.value_and_grad(function)(X, g)
    space: dict = {}
    exec(gradgen.emit(function), space)
    np.testing.assert_allclose(value, function(X, g), rtol=1e-14)
    for found in (got, space[f"grad_{function.__name__}"](X, g)):
        assert found.shape == X.shape
        np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-8)


def places_of_a_matrix(x, g):
    u, inverse = np.unique(g, return_inverse=True)
    return np.sum(x[inverse] ** 2) * len(u)


@pytest.mark.skipif(np.__version__.startswith("1."), reason="NumPy 1 made them flat")
def test_places_have_the_shape_of_the_array():
    g = np.array([[3, 1, 3], [2, 2, 1]])
    want = numeric_gradient(places_of_a_matrix, (X, g), 0).value
    got = gradgen.grad(places_of_a_matrix)(X, g)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-8)


def test_of_what_varies_it_is_refused():
    def f(x):
        u, n = np.unique(x, return_counts=True)
        return np.sum(u * n)

    with pytest.raises(gradgen.GradgenError, match="np.unique"):
        gradgen.grad(f)(X)
