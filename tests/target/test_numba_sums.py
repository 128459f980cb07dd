"""Sums that are numbers, axes by place and by name, vectors of places, for numba.

And functions that numba has under another name, or of tuples alone.
"""

import ast

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.target.numba_texts import function_of


def product_of_sums(A, x):
    return np.sum(A) * np.sum(x)


def sum_of_each(A, x):
    return np.sum(A * 2) * np.sum(np.sin(x)) / (1 + np.sum(x * x))


def sum_of_a_row_with_sums(A, x):
    return np.sum(np.array([x[-1], np.sum(x * x), A.mean()]) ** 2) * np.sum(A)


def sums_in_a_loop(A, x):
    total = 0.0
    for i in range(len(A)):
        total = total + np.sum(A[i] * x) * np.sum(x)
    return total * np.sum(A)


def by_place(A, x):
    return np.sum((A - A.mean(0)) / A.std(0) * x)


def rows_by_place(A, x):
    return np.sum(np.mean(A, 1) * np.max(A, 1)) + np.sum(A.sum(0) * x)


def freedom(A, x):
    return np.sum(np.std(A, 1, ddof=1)) + np.sum(np.var(A, axis=0, ddof=1) * x)


def freedom_of_all(A, x):
    return np.var(A, axis=(0, 1), ddof=1) * x[0] + np.sum(A.max(0, keepdims=True) * x)


def columns(A, x):
    k = np.array([0, 2])
    return np.sum(np.sin(A[:, k]) * x[k])


def written_columns(A, x):
    return np.sum(np.sin(A[:, [2, 0, 2]])) * np.sum(x)


def pairs(A, x):
    return np.sum(np.cos(A[[0, 1, 1], [0, 2, 2]])) * np.sum(x)


def apart(A, x):
    B = A[:, :, None] * x
    return np.sum(B[[0, 1], :, [1, 2]] ** 2)


def joined(A, x):
    return np.sum(np.vstack([x, x * x]) @ A.T) + np.sum(np.concatenate([x, x[:1]]) ** 2)


def stacked(A, x):
    return np.sum(np.stack([x, 2 * x], axis=1).T @ A.T) + np.inner(x, np.sin(x))


def diagonals(A, x):
    S = A.T @ A
    return (
        np.sum(S.diagonal() * x) + np.sum(np.cumsum(A) ** 2) + np.sum(x.astype(float))
    )


def on_the_diagonal(A, x):
    S = A.T @ A
    return np.sum((np.diag(S) - 1) ** 2) + 0.3 * np.sum(S**2)


def stored_pairs(A, x):
    S = A.T @ A
    S[np.arange(len(x)), np.arange(len(x))] = x * x
    return np.sum(S * S)


PROGRAMS = (
    on_the_diagonal,
    stored_pairs,
    joined,
    stacked,
    diagonals,
    product_of_sums,
    sum_of_each,
    sum_of_a_row_with_sums,
    sums_in_a_loop,
    by_place,
    rows_by_place,
    freedom,
    freedom_of_all,
    columns,
    written_columns,
    pairs,
    apart,
)
SHAPES = {"A": "m n", "x": "n"}
# what numba compiles of a whole array alone
WHOLE = {"mean", "std", "var", "max", "min", "prod", "median"}


def emitted(function):
    return gradgen.emit(function, ("A", "x"), shapes=SHAPES, target="numba")


def check(function, compiled):
    rng = np.random.default_rng(5)
    args = rng.normal(size=(2, 3)), rng.normal(size=3)
    got = function_of(emitted(function), compiled)(*args)
    for at, one in enumerate(got):
        want = numeric_gradient(function, args, at, 1.0).value
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_as_python(function):
    check(function, compiled=False)


@pytest.mark.libraries
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_right_compiled(function):
    pytest.importorskip("numba")
    check(function, compiled=True)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_no_reduction_along_an_axis_is_left_to_numba(function):
    for node in ast.walk(ast.parse(emitted(function))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in WHOLE:
                is_method = getattr(node.func.value, "id", "np") != "np"
                assert len(node.args) + len(node.keywords) == (0 if is_method else 1)


def in_columns(A, x):
    return np.sum(np.reshape(A.T, (len(x), len(A)), order="F") ** 2 * x[:, None])


def test_the_order_of_a_reshape_is_not_lost():
    with pytest.raises(gradgen.GradgenError, match="order="):
        emitted(in_columns)
