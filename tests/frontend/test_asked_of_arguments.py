"""Questions that people ask of arguments: typing's classes, iter in a try, views."""

import typing

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.measured import X, at_three_points, is_right


def of_typing(x):
    if isinstance(x, typing.Sequence):
        return x[0]
    return np.sum(x**2)


def among_others(x):
    if isinstance(x, (list, typing.Iterable, np.ndarray)):
        return np.sum(x**3)
    return np.sum(x)


def view(x):
    y = x * 2
    z = y.view()
    z[...] = x**2
    y[0] = 2 * y[0]
    return np.sum(y * z)


def turned_to(x):
    return np.sum(x.view() ** 2)


def each_row(x):
    rows = np.stack([x, x**2])
    found = np.apply_along_axis(lambda r, k, p=1: np.sum(r**p) * k, 1, rows, 2.0, p=3)
    return np.sum(found**2)


def each_column(x):
    rows = np.stack([x, x**2])
    found = np.apply_along_axis(func1d=np.cumsum, axis=0, arr=rows)
    return np.sum(found**2)


def with_what_is_around(x):
    k = x[0]

    def scaled(row, a):
        return row * a * k

    rows = np.stack([x, x**2])
    return np.sum(np.apply_along_axis(scaled, -1, rows, a=x[1]) ** 2)


@at_three_points
@pytest.mark.parametrize(
    "function",
    [
        *(of_typing, among_others, view, turned_to, each_row, each_column),
        with_what_is_around,
    ],
)
def test_functions(function, x):
    is_right(function, x)


def asked(x):
    try:
        iter(x)
        many = True
    except TypeError:
        many = False
    return np.sum(x**2) if many else 3 * x


def left_out(x):
    try:
        _ = iter(x)
    except TypeError:
        return 3 * x
    return np.sum(x**2)


def made_many(x):
    try:
        _ = iter(x)
    except TypeError:
        x = np.array([x])
    return np.sum(x**3)


@pytest.mark.parametrize("function", [asked, left_out, made_many])
@pytest.mark.parametrize("x", [X, 0.7, np.float64(1.2), np.array(0.4)], ids=repr)
def test_whether_it_has_items(function, x):
    value, got = gradgen.value_and_grad(function)(x)
    want = numeric_gradient(function, [x], 0).value
    np.testing.assert_allclose(value, function(x))
    np.testing.assert_allclose(got, want, rtol=1e-6)
