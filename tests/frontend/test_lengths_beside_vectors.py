"""Where vectors are tried for arguments, those that are lengths stay whole numbers."""

import numpy as np
import pytest

import gradgen

P = np.random.default_rng(0).normal(size=10)
R = np.array([[1, 0, 1], [0, 1, 1]])


def rated(p, seen, users, items, rank):
    """Slices and x.reshape(n, k)."""
    U = p[: users * rank].reshape(users, rank)
    V = p[users * rank :].reshape(items, rank)
    total = 0.0
    for i in range(seen.shape[0]):
        at = np.where(seen[i, :] == 1)[0]
        total = total + np.sum((U[i, :] @ V[at, :].T) ** 2)
    return total


def rated_in_a_shape(p, seen, users, items, rank):
    """np.reshape(x, (n, k)) and np.zeros((n, k))."""
    U = np.reshape(p[: users * rank], (users, rank))
    V = np.zeros((items, rank))
    V[:, :] = np.reshape(p[users * rank :], (items, -1))
    total = 0.0
    for i in range(seen.shape[0]):
        at = np.where(seen[i, :] == 1)[0]
        total = total + np.sum((U[i, :] @ V[at, :].T) ** 2)
    return total


def rated_in_rounds(p, seen, users, items, rank):
    """range(n)."""
    U, V = p[: users * rank].reshape(-1, rank), p[users * rank :].reshape(-1, rank)
    total = 0.0
    for i in range(users):
        at = np.nonzero(seen[i, :])[0]
        for k in range(items - 1):
            total = total + np.sum((U[i, :] @ V[at, :].T) ** 2) * (k + 1)
    return total


def differences(f, *others):
    h, found = 1e-6, np.zeros(P.shape)
    for at in range(P.size):
        step = np.zeros(P.shape)
        step[at] = h
        found[at] = (f(P + step, *others) - f(P - step, *others)) / (2 * h)
    return found


@pytest.mark.parametrize("f", [rated, rated_in_a_shape, rated_in_rounds])
def test_lengths_are_no_vectors(f):
    text = gradgen.emit(f)
    assert "users is a vector" not in text and "rank is a vector" not in text
    around = {}
    exec(text, around)
    got = around[f"grad_{f.__name__}"](P, R, 2, 3, 2)
    np.testing.assert_allclose(got, differences(f, R, 2, 3, 2), rtol=1e-6, atol=1e-8)
