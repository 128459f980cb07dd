"""Densities through a Cholesky factor: their own formula, held against differences."""

import numpy as np
import pytest
from scipy import linalg

import gradgen
from gradgen.verify.finite import numeric_gradient

SHAPES = {"X": "n m", "x": "n", "y": "n", "mean": "n", "S": "n n", "nu": "", "k": ""}


def one(x, mean, S):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x - mean)
    return 0.5 * (z @ z) + np.sum(np.log(np.diag(L)))


def several(X, mean, S):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, X - mean[:, None])
    return -0.5 * np.sum(z**2) - X.shape[1] * np.sum(np.log(np.diag(L)))


def triangular(x, S):
    L = linalg.cholesky(S, lower=True)
    z = linalg.solve_triangular(L, x, lower=True)
    return 0.5 * np.sum(z * z) + np.log(L.diagonal()).sum()


def students(x, S, nu):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    log_det = 2 * np.sum(np.log(np.diag(L)))
    return 0.5 * (nu + len(x)) * np.log(1 + z @ z / nu) + 0.5 * log_det


def of_two(x, y, S, k):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    w = np.linalg.solve(L, y)
    return k * (z @ z) - 2 * (w @ w) - np.sum(np.log(np.diag(L)))


def determinant(S):
    return 2 * np.sum(np.log(np.diag(np.linalg.cholesky(S))))


def distance(x, S):
    z = np.linalg.solve(np.linalg.cholesky(S), x)
    return np.sqrt(z @ z)


def in_rounds(X, S):
    total = 0.0
    for i in range(X.shape[1]):
        L = np.linalg.cholesky(S)
        z = np.linalg.solve(L, X[:, i])
        total += 0.5 * (z @ z) + np.sum(np.log(np.diag(L)))
    return total


def not_symmetric(x, S):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    return np.sum(np.sin(z)) + np.sum(np.log(np.diag(L)))


def weighed(x, y, S):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    return 0.5 * np.sum(y * z**2) + np.sum(np.log(np.diag(L)))


def read_otherwise(x, S):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    return z @ z + np.sum(np.log(np.diag(L))) + np.sum(L[1:, 0])


def other_diagonal(x, S):
    L = np.linalg.cholesky(S)
    z = np.linalg.solve(L, x)
    return z @ z + np.sum(np.log(np.diag(L)) ** 2)


SHORTER = [
    one, several, triangular, students, of_two, determinant, distance, in_rounds,
]  # fmt: skip
AS_BEFORE = [not_symmetric, weighed, read_otherwise, other_diagonal]


def arguments(function) -> dict:
    random = np.random.default_rng(3)
    root = 0.3 * random.normal(size=(4, 4))
    values = {
        "X": random.normal(size=(4, 3)),
        "x": random.normal(size=4),
        "y": random.normal(size=4),
        "mean": random.normal(size=4),
        "S": root @ root.T + np.eye(4),
        "nu": 3.5,
        "k": 0.7,
    }
    count = function.__code__.co_argcount
    return {name: values[name] for name in function.__code__.co_varnames[:count]}


def told(function) -> dict:
    return {name: SHAPES[name] for name in arguments(function)}


@pytest.mark.parametrize("function", SHORTER + AS_BEFORE, ids=lambda f: f.__name__)
def test_the_gradient_is_that_of_differences(function):
    given = arguments(function)
    names, values = list(given), list(given.values())
    found = gradgen.grad(function, tuple(names), shapes=told(function))(
        *values, seed=0.6
    )
    for at, name in enumerate(names):
        truth = numeric_gradient(function, values, at, 0.6).value
        if name == "S":
            truth = (truth + truth.T) / 2  # of a symmetric matrix
        np.testing.assert_allclose(found[at], truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", SHORTER, ids=lambda f: f.__name__)
def test_the_adjoint_of_the_factor_is_not_computed(function):
    text = gradgen.emit(function, wrt="S", shapes=told(function))
    assert "tril" not in text and "d_L" not in text


@pytest.mark.parametrize("function", AS_BEFORE, ids=lambda f: f.__name__)
def test_what_is_not_symmetric_goes_by_the_rule(function):
    text = gradgen.emit(function, wrt="S", shapes=told(function))
    assert "np.tril(" in text


def test_float32_stays_float32():
    given = {
        name: value.astype(np.float32) if np.ndim(value) else value
        for name, value in arguments(one).items()
    }
    found = gradgen.grad(one, ("x", "S"), shapes=told(one))(*given.values())
    assert all(gradient.dtype == np.float32 for gradient in found)
