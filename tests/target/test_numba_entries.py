"""Texts for numba of what it has otherwise than NumPy, against NumPy's own text."""

import numpy as np
import pytest

import gradgen
from tests.target.numba_texts import function_of


def squared_totals(x):
    return np.sum(np.cumsum(x) ** 2)


def turned(x):
    return np.sum(np.cumsum(np.flip(x)) ** 2 * x)


def last_total(x):
    return np.cumsum(3 * x)[-1] * x[0]


def inverse_squares(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** -2
    return s


def two_inverses(x):
    return x[0] ** -2 + x[1] ** -1


def inverse_cubes(x):
    return np.sum(x**-3)


def pieces(x):
    s = 0.0
    for v in x:
        s += np.where(v > 1.0, v * v, np.where(v > 0.5, v, 2 * v))
    return s


def more_pieces(x):
    s = 0.0
    for i in range(len(x)):
        low = np.where(x[i] > 0.2, 3.0, x[i])
        s += 2 * np.where(x[i] > 1.0, x[i], np.where(x[i] > 0.5, np.sin(x[i]), low))
    return s


def of_entries(x):
    inner = 3 * np.where(x[1] > 0.5, x[0], x[2])
    return np.where(x[0] > 1, x[1], inner) * x[3]


def filled_rows(X):
    return np.sum(np.full_like(X, np.mean(X, axis=0)) * X**2)


def filled_columns(X):
    m = np.full_like(X, np.sum(X * X, axis=1, keepdims=True))
    return np.sum(np.sin(m) * X)


def filled_alone(X):
    m = np.full_like(X, X[0])
    m[0] = 2.0
    return np.sum(m @ X.T)


ROWS = (filled_rows, filled_columns, filled_alone)
PROGRAMS = (
    squared_totals,
    turned,
    last_total,
    inverse_squares,
    two_inverses,
    inverse_cubes,
    pieces,
    more_pieces,
    of_entries,
    *ROWS,
)


@pytest.mark.libraries
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_compiled_is_as_numpy(function, dtype):
    """The first entry is 0: a negative power of it is inf, and nothing raises."""
    pytest.importorskip("numba")
    x = np.linspace(0.0, 1.7, 6).astype(dtype)
    shapes = {"X": "n m"} if function in ROWS else {"x": "n"}
    x = x.reshape(2, 3) if function in ROWS else x
    texts = {
        target: gradgen.emit(function, shapes=shapes, target=target)
        for target in ("numpy", "numba")
    }
    with np.errstate(all="ignore"):
        want = function_of(texts["numpy"])(x)
    got = function_of(texts["numba"], compiled=True)(x)
    assert got.dtype == want.dtype == dtype and got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-10 if dtype is np.float64 else 2e-5)
