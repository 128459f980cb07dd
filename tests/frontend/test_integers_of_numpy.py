"""np.int64(x) and its kin cut off: whole numbers, without a derivative, of x's shape."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

X, Y = np.array([0.4, 1.3, 2.6]), np.array([1.1, 0.4, 0.9])


def of_an_entry(x, y):
    days = np.int32(x[1] + 2)
    return np.sum(x * y) * days


def fractions(x, y):
    return np.sum((x - np.int64(x)) ** 2 * y)


def places(x, y):
    k = np.uint8(np.floor(x))
    return np.sum(y[k] * x)


def rounds(x, y):
    total = 0.0
    for i in range(np.int16(x[2] + 1)):
        total = total + x[i] * y[i] ** i
    return total


def lengths(x, y):
    n = np.uint32(len(x))
    return np.sum(x * y) / n


def stored_into(x, y):
    k = np.int32(x)
    k[0] = 2
    return np.sum(y[k] * x)


def by_their_own_dtype(x, y):
    return np.sum(x / np.int8(2) * y) + np.uint64(x[2]) * y[0] * x[0]


FORMS = of_an_entry, fractions, places, rounds, lengths, stored_into, by_their_own_dtype


@pytest.mark.parametrize("f", FORMS)
@pytest.mark.parametrize("wrt", [0, 1])
def test_whole_numbers(f, wrt):
    compare(f, (X, Y), wrt)


@pytest.mark.parametrize("sort", [np.int64, np.int32, np.int16, np.intp])
def test_a_number(sort):
    def f(t):
        day = sort(t)
        return (t - day) ** 2 + day

    compare(f, (2.7,), text=False)


def test_the_dtype_of_the_argument_is_kept():
    x = X.astype(np.float32)
    slope = gradgen.grad(fractions)(x, Y.astype(np.float32))
    assert slope.dtype == np.float32
    np.testing.assert_allclose(slope, 2 * (X - np.floor(X)) * Y, rtol=1e-5)


def test_a_range_with_its_dtype_by_place():
    def f(x):
        return np.sum(np.arange(0, 3, 1, float) * x * x)

    compare(f, (X,), text=False)
