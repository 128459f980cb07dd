"""X[i][j] is X[i, j] in a gradient: no row of zeros for each entry."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def in_loops(X, y):
    s = 0.0
    for i in range(len(X)):
        for j in range(len(y)):
            s += X[i][j] * y[j] ** 2
    return s


def beside_the_row(X, y):
    return X[0][1] * y[0] + X[1][0] * np.sum(X[0] ** 2)


def parts(X, y):
    return np.sum(X[0][1:] * y[1:]) + np.sum(X[1][:2] ** 2)


def stored(X, y):
    Z = np.zeros((2, 3))
    Z[0][1] = X[0][1] * y[0]
    Z[1][:] = X[0] * y
    return np.sum(Z**2) + Z[0][0] * Z[1][1]


def three_deep(X, y):
    T = np.stack([X, 2 * X * y])
    return T[1][0][2] * T[0][1][1] + T[1][0][:2] @ y[:2]


def by_several_places(X, y):
    total = 0.0
    for i, j in [(0, 1), (1, 2), (0, 1)]:
        total += X[i][j] ** 2 * y[j]
    return total


def of_places(X, y):
    rows = np.array([1, 0])
    return np.sum(X[rows][0] * y) + X[1][rows][0]


def changed_between(X, y):
    Z = X * 1.0
    row = Z[0]
    Z[0] = y
    return row[1] * Z[0][1] + Z[1][2]


def parts_of_parts(X, y):
    """What stands behind a part is of another axis: T[1][:2, 0] is no T[1][:2][0]."""
    T = np.stack([X, 2 * X * y, X**2])
    return T[1][:2, 0] @ T[2][:, 1] + np.sum(T[0][1:, :2] * y[:2]) + T[2][1][:2][1]


FUNCTIONS = [
    parts_of_parts,
    in_loops,
    beside_the_row,
    parts,
    stored,
    three_deep,
    by_several_places,
    of_places,
    changed_between,
]
X, Y = np.array([[0.3, 1.1, -0.7], [0.9, 0.2, 1.4]]), np.array([0.5, -0.4, 1.2])


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("f", FUNCTIONS)
def test_the_gradient_is_right_by_every_door(f):
    want = [numeric_gradient(f, (X, Y), i).value for i in range(2)]
    told = {"X": "2 3", "y": "3"}
    ways = [
        gradgen.grad(f, wrt=("X", "y")),
        made(gradgen.emit(f, wrt=("X", "y"))),
        made(gradgen.emit(f, wrt=("X", "y"), shapes=told)),
        made(gradgen.emit(f, wrt=("X", "y"), example=(X, Y))),
    ]
    for way in ways:
        for got, one in zip(way(X, Y), want, strict=True):
            np.testing.assert_allclose(got, one, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [in_loops, parts, by_several_places])
def test_no_row_of_zeros_is_made(f):
    text = gradgen.emit(f, wrt=("X", "y"), shapes={"X": "n d", "y": "d"})
    assert "zeros_like(X[" not in text and "d_X[" in text


@pytest.mark.parametrize("f", [in_loops, by_several_places])
def test_a_list_of_rows_may_be_given(f):
    want = numeric_gradient(f, (X, Y), 0).value
    gradient = made(gradgen.emit(f, wrt="X"))
    np.testing.assert_allclose(gradient(X.tolist(), Y), want, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(
        gradgen.grad(f, wrt="X")(X.tolist(), Y), want, rtol=1e-6, atol=1e-8
    )
