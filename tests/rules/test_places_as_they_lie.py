"""Of places named twice NumPy keeps what is last in memory: the gradient goes there."""

import numpy as np
import pytest

from tests.both_doors import compare
from tests.frontend.writing import written

X = np.array([0.5, 1.25, 2.0])
RNG = np.random.default_rng(5)
PAIRS = [RNG.integers(0, 2, (2, 3, 3)) for _ in range(2)]


@pytest.mark.parametrize("i, j", PAIRS, ids=["one", "other"])
@pytest.mark.parametrize(
    "store",
    [
        "h[i, j] = u.T",
        "h[i.T, j] = u",
        "h[i[::-1], j[::-1]] = u[::-1]",
        "h[np.asfortranarray(i), j] = np.asfortranarray(u)",
        "h[i, j[:1]] = u[0]",
        "h[i[::-1]] = u[::-1, :, None] * x",
        "h[0, i[::-1, ::-1].T] = u",
        "h[i[0, ::-1], j[0, ::-1]] = u[0, ::-1]",
        "h[i[0], j[0]] = u[0]",
        "h[i, j] = np.broadcast_to(u[:, :1], (3, 3)).T",
        "h[i.ravel()[::-1]] = np.resize(u, (9, 3))[::-1]",
        "h[i[0], j[0]] = u[None, None, 0, ::-1]",
        "h[i[0]] = u[None, None]",
        "h[1, j[0]] = x[:1, None] ** 2",
    ],
)
def test_two_axes(store, i, j, tmp_path):
    lines = f"""def f(x, i, j):
    h = np.zeros((3, 3)) + x[0]
    u = np.outer(x, x) * np.arange(9.0).reshape(3, 3)
    {store}
    return h * np.arange(1.0, 10.0).reshape(3, 3)
"""
    compare(written(lines, tmp_path), (X, i, j))


@pytest.mark.parametrize("i, j", PAIRS, ids=["one", "other"])
@pytest.mark.parametrize(
    "store",
    [
        "h[i.T, j] = u * h[0, 1]",
        "h[i[::-1], j[::-1]] = (u + h[0, 0])[::-1]",
        "h[i[k, ::-1], j[0, ::-1]] = u[0, ::-1] * h[1, 1]",
    ],
)
def test_in_a_loop(store, i, j, tmp_path):
    lines = f"""def f(x, i, j):
    h = np.zeros((3, 3)) + x[0]
    for k in range(2):
        u = np.outer(x, x) * np.arange(9.0).reshape(3, 3) * 0.1
        {store}
    return np.sum(h * np.arange(1.0, 10.0).reshape(3, 3))
"""
    compare(written(lines, tmp_path), (X, i, j))
