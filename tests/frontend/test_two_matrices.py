"""Eigenvalues of one symmetric matrix with respect to another; what surely raises."""

import numpy as np
import pytest
import scipy.linalg
from scipy.linalg import eigh, eigvalsh

import gradgen
from gradgen.errors import GradgenError
from tests.both_doors import compare

X = np.array([0.3, 0.8, 1.4])
FACTORS = np.array([0.5, 1.0, -2.0])


def matrices(x):
    a = np.outer(x, x) + np.diag([1.0, 2.0, 4.0])
    return a, np.diag(x**2 + 1) + 0.1 * np.outer(x, x)


def by_eigh(x):
    a, b = matrices(x)
    return np.sum(eigh(a, b, eigvals_only=True) ** 2 * FACTORS)


def by_eigvalsh(x):
    a, b = matrices(x)
    return np.sum(np.log(scipy.linalg.eigvalsh(a, b=b, lower=False)) ** 2)


def distance(x):
    a, b = matrices(x)
    found = eigvalsh(b, a)
    if np.any(found <= 0):
        raise ValueError("no distance")
    return float(np.sqrt(np.sum(np.log(found) ** 2)))


@pytest.mark.parametrize("f", [by_eigh, by_eigvalsh, distance])
def test_eigenvalues(f):
    compare(f, (X,))


def by_vectors(x):
    a, b = matrices(x)
    values, vectors = eigh(a, b)
    return np.sum(values * vectors[0])


def by_vectors_at_once(x):
    return np.sum(eigh(*matrices(x))[1] ** 2)


def never(x):
    raise ValueError("not yet")


def by_what_raises(x):
    return np.sum(never(x))


def as_it_raises(x):
    return never(x)


@pytest.mark.parametrize(
    "f, told",
    [
        (by_vectors, "no gradient for eigenvectors of two matrices"),
        (by_vectors_at_once, "no gradient for eigenvectors of two"),
        (by_what_raises, "this surely raises ValueError: not yet"),
        (as_it_raises, "as_it_raises surely raises ValueError: not yet"),
    ],
)
def test_what_surely_raises_is_named(f, told):
    for made in (lambda: gradgen.grad(f)(X), lambda: gradgen.emit(f)):
        with pytest.raises(GradgenError, match=told):
            made()
