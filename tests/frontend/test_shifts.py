"""Shifts of whole numbers: n << 1, k >> 1, of Python's and of NumPy's."""

import operator

import numpy as np
import pytest

import gradgen

X = np.array([0.1, 0.4, 0.6, 0.9, 1.3])


def next_power(x, n):
    i = 1
    while i < n:
        i <<= 1
    return np.sum(x * x) / i


def both_ways(x, n):
    return np.sum(x * (n >> 1) + x * (n << 2))


def of_places(x, n):
    k = np.arange(len(x))
    return np.sum(x * (k >> 1) * (1 << k)) * n


def bisected(x, n):
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) >> 1
        if x[middle] < 0.5:
            low = middle + 1
        else:
            high = middle
    return x[low - 1] ** 2 * n


def beside_others(x, n):
    return np.sum(x) * ((1 << n) + 1 - (1 << n + 1)) + x[n >> 1 & 3] * (n << 1 | 1)


def of_a_mask(x, n):
    return np.sum(x * ((x > 0.5) << 1) * (True << 2)) * n


def in_place(x, n):
    k = np.arange(len(x))
    k <<= 1
    k >>= np.array([0, 1, 0, 1, 0])
    return np.sum(k * x * x) * n


def by_name(x, n):
    shifted = np.right_shift(n, 1) + operator.lshift(2, n)
    return np.sum(x * np.left_shift(n, 1)) + np.sum(x**2) * shifted


FORMS = [next_power, both_ways, of_places, bisected, beside_others, of_a_mask]


@pytest.mark.parametrize("f", [*FORMS, in_place, by_name])
@pytest.mark.parametrize("n", [3, np.uint8(3), np.int64(6)], ids=repr)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_shifts(f, n, dtype):
    steps = 1e-6 * np.eye(5)
    wanted = [(f(X + step, n) - f(X - step, n)) / 2e-6 for step in steps]
    got = gradgen.grad(f)(X.astype(dtype), n)
    assert got.dtype == dtype
    room = 1e-6 if dtype is np.float64 else 1e-4
    np.testing.assert_allclose(got, wanted, rtol=room, atol=room)
    space = {}
    exec(gradgen.emit(f), space)
    made = space[f"grad_{f.__name__}"]
    np.testing.assert_allclose(made(X, n), wanted, rtol=1e-6, atol=1e-6)


def of_entries(x, n):
    return np.sum(x * (n >> 1))


def test_shifts_of_arrays_of_few_bits():
    for kind in (np.uint8, np.int16, np.int64):
        n = np.array([1, 2, 3, 200 if kind is np.uint8 else 9, 5], kind)
        got = gradgen.grad(of_entries)(X, n)
        np.testing.assert_array_equal(got, n >> 1)
        assert got.dtype == np.float64
