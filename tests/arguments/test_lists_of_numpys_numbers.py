"""Lists and tuples of NumPy's numbers, list(np.ones(3)), as those of Python's."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient


def smoothed(x, a=0.3):
    y = [0.0] * len(x)
    last = 0.0
    for i, v in enumerate(x):
        last += a * (v - last)
        y[i] = last
    return sum(one * one for one in y)


def as_arrays(x):
    x = np.asarray(x, float)
    ok = np.isfinite(x)
    return float(np.corrcoef(x[ok], x[ok][::-1] ** 2)[0, 1])


def of_the_last(x, window=2):
    if not x:
        raise ValueError("nothing")
    return sum(x[-window:]) / window


def into_rows(x):
    n = len(x)
    rows = [[0.0 for i in range(n)] for j in range(n)]
    for i in range(n):
        rows[0][i] = x[i] ** 2
    return sum(rows[0])


def by_entries(x):
    return np.mean(x) * x[0] + x[-1]


FUNCTIONS = [smoothed, as_arrays, of_the_last, into_rows, by_entries]
VALUES = np.array([1.0, 2.0, 0.5, 1.7])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("form", [list, tuple])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients(function, form, dtype):
    given = form(VALUES.astype(dtype))
    found = gradgen.grad(function)(given)
    want = numeric_gradient(lambda x: function(form(x)), [VALUES], 0).value
    assert type(found) is form
    if function is not as_arrays:
        assert {type(one) for one in found} == {dtype}
    np.testing.assert_allclose(found, want, rtol=1e-6 if dtype is np.float64 else 1e-4)
    value, _ = gradgen.value_and_grad(function)(given)
    np.testing.assert_allclose(value, function(given), rtol=1e-6)


def test_pythons_numbers_among_them():
    given = [1.0, np.float64(2.0), 0.5]
    found = gradgen.grad(smoothed)(given)
    assert [type(one) for one in found] == [float, np.float64, float]


def test_whole_numbers_have_no_gradient_and_are_held():
    with pytest.raises(GradgenError):
        gradgen.grad(by_entries)(list(np.arange(3)))
    found = gradgen.grad(lambda x, k: np.sum(x * k[1]))(VALUES, list(np.arange(3)))
    np.testing.assert_array_equal(found, np.ones(4))


def test_a_gradient_that_is_0_is_a_number_of_numpys():
    found = gradgen.grad(lambda x, y: 2 * y, wrt=("x", "y"))(
        np.float64(1), np.float32(2)
    )
    assert [type(one) for one in found] == [np.float64, np.float32]
