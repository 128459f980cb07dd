"""Matrices of which one triangle is read, put together entry by entry or symmetric."""

import numpy as np
import pytest
from scipy import linalg

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([2.3, 0.4, 1.9, -0.3, 0.5, 2.7])


def lower_entries(x):
    a = np.array([[x[0], 0.0, 0.0], [x[1], x[2], 0.0], [x[3], x[4], x[5]]]) / 3.0
    return np.sum(np.sin(np.linalg.eigh(a)[0]))


def vector_of_lower(x):
    a = np.array([[x[0], 0, 0], [x[1], x[2], 0], [x[3], x[4], x[5]]])
    values, vectors = np.linalg.eigh(a)
    return np.sum(vectors[:, np.argmax(values)] ** 2 * np.arange(3.0))


def upper_entries(x):
    a = np.array([[x[0], x[1], x[3]], [9.0, x[2], x[4]], [7.0, 8.0, x[5]]])
    return np.sum(np.linalg.eigvalsh(a, UPLO="U") ** 3)


def both_triangles_differ(x):
    a = np.array([[x[0], x[1]], [x[3], x[2]]])
    return np.sum(np.linalg.cholesky(a) ** 3)


def filled_by_stores(x):
    a = np.zeros((2, 2))
    a[0, 0] = x[0]
    a[1, 0] = x[1]
    a[1, 1] = x[2] * x[5]
    return np.sum(np.sin(np.linalg.cholesky(a)))


def filled_by_a_loop(x):
    a = np.zeros((2, 2))
    for i in range(2):
        for j in range(i + 1):
            a[i, j] = x[2 * i + j] + 3.0 * (i == j)
    return np.sum(np.sin(np.linalg.eigvalsh(a)))


def triangle_of_a_product(x):
    a = np.tril(np.outer(x[:2], x[1:3])) + np.eye(2)
    return np.sum(np.linalg.eigvalsh(a) ** 2)


def upper_of_scipy(x):
    a = np.array([[x[0], x[1]], [5.0, x[2]]])
    return np.sum(linalg.cholesky(a) ** 3)


def lower_factor_of_scipy(x):
    a = np.array([[x[0], 5.0], [x[1], x[2]]])
    factor, _ = linalg.cho_factor(a, lower=True)
    return np.sum(np.tril(factor) ** 3)


def symmetric_entries(x):
    a = np.array([[x[0], x[1]], [x[1], x[2]]])
    return np.sum(np.linalg.cholesky(a) ** 3)


def added_to_its_transpose(x):
    a = np.array([[x[0], x[1]], [x[3], x[2]]])
    return np.sum(np.sin(np.linalg.eigvalsh(a + a.T)))


def scatter(x):
    a = np.outer(x[:2], x[:2]) + np.eye(2)
    return np.sum(np.linalg.cholesky(a) ** 2)


FORMS = [
    lower_entries,
    vector_of_lower,
    upper_entries,
    both_triangles_differ,
    filled_by_stores,
    filled_by_a_loop,
    triangle_of_a_product,
    upper_of_scipy,
    lower_factor_of_scipy,
    symmetric_entries,
    added_to_its_transpose,
    scatter,
]


@pytest.mark.parametrize("function", FORMS, ids=lambda f: f.__name__)
def test_the_gradient_of_what_is_read(function):
    found, want = gradgen.grad(function)(X), numeric_gradient(function, (X,), 0)
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)
    value, _ = gradgen.value_and_grad(function)(X)
    assert value == function(X)


@pytest.mark.parametrize("function", [symmetric_entries, scatter])
def test_what_is_symmetric_is_left_alone(function):
    text = gradgen.emit(function, shapes={"x": "n"})
    assert "cholesky(a)" in text


def of_an_argument(a):
    return np.sum(np.linalg.eigvalsh(a) ** 3)


def test_the_gradient_of_an_argument_is_symmetric():
    a = np.array([[2.0, 0.5], [0.5, 1.0]])
    found = gradgen.grad(of_an_argument)(a)
    np.testing.assert_allclose(found, 3 * a @ a, rtol=1e-9)
