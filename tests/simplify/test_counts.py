"""Masks and narrow integers are added up and multiplied as floats in the gradient."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

M = np.array([True, True, False, True])
N = np.array([True, False, False, True])
K = np.array([100, 120, 3, 50], dtype=np.int8)
L = np.array([70, 100, 30, 90], dtype=np.uint8)
A = np.add.outer(np.arange(4), np.arange(4)) % 3 > 0
X = np.array([0.4, -0.7, 1.2, 0.9])


def added(x, m, n):
    return np.sum(x * m + x * n)


def taken_away(x, m, n):
    return np.sum(x * m - x * n)


def beside_true(x, m, n):
    return np.sum(x * (m + n)) + np.sum(x * (True + m))


def times_true(x, m, n):
    return np.sum(x * (True * m)) + np.sum(x * (n + m)) - np.sum(x * (False + n))


def of_bits(x, k, l):  # noqa: E741
    return np.sum(x * (k ^ 3) + x * (l & 100)) - np.sum(x * (k | l)) + np.sum(x * ~l)


def comparisons(x):
    return np.sum(x * (x > 0.5)) - np.sum(x * (x < 1)) + np.sum(x * np.isfinite(x))


def made_here(x, m):
    seen = np.zeros(4, bool)
    seen[1] = True
    return np.sum(x * m + x * seen) - np.sum(x * np.ones(4, dtype=bool))


def total_weight(x, k, l):  # noqa: E741
    return np.sum(x[0] * k * k) - np.sum(x[1] * k) + np.sum(x[1] * l)


def pixels(x, l):  # noqa: E741
    return np.mean((x[0] * l - x[1]) ** 2)


def entries(x, k):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * k[i] * k[i] - x[i] * k[i]
    return total


def neighbours(x, a):
    return np.sum(np.tanh(a @ x)) + x @ a @ x + np.sum(a.T @ x)


def two_graphs(x, a):
    gaps = (x[:, None] - x) ** 2
    return np.sum(gaps * a) + np.sum(gaps * a.T)


CASES = [
    (added, M, N),
    (added, N, K),
    (taken_away, M, N),
    (taken_away, K, L),
    (beside_true, M, N),
    (beside_true, N, K),
    (times_true, M, N),
    (of_bits, K, K),
    (of_bits, L, L),
    (of_bits, M, N),
    (comparisons,),
    (made_here, M),
    (total_weight, K, L),
    (pixels, L),
    (entries, K),
    (neighbours, A),
    (two_graphs, A),
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "function, given",
    [(one, given) for one, *given in CASES],
    ids=[one.__name__ + f"{i}" for i, (one, *_) in enumerate(CASES)],
)
def test_the_gradient_is_that_of_floats(function, given, dtype):
    want = numeric_gradient(function, [X, *given], 0, 1.0).value
    got = gradgen.grad(function, "x")(X.astype(dtype), *given)
    assert got.shape == want.shape and got.dtype == dtype
    near = 1e-7 if dtype is np.float64 else 1e-4
    np.testing.assert_allclose(got, want, rtol=near, atol=near * np.max(np.abs(want)))


@pytest.mark.parametrize("given", [(K, K), (L, L), (L, K), (M, N)])
def test_so_is_a_text_that_is_told_nothing(given):
    space = {}
    exec(gradgen.emit(of_bits, "x"), space)
    want = numeric_gradient(of_bits, [X, *given], 0, 1.0).value
    np.testing.assert_allclose(space["grad_of_bits"](X, *given), want, rtol=1e-7)


@pytest.mark.parametrize(
    "function, told",
    [
        (added, {"m": "n:bool", "n": "n:bool"}),
        (taken_away, {"m": "n:bool", "n": "n:bool"}),
        (taken_away, {"m": "n:int", "n": "n:int"}),
    ],
)
def test_so_is_a_text_that_is_told_of_them(function, told):
    text = gradgen.emit(function, "x", shapes={"x": "n", **told})
    space = {}
    exec(compile(text, "<text>", "exec"), space)
    given = (M, N) if "n:bool" in told.values() else (K, L)
    want = numeric_gradient(function, [X, *given], 0, 1.0).value
    got = space[f"grad_{function.__name__}"](X, *given)
    np.testing.assert_allclose(got, want, rtol=1e-7)


def of_floats(x, u, v):
    return np.sum(x * u - x * v)


def test_floats_are_factored_out_all_the_same():
    text = gradgen.emit(of_floats, "x", shapes=dict.fromkeys("xuv", "n"))
    assert "d_out * (u - v)" in text


def squares(x, k):
    return np.sum(x * x * k * k) - np.sum(x * x * k)


def negative(x, l):  # noqa: E741
    return np.sum(-x * x * l)


def turned(x, a):
    return np.sum(a @ x + a.T @ x) * np.sum(x)


def full(x):
    many = np.full(4, 90, np.int8)
    return np.sum(x * x * many[0] * many[0])


SECOND = [(squares, K), (negative, L), (turned, A), (full,), (added, M, N)]


@pytest.mark.parametrize("function, given", [(one, rest) for one, *rest in SECOND])
def test_so_are_tangents_and_hessians(function, given):
    way = np.array([0.3, -0.2, 0.5, 1.0])
    slope = numeric_gradient(function, [X, *given], 0, 1.0).value
    _, found = gradgen.jvp(function, "x")(X, *given, way)
    np.testing.assert_allclose(found, slope @ way, rtol=1e-6)
    step = 1e-3  # the functions are squares at most: differences are exact

    def gradient(x):
        return numeric_gradient(function, [x, *given], 0, 1.0).value

    want = (gradient(X + step * way) - gradient(X - step * way)) / (2 * step)
    product = gradgen.hvp(function, "x")(X, *given, way)
    near = 1e-5 * (1 + np.max(np.abs(slope)))
    np.testing.assert_allclose(product, want, rtol=1e-5, atol=near)


NARROW = {
    "int8": np.array([90, 100, 3, -7], np.int8),
    "uint8": np.array([200, 250, 3, 7], np.uint8),
    "int16": np.array([300, 200, -300, 4], np.int16),
}


def twice_by_itself(x, k):
    return np.sum(x * k * k)


def squared(x, k):
    return np.sum((k * x) * (k * x))


def squared_as_written(x, k):
    return np.sum(x * k**2)


def negative_as_written(x, k):
    return np.sum(-k * x * k)


def tripled_as_written(x, k):
    return np.sum((k * 3) * x * k)


UNTOLD = [twice_by_itself, squared, squared_as_written]
AT_HAND = [*UNTOLD, negative_as_written, tripled_as_written]


@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("function", AT_HAND)
def test_products_of_narrow_integers_are_those_of_the_function(function, kind):
    x, k = np.array([0.7, 1.2, -0.4, 0.9]), NARROW[kind]
    want = numeric_gradient(function, [x, k], 0).value
    np.testing.assert_allclose(gradgen.grad(function)(x, k), want, rtol=1e-6)
    if function in UNTOLD:
        names: dict = {}
        exec(gradgen.emit(function), names)
        got = names[f"grad_{function.__name__}"](x, k)
        np.testing.assert_allclose(got, want, rtol=1e-6)
