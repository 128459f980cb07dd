"""Masks and integers of a byte as factors: added and multiplied as floats."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(5)
X = np.array([1.13, 2.157, 3.31, -0.913])
A = np.array([0.5, 2.0, -1.0, 3.0])


def in_rounds(x, a):
    h = x
    for i in range(3):
        h = h * (a > i) + h * (h > 0)
    return np.sum(h)


def with_a_minus(x, a):
    h = x
    for i in range(3):
        h = h * (a > i) * 0.5 - h * (h > 0)
    return np.sum(h)


def in_rounds_over_rows(x, a):
    h = x
    for r in np.stack([a, a - 1, a * 2]):
        m, n = r > 0, r > 1
        h = h * 0.9 + x * m + x * n
    return np.sum(h**2)


def in_nested_rounds(x, a):
    h = x
    for i in range(2):
        for j in range(2):
            h = h * (a > i) * 0.5 + h * (a > j)
    return np.sum(h)


def of_either_arm(x, a):
    h = x
    for i in range(3):
        m = a > i if i % 2 else a < 2 + i
        h = h * m + h * (h > 0)
    return np.sum(h)


def from_round_to_round(x, a):
    h, m = x, a > -5
    for i in range(3):
        h = h * m + h * (h > i)
        m = m & (a > i)
    return np.sum(h)


def slope(y, m, n, q):
    z = np.sin(y) * q
    w = np.tanh(z + y) * np.exp(-z * z)
    u = w * m + w * n
    return u * np.cos(w) + y * m + y * n


def of_a_helper(x, a):
    m, n = a > 0, a > 1
    k1 = slope(x, m, n, 1.0)
    k2 = slope(x + 0.5 * k1, m, n, 2.0)
    k3 = slope(x + 0.5 * k2, m, n, 3.0)
    k4 = slope(x + k3, m, n, 4.0)
    return np.sum(k1 + 2 * k2 + 2 * k3 + k4)


def of_one_that_calls_itself(x, a):
    return np.sum(deeper(x, a > 0, a > 1, 3))


def deeper(x, m, n, k):
    if k == 0:
        return x * m + x * n
    return deeper(x * m * 0.5 + x * n, m, n, k - 1) + x


FLOATS = [in_rounds, with_a_minus, in_rounds_over_rows, in_nested_rounds]
FLOATS += [of_either_arm, from_round_to_round, of_a_helper, of_one_that_calls_itself]


def text_of(function, **options):
    space = {}
    exec(gradgen.emit(function, **options), space)
    return space["grad_" + function.__name__]


@pytest.mark.parametrize("function", FLOATS)
def test_masks_of_floats(function):
    """All arguments are floats; the masks are what the function compares."""
    want = numeric_gradient(function, [X, A], 0).value
    for call in (
        gradgen.grad(function),
        gradgen.grad(function, fast=True),
        gradgen.grad(function, save="state"),
        gradgen.grad(function, keep_calls=True),
        text_of(function),
        text_of(function, shapes={"x": "n", "a": "n"}),
        lambda x, a: gradgen.vjp(function)(x, a)[1](1.0),
    ):
        np.testing.assert_allclose(call(X, A), want, 1e-6, 1e-9)
    along = gradgen.jvp(function)(X, A, np.ones(4))[1]
    np.testing.assert_allclose(along, np.sum(want), 1e-6, 1e-9)


def by_einsum(x, k, K):
    return np.einsum("i,i,i->", x, k, k)


def by_rows(x, k, K):
    return np.einsum("i,ij->", x, K)


def by_three(x, k, K):
    return np.sum(np.einsum("i,ij,j->ij", x, K, k))


def of_a_chain(x, k, K):
    return np.sum((np.outer(x, k) @ K @ k) ** 2)


def of_outer_products(x, k, K):
    return np.trace(np.outer(x, k) @ K.T)


def on_the_left(x, k, K):
    return np.sum(K @ np.outer(k, x) @ K)


def of_tensors(x, k, K):
    return k @ np.tensordot(K, np.outer(x, k), 1) @ k


def by_differences(x, k, K):
    return np.sum(np.interp(x, np.arange(4.0) - 1, k))


def by_powers(x, k, K):
    return np.sum(x * k * k) / (1.0 * k[0] * k[0])


def of_entries(x, k, K):
    total = 0.0
    for i in range(len(x)):
        total = total + x[i] * (k[i] // 2) + x[i] * (k[i] // 3) * 1.0
    return total


DATA = [by_einsum, by_rows, by_three, of_a_chain, of_outer_products, on_the_left]
DATA += [of_tensors, by_differences, by_powers, of_entries]


SORTS = ["?", "u1", "i1", "i2", "i8"]
# masks are not divided
PAIRS = [(f, s) for f in DATA for s in SORTS[f in (by_powers, of_entries) :]]


@pytest.mark.parametrize("function, sort", PAIRS)
def test_products_of_data(function, sort):
    if sort == "?":
        data = [np.array([1, 1, 0, 1], bool), RNG.random((4, 4)) < 0.8]
    else:
        data = [RNG.integers(60, 120, shape).astype(sort) for shape in (4, (4, 4))]
    args = [X, *data]
    want = numeric_gradient(function, args, 0).value
    for call in (
        gradgen.grad(function, wrt="x"),
        gradgen.grad(function, wrt="x", fast=True),
        text_of(function, wrt="x"),
        text_of(function, wrt="x", example=tuple(args)),
    ):
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(call(*args), want, 1e-6, 1e-9)


def scaled(m, k, K):
    return np.sum(((m * K) @ (k * 1.0))[:, None] * K)


def flipped(x, n, a):
    return np.sum(x * np.flip(n) + x * (a >= 0))


def test_texts_beside_what_is_told():
    k, K = np.array([1, 1, 0, 1], bool), RNG.random((4, 4)) < 0.8
    want = numeric_gradient(scaled, [1.3, k, K], 0).value
    found = text_of(scaled, wrt="m", shapes={"m": ""})(1.3, k, K)
    np.testing.assert_allclose(found, want, 1e-6)
    want = numeric_gradient(flipped, [X, k, A], 0).value
    for options in ({}, {"general": True}):
        np.testing.assert_allclose(text_of(flipped, **options)(X, k, A), want, 1e-6)


def powers(x, n):
    return np.sum(x * n * n)


def test_an_example_of_a_byte():
    text = text_of(powers, wrt="x", example=(X, np.uint8(200)))
    np.testing.assert_allclose(text(X, np.uint8(200)), np.full(4, 40000.0))


def fitted(y, t):
    return np.polyfit(t, y, 1)


def test_whole_places_of_a_fit():
    y, t = np.array([1.0, 2.0, 4.0, 3.0, 5.0]), np.arange(5)
    plain = gradgen.grad(fitted)(y, t, seed=np.ones(2))
    fast = gradgen.grad(fitted, fast=True)(y, t, seed=np.ones(2))
    np.testing.assert_allclose(fast, plain, atol=1e-12)
    want = numeric_gradient(fitted, [y, t], 0, np.ones(2)).value
    np.testing.assert_allclose(plain, want, 1e-6, 1e-9)
