"""Texts for numba of lists that a loop fills, of slices up to an index, and of products."""

import re

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.target.numba_texts import function_of


def states(x, W):
    h, hs = x, []
    for t in range(len(W)):
        h = np.tanh(h * W[t])
        hs.append(h)
    return np.sum(np.array(hs) ** 2 * W)


def later_rows(x, W):
    h = x
    for t in range(2, len(W)):
        h = np.sin(h * W[t]) * h
    return np.sum(h * h)


def from_few(x, W):
    h = x
    for t in range(2, len(W)):
        h = np.tanh(h * W[t])
    return np.sum(h * h)


def from_the_end(x, W):
    h, hs = x, []
    for t in range(len(W) - 1, 0, -1):
        h = np.tanh(h * W[t] + W[t - 1])
        hs.append(h)
    return np.sum(np.array(hs)[0] * h)


def with_a_first(x, W):
    hs = [x]
    for t in range(len(W)):
        hs.append(np.tanh(hs[t] * W[t]))
    return np.sum(hs[-1] * hs[1])


def two_firsts(x, W):
    hs = [x, 2 * x]
    for t in range(len(W)):
        hs.append(hs[t] * np.cos(W[t]))
    return np.sum(hs[2] * hs[3] * hs[-1])


def of_matrices(x, W):
    Y = W
    for t in range(len(x)):
        Y = np.tanh(Y * x[t])
    return np.sum(Y * W)


def changed_before(x, W):
    y = 2 * x
    ys = [y]
    y[0] = x[1]
    for t in range(len(W)):
        ys.append(ys[-1] * W[t])
    return np.sum(ys[-1] * x)


def part_sums(x, W):
    s = 0.0
    for i in range(len(x)):
        s += np.sum(x[:i] * x[i]) ** 2
    return s + np.sum(W)


def growing_stores(x, W):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[:i] += np.sin(x[i]) * x[:i]
        y[: i + 1] *= 1.5
    return np.sum(y * y) + np.sum(W)


def later_stores(x, W):
    y = x * 1.0
    for i in range(1, len(x)):
        y[i:] -= 0.3 * y[i - 1] * x[i:]
    return np.sum(y * y) + np.sum(W)


def triangles(x, W):
    L = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(i):
            L[i, j] = x[i] * x[j] - L[i, :j] @ L[j, :j]
        L[i, i] = 2 + L[i, :i] @ L[i, :i]
    return np.sum(np.log(np.diag(L))) + np.sum(W)


def largest(x, W):
    s = 0.0
    for t in range(len(W)):
        s += np.max(W[t] * x) - np.min(W[t])
    return s + np.sum(np.max(W * x, axis=1) * np.min(W, axis=1))


LISTS = (
    states,
    later_rows,
    from_few,
    from_the_end,
    with_a_first,
    two_firsts,
    of_matrices,
)
PROGRAMS = (
    *LISTS,
    changed_before,
    part_sums,
    growing_stores,
    later_stores,
    triangles,
    largest,
)
SHAPES = {"x": "n", "W": "t n"}


def text_of(function, **options):
    return gradgen.emit(function, shapes=SHAPES, target="numba", **options)


@pytest.mark.parametrize("function", [from_few, of_matrices])
def test_no_list_is_left(function):
    text = text_of(function)
    assert "append" not in text and "np.empty((" in text


@pytest.mark.parametrize("function", [part_sums, triangles])
def test_a_slice_up_to_an_index_is_a_loop(function):
    text = text_of(function)
    assert not re.search(r"^ *\w+\[[^]]*:.*\] \S?= ", text, re.MULTILINE)


@pytest.mark.parametrize(
    "compiled", [False, pytest.param(True, marks=pytest.mark.libraries)]
)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_agree_with_differences(function, compiled):
    if compiled:
        pytest.importorskip("numba")
    rng = np.random.default_rng(3)
    args = [rng.uniform(0.2, 1.5, 5), rng.uniform(0.2, 1.5, (4, 5))]
    found = function_of(text_of(function, wrt=("x", "W")), compiled)(*args)

    def owned(*given):
        return function(*(one.copy() for one in given))

    for at, gradient in enumerate(found):
        measured = numeric_gradient(owned, args, at)
        assert gradient.shape == args[at].shape and gradient.dtype == np.float64
        np.testing.assert_allclose(gradient, measured.value, rtol=1e-6, atol=1e-8)


@pytest.mark.libraries
@pytest.mark.parametrize("rows", [0, 1, 2])
@pytest.mark.parametrize("function", [from_few, later_rows, of_matrices])
def test_few_rounds_are_as_numpy(function, rows):
    """Loops of no rounds fill arrays of no rows."""
    pytest.importorskip("numba")
    x, W = np.linspace(0.3, 1.1, 3), np.linspace(0.2, 0.9, 3 * rows).reshape(rows, 3)
    want = function_of(gradgen.emit(function, wrt=("x", "W"), shapes=SHAPES))(x, W)
    got = function_of(text_of(function, wrt=("x", "W")), compiled=True)(x, W)
    for one, other in zip(got, want, strict=True):
        assert one.shape == other.shape and one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.libraries
def test_largest_of_nan_and_of_nothing():
    """NaN is the largest and the least, wherever it stands; of nothing, none is."""
    pytest.importorskip("numba")

    def extremes(x):
        return np.max(x) + 2 * np.min(x)

    made = function_of(
        gradgen.emit(extremes, value=True, shapes={"x": "n"}, target="numba"), True
    )
    assert made(np.array([1.0, -3.0, 2.0]))[0] == -4.0
    for at in range(3):
        x = np.array([1.0, -3.0, 2.0])
        x[at] = np.nan
        assert np.isnan(made(x)[0])
    with pytest.raises(ValueError):
        made(np.empty(0))


def stacked(A, B):
    return np.sum(np.sin(A @ B) * np.cos(A @ B))


@pytest.mark.libraries
@pytest.mark.parametrize("wrt", [("A", "B"), ("A",)])
def test_products_of_stacks_are_as_numpy(wrt):
    """Products go into the array of all of them; of an inner length of 0, zeros."""
    pytest.importorskip("numba")
    shapes = {"A": "b n k", "B": "b k m"}
    made = function_of(
        gradgen.emit(stacked, wrt=wrt, shapes=shapes, target="numba"), True
    )
    plain = function_of(gradgen.emit(stacked, wrt=wrt, shapes=shapes))
    for inner in (0, 1, 3):
        A = np.linspace(-1, 1, 2 * 4 * inner).reshape(2, 4, inner)
        B = np.linspace(0, 1, 2 * inner * 5).reshape(2, inner, 5)
        got, want = made(A, B), plain(A, B)
        pairs = zip(got, want, strict=True) if len(wrt) > 1 else [(got, want)]
        for one, other in pairs:
            assert one.shape == other.shape and one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
