"""Systems that the primal has solved: Gaussian processes as they are written most often."""

import numpy as np
import pytest
from scipy import linalg

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(55)
X, Y = RNG.normal(size=(5, 2)), RNG.normal(size=5)
SHAPES = {"X": "n d", "y": "n", "ell": "", "noise": ""}


def kernel(X, ell, noise):
    d = X[:, None] - X[None, :]
    return np.exp(-0.5 * np.sum(d**2, axis=-1) / ell**2) + noise * np.eye(len(X))


def by_alpha(X, y, ell, noise):
    L = np.linalg.cholesky(kernel(X, ell, noise))
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(L)))


def beside_another(X, y, ell, noise):
    L = np.linalg.cholesky(kernel(X, ell, noise))
    half = np.linalg.solve(L, y)
    alpha = np.linalg.solve(L.T, half)
    return 0.5 * np.sum(y * alpha) + np.log(np.diag(L)).sum() + 0.1 * np.sum(half**2)


def triangular(X, y, ell, noise):
    L = np.linalg.cholesky(kernel(X, ell, noise))
    alpha = linalg.solve_triangular(L.T, linalg.solve_triangular(L, y, lower=True))
    return -0.5 * np.dot(y, alpha) - np.sum(np.log(np.diag(L)))


def without_logarithms(X, y, ell, noise):
    L = np.linalg.cholesky(kernel(X, ell, noise))
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha


def centred(X, y, ell, noise):
    L = np.linalg.cholesky(kernel(X, ell, noise))
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y - np.mean(y)))
    return 0.5 * (y - np.mean(y)) @ alpha + np.sum(np.log(np.diag(L)))


def by_matrix(X, y, ell, noise):
    K = kernel(X, ell, noise)
    alpha = np.linalg.solve(K, y)
    return 0.5 * y @ alpha + 0.5 * np.linalg.slogdet(K)[1]


def squares_of_alpha(X, y, ell, noise):
    L = np.linalg.cholesky(kernel(X, ell, noise))
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.sum(alpha**2)


@pytest.mark.parametrize(
    "function",
    [
        *(by_alpha, beside_another, triangular, without_logarithms),
        *(centred, by_matrix, squares_of_alpha),
    ],
)
def test_the_gradient_is_right(function):
    args, wrt = [X, Y, 0.8, 0.3], tuple(SHAPES)
    names = {}
    exec(gradgen.emit(function, wrt=wrt, shapes=SHAPES), names)
    found = names[f"grad_{function.__name__}"](*args, 1.7)
    for i, one in enumerate(found):
        want = numeric_gradient(function, args, i).value
        np.testing.assert_allclose(one, 1.7 * want, rtol=1e-6, atol=1e-8)


def lower(x):
    return np.tril(np.outer(x, x)) + 3 * np.eye(len(x))


def turned_by_number(x):
    return linalg.solve_triangular(lower(x), x, lower=True, trans=2) @ x


def turned_by_letter(x):
    A = lower(x)
    v = linalg.solve_triangular(A, x, lower=True)
    w = linalg.solve_triangular(A, v, trans="C", lower=True)
    return np.sum(w * x) + np.sum(v * x)


@pytest.mark.parametrize("function", [turned_by_number, turned_by_letter])
def test_other_ways_of_turning_are_other_systems(function):
    value, found = gradgen.value_and_grad(function)(Y)
    np.testing.assert_allclose(value, function(Y))
    want = numeric_gradient(function, [Y], 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("function", [by_alpha, triangular, without_logarithms])
def test_nothing_is_solved_again(function):
    text = gradgen.emit(function, wrt=("y", "ell", "noise"), shapes=SHAPES)
    lines = text.split("# Grad of", 1)[1].splitlines()
    code = [line for line in lines if not line.strip().startswith("#")]
    assert not any("solve" in line for line in code[1:])
    assert "weighted" not in text


def test_the_marginal_likelihood_has_the_formula_of_the_books():
    text = gradgen.emit(by_alpha, wrt=("y", "ell", "noise"), shapes=SHAPES)
    said = "d_kernel = 0.5 * d_out * (inverse.T @ inverse - np.outer(alpha, alpha))"
    assert said in text
