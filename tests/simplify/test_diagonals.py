"""Diagonals of gradients: np.diag of what is stored along one, np.trace of a sum."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(31)
A = DRAWN.normal(0, 1, (4, 4))
A = A @ A.T + 4 * np.eye(4)
K = np.array(0.7)


def logarithms(A, k):
    return k * np.sum(np.log(np.diag(A)))


def in_loops(A, k):
    L = A * k
    for i in range(1, len(A)):
        L[i] -= 0.1 * L[i - 1]
    return np.sum(np.log(np.diag(L) ** 2))


def numbers(A, k):
    return k * np.trace(A @ A)


def with_noise(A, k):
    S = A + k**2 * np.eye(len(A))
    return np.log(np.linalg.det(S))


def with_noise_of_its_dtype(A, k):
    S = A @ A + k * np.eye(len(A), dtype=A.dtype)
    return np.sum(np.tanh(S / 9))


def beside_the_diagonal(A, k):
    return np.sum(A**2 * (k * np.eye(len(A), k=1)))


CASES = [
    logarithms,
    in_loops,
    numbers,
    with_noise,
    with_noise_of_its_dtype,
    beside_the_diagonal,
]
THERE = {
    logarithms: "d_A = np.diag(",
    in_loops: "d_L = np.diag(",
    with_noise: "np.trace(d_S)",
    with_noise_of_its_dtype: "d_k = np.trace(d_S)",
}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("shapes", [{"A": "n n", "k": ""}, {}], ids=["told", "untold"])
def test_as_differences(f, shapes):
    found = gradgen.grad(f, wrt=("A", "k"), shapes=shapes)(A, K)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(lambda A, k: f(A.copy(), k), [A, K], at).value
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dtypes_and_memory(f, dtype):
    given = [A.astype(dtype), K.astype(dtype)]
    found = gradgen.grad(f, wrt=("A", "k"), shapes={"A": "n n", "k": ""})(*given)
    assert found[0].dtype == dtype and found[0].flags.writeable


def test_complex_diagonals():
    def f(A):
        return np.sum(np.abs(np.diag(A)) ** 2)

    Z = A + 1j * DRAWN.normal(0, 1, (4, 4))
    gradient = gradgen.grad(f, shapes={"A": "n n"}, complex="A")(Z)
    np.testing.assert_allclose(gradient, np.diag(2 * np.diag(Z).conj()), rtol=1e-12)


@pytest.mark.parametrize("f", THERE, ids=lambda f: f.__name__)
def test_as_by_hand(f):
    text = gradgen.emit(f, wrt=("A", "k"), shapes={"A": "n n", "k": ""})
    assert THERE[f] in text, text
