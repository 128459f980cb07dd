"""Lists of rows of numbers that loops store into, of lengths that nothing tells."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def warping(x, y):
    n, m = len(x), len(y)
    D = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            D[i][j] = cost + 0.5 * D[i - 1][j] + 0.25 * D[i][j - 1]
    return D[n][m]


def symmetric(x, y):
    n = len(x)
    T = [[0.0 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(i):
            T[i][j] = T[j][i] = x[i] * x[j] ** 2
    return sum(T[i][j] * y[0] for i in range(n) for j in range(n))


def by_rows(x, y):
    n = len(x)
    T = [len(y) * [0] for _ in range(n)]
    for i in range(n):
        row = T[i]
        for j in range(len(y)):
            row[j] = x[i] * y[j] ** 2
    return np.sum(np.array(T) ** 2) + T[0][-1]


def likeliest(x, y):
    V = [[float("-inf")] * len(x) for _ in range(3)]
    for s in range(len(x)):
        V[0][s] = x[s] + y[0]
    for t in range(1, 3):
        for s in range(len(x)):
            best = V[t - 1][0]
            for q in range(1, len(x)):
                if V[t - 1][q] * y[1] > best:
                    best = V[t - 1][q] * y[1]
            V[t][s] = best + x[s] * y[2]
    return max(V[2])


def whole_numbers(x, y):
    """Places, and no floats: they stay what they are."""
    C = [[0] * 2 for _ in range(2)]
    for i in range(2):
        for j in range(2):
            C[i][j] += 1
    return x[C[0][1]] * y[C[1][1]]


def given_back(x, y):
    T = [[0.0] * 2 for _ in range(2)]
    T[0][1] = x[0] * y[0]
    T[1][1] = x[1] ** 2
    return T


def appended(x, y):
    T = [[0.0] * 2 for _ in range(2)]
    T[0].append(x[0] * y[0])
    T[1][0] = x[1]
    return T[0][2] * T[1][0]


def one_row(x, y):
    T = [[0.0] * 2] * 2  # two names of one row
    T[0][1] = x[0] * y[0]
    return T[1][1] * x[1]


X, Y = np.array([0.4, 1.3, 0.7]), np.array([0.9, 1.1, 0.3])
TABLES = [warping, symmetric, by_rows, likeliest]
OTHERS = [whole_numbers, appended, one_row]


def made(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("f", TABLES)
def test_the_text_keeps_them_as_an_array(f):
    texts = [
        gradgen.emit(f, wrt=("x", "y"), **way) for way in ({}, {"example": (X, Y)})
    ]
    for text in texts:
        assert "np.zeros((" in text or "np.full((" in text
        for n in (3, 4):
            args = np.resize(X, n) + 0.01 * np.arange(n), Y
            got = made(text)(*args)
            for i in range(2):
                want = numeric_gradient(f, args, i).value
                np.testing.assert_allclose(got[i], want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [*TABLES, *OTHERS])
def test_calls_are_right(f):
    got = gradgen.grad(f, wrt=("x", "y"))(X, Y)
    for i in range(2):
        want = numeric_gradient(f, (X, Y), i).value
        np.testing.assert_allclose(got[i], want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [*OTHERS, given_back])
def test_other_lists_stay_lists(f):
    try:
        text = gradgen.emit(f, wrt=("x", "y"))
    except gradgen.GradgenError:
        return
    assert "np.zeros((2" not in text and "np.full((2" not in text


def test_a_table_that_is_given_back_is_a_list():
    value, (d_x, _) = gradgen.value_and_grad(given_back, wrt=("x", "y"))(
        X, Y, seed=[[0.0, 1.0], [0.0, 0.0]]
    )
    assert value == [[0.0, X[0] * Y[0]], [0.0, X[1] ** 2]]
    np.testing.assert_allclose(d_x, [Y[0], 0, 0])


def copied(x, y):
    """np.asarray(T) of a list is an array of its own."""
    T = [[0.0] * len(x) for _ in range(len(x))]
    for i in range(len(x)):
        for j in range(len(x)):
            T[i][j] = x[i] * x[j]
    A = np.asarray(T)
    A[0, 0] = 5.0
    return T[0][0] * y[0] + np.sum(A * y[1])


def copied_row(x, y):
    T = [[0.0] * len(x) for _ in range(len(x))]
    for i in range(len(x)):
        T[i][i] = x[i] ** 2
    row = T[0]
    A = np.asarray(row)
    A[0] = 5.0
    B = np.asarray(T[1])
    B[1] = 7.0
    return T[0][0] * y[0] + T[1][1] * y[1] + np.sum(A) + np.sum(B)


@pytest.mark.parametrize("f", [copied, copied_row])
def test_what_arrays_do_otherwise(f):
    want = numeric_gradient(f, (X, Y), 0).value
    np.testing.assert_allclose(gradgen.grad(f)(X, Y), want, rtol=1e-6, atol=1e-8)
    try:
        text = gradgen.emit(f)
    except gradgen.GradgenError:
        return
    np.testing.assert_allclose(made(text)(X, Y), want, rtol=1e-6, atol=1e-8)
