"""What a loop stores entry by entry is read again there, and only where it lasts."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

CHOLESKY = """
def f(A):
    n = A.shape[0]
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j] - L[i, :j] @ L[j, :j]
            if i == j:
                L[i, j] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return L
"""
COLUMNS = """
def f(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - np.sum(L[j, :j] ** 2))
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - np.sum(L[i, :j] * L[j, :j])) / L[j, j]
    return L
"""
ENTRIES = """
def f(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = s / L[j, j]
        s = A[i, i]
        for k in range(i):
            s -= L[i, k] ** 2
        L[i, i] = np.sqrt(s)
    return L
"""
VARIANCES = """
def f(x):
    s = np.zeros(len(x))
    s[0] = 0.5
    for t in range(1, len(x)):
        s[t] = 0.1 + 0.2 * x[t - 1] ** 2 + 0.7 * s[t - 1] ** 1.5
    return np.sum(np.log(s) + x**2 / s)
"""
BACKWARDS = """
def f(x):
    n = len(x)
    v = np.zeros(n + 1)
    for t in range(n - 1, -1, -1):
        v[t] = np.tanh(x[t] * v[t + 1] + x[t])
    return v
"""
ROWS = """
def f(x):
    h = np.zeros((len(x) + 1, 3))
    for t in range(len(x)):
        h[t + 1] = np.tanh(h[t] * x[t] + 0.3)
    return np.sum(h**2)
"""
TWICE = """
def f(x):
    s = np.ones(len(x))
    for t in range(1, len(x)):
        s[t] = np.sin(s[t - 1]) * x[t]
        s[t - 1] = s[t] ** 2
    return np.sum(s * x)
"""
LATER = """
def f(x):
    s = np.ones(len(x) + 1)
    for t in range(len(x)):
        s[t] = s[t + 1] ** 2 * x[t]
        s[t + 1] = np.cos(s[t])
    return np.sum(s)
"""
END = """
def f(x):
    s = np.ones(len(x))
    for t in range(len(x)):
        s[t] = np.sin(s[t - 1]) * x[t]
    return np.sum(s * x)
"""
AGAIN = """
def f(x):
    s = np.ones(len(x))
    for r in range(2):
        for t in range(1, len(x)):
            s[t] = np.sin(s[t - 1]) * x[t] + s[t] ** 2
    return np.sum(s * x)
"""
COUNTED = """
def f(x):
    s = np.ones((len(x) + 2, len(x) + 2))
    k = 1
    for i in range(len(x)):
        k = 4 - k
        for j in range(k):
            s[i, j] = np.sin(s[i - 1, j] + s[i, k]) * x[i]
    return np.sum(s * s)
"""
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
X = np.array([0.4, -0.7, 1.2, 0.9])
LASTING = {
    "cholesky": (CHOLESKY, A, "n n"),
    "columns": (COLUMNS, A, "n n"),
    "entries": (ENTRIES, A, "n n"),
    "variances": (VARIANCES, X, "n"),
    "backwards": (BACKWARDS, X, "n"),
    "rows": (ROWS, X, "n"),
}
CHANGED = {
    "twice": TWICE,
    "later": LATER,
    "end": END,
    "again": AGAIN,
    "counted": COUNTED,
}


def check(primal, at):
    seed = np.cos(np.arange(np.size(primal(at)))).reshape(np.shape(primal(at)))
    expected = numeric_gradient(primal, [at], 0, seed).value
    got = gradgen.grad(primal)(at, seed=seed)
    np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", LASTING)
def test_what_lasts_needs_no_list(name, tmp_path):
    text, at, shape = LASTING[name]
    primal = written(text, tmp_path)
    (param,) = primal.__code__.co_varnames[:1]
    assert ".append(" not in gradgen.emit(primal, shapes={param: shape})
    check(primal, at)


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_changed_later_is_kept(name, tmp_path):
    primal = written(CHANGED[name], tmp_path)
    assert ".append(" in gradgen.emit(primal, shapes={"x": "n"})
    check(primal, X)
