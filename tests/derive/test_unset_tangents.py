"""Directional derivatives of arrays that a loop or an arm may leave unbound."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(0)
A, u, v = RNG.uniform(0.3, 1, (4, 4)), RNG.uniform(0.3, 1, 4), RNG.uniform(0.3, 1, 4)


def a_part(A, u):
    for j in range(A.shape[0]):
        work = np.tanh(2 * A)
    work[:, 1:-1] += u.mean() * A[:, 1:-1]
    return np.sum(work**2) + np.sum(u * u)


def a_row(A, u):
    for j in range(A.shape[0]):
        work = np.tanh(A * j)
    work[0] = u * u
    return np.sum(work**2)


def into_out(A, u):
    for j in range(A.shape[0]):
        work = np.tanh(2 * A)
    np.multiply(work, u, out=work)
    return np.sum(work**2) + np.sum(u * u)


def of_an_arm(A, u):
    if A[0, 0] > 0:
        work = np.tanh(2 * A)
    work[:, 1] *= u[0]
    work.T[0] -= u
    return np.sum(work**2) + np.sum(u * u)


def in_another_loop(A, u):
    for j in range(A.shape[0]):
        work = np.tanh(2 * A)
    for j in range(3):
        work[j] += u * work[j + 1]
    return np.sum(work**2)


def in_a_list(A, u):
    for j in range(A.shape[0]):
        work = np.stack([A[j], A[0]])
    rows = [work[0], u, work[1]]
    return np.sum(np.stack(rows) ** 3)


FORMS = [a_part, a_row, into_out, of_an_arm, in_another_loop, in_a_list]


@pytest.mark.parametrize("function", FORMS, ids=lambda f: f.__name__)
def test_the_tangent_of_what_has_none_yet_is_zeros(function):
    """0.0[:, 1:-1] += ... stood in the text once."""
    value, change = gradgen.jvp(function, wrt="u")(A, u, v)
    slope = numeric_gradient(lambda t: function(A.copy(), u + t * v), [0.0], 0).value
    np.testing.assert_allclose(change, slope, rtol=1e-7)
    np.testing.assert_allclose(value, function(A.copy(), u), rtol=1e-12)
    found = gradgen.hvp(function, wrt="u")(A, u, v)

    def along(w):
        moved = [
            numeric_gradient(lambda one: function(A.copy(), one), [u + s * v], 0).value
            for s in (w, -w)
        ]
        return (moved[0] - moved[1]) / (2 * w)

    np.testing.assert_allclose(found, along(1e-3), rtol=1e-4, atol=1e-6)
