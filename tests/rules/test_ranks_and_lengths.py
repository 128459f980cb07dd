"""Whole numbers of matrices and of lengths, and functions that complex numbers may go into."""

import math

import numpy as np
import pytest
from scipy import fft, special

import gradgen

X = np.array([0.3, 0.8, 1.4])


def of_full_rank(x):
    A = np.outer(x, x) + np.eye(3)
    if np.linalg.matrix_rank(A) < 3:
        raise ValueError("A is singular")
    return np.sum(np.linalg.inv(A) @ x)


def times_the_rank(x):
    A = np.stack([np.outer(x, x), np.outer(x, x) + np.eye(3)])
    return np.sum(np.linalg.matrix_rank(A) * x[:2] ** 2)


def of_a_fast_length(x):
    n = fft.next_fast_len(3 * len(x) - 2)
    return np.sum(fft.irfft(fft.rfft(x, n) ** 2, n)[:3] ** 2)


def of_bessel_functions(x):
    z = (x + 1.5) * (1 + 0.4j)
    j = special.spherical_jn(np.arange(3)[:, None], z)
    slope = special.spherical_yn(2, z, derivative=True)
    return np.sum(np.abs(j + slope) ** 2) + np.sum(special.spherical_in(1, z).imag)


def of_a_polynomial(x):
    return np.abs(np.polyval(x * (1 - 0.3j), x[0] * (1 + 0.2j))) ** 2


def of_a_product(x):
    return math.prod(math.cos(v / math.sqrt(i + 1)) for i, v in enumerate(x))


def of_a_started_product(x):
    return math.prod((v**2 for v in x), start=2.0)


FUNCTIONS = [
    of_full_rank,
    times_the_rank,
    of_a_fast_length,
    of_bessel_functions,
    of_a_polynomial,
    of_a_product,
    of_a_started_product,
]


@pytest.mark.parametrize("f", FUNCTIONS)
def test_they_have_a_gradient(f):
    h = 1e-6
    wanted = [(f(X + e) - f(X - e)) / (2 * h) for e in h * np.eye(3)]
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-6, atol=1e-8)
    space = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](X)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
