"""Texts of functions that take lists: by annotation, and by an example."""

import typing
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def of_entries(v: list[float], w):
    total = 0.0
    for i in range(len(v)):
        total = total + v[i] ** 2 * w
    return total


def of_ends(v: Sequence[float], w):
    return v[0] * w + v[-1] ** 2


def of_a_pair(v: str | typing.Sequence[float] | None, w):
    if isinstance(v, str):
        return 0.0 * w
    low, high = v
    return float(low) * float(high) * w


def of_some(v: typing.Optional["typing.List[float]"], w):
    return v[0] ** 3 * w + v[-1] * v[0]


def of_an_array_or_a_list(v: np.ndarray | list[float], w):
    return v[0] * w + v[-1] ** 2


def of_what_is_like_an_array(v: npt.ArrayLike, w):
    return v[0] * v[1] * w


FUNCTIONS = [
    of_entries,
    of_ends,
    of_a_pair,
    of_some,
    of_an_array_or_a_list,
    of_what_is_like_an_array,
]


@pytest.mark.parametrize("v", [[0.5, 2.5], [1, 3]])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_the_text_takes_a_list(f, v):
    want = numeric_gradient(lambda x: f(list(x), 3.0), (np.array(v, float),), 0).value
    space = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](v, 3.0)
    np.testing.assert_allclose(found, want, rtol=1e-7)


@pytest.mark.parametrize("f", [of_an_array_or_a_list, of_what_is_like_an_array])
def test_an_array_keeps_its_dtype(f):
    space = {}
    exec(gradgen.emit(f), space)
    found = space[f"grad_{f.__name__}"](np.array([0.5, 2.0], np.float32), 3.0)
    assert found.dtype == np.float32


def test_a_list_of_arrays():
    def f(rows: list[np.ndarray], h: int):
        every = [np.asarray(one, dtype=np.float64) for one in rows]
        return sum(np.sum(every[j] ** 2) for j in range(h))

    space = {}
    exec(gradgen.emit(f), space)
    rows = [np.ones((2, 2)), 2 * np.ones((2, 2))]
    found = space["grad_f"](rows, 2)
    np.testing.assert_allclose(found, 2 * np.array(rows))


def moments(x, shares, gaps):
    shares, gaps = np.asarray(shares), np.asarray(gaps)
    return np.dot(x, shares) / np.sum(shares * gaps) + np.sum(gaps**2 * x)


def by_factors(x, ks):
    total = 0.0
    for k in ks:
        total = total + np.sum(x**2) * k
    return total


@pytest.mark.parametrize(
    "f, args, told",
    [
        (moments, (np.array([0.3, 0.8]), [0.4, 0.7], [1, 3]), "--shape gaps=n"),
        (by_factors, (np.array([0.3, 0.8]), (2.0, 5.0, 0.5)), "--shape ks=m"),
        (by_factors, (np.array([0.3, 0.8]), range(3)), "--shape ks=m"),
    ],
)
def test_a_list_in_an_example_is_an_array(f, args, told):
    text = gradgen.emit(f, example=args)
    assert told in text and "taken for" not in text
    space = {}
    exec(text, space)
    found = space[f"grad_{f.__name__}"](*args)
    np.testing.assert_allclose(found, numeric_gradient(f, args, 0).value, rtol=1e-7)


@pytest.mark.parametrize("other", [[], ["a", 2], [[1, 2], [3]], None])
def test_what_is_no_array_in_an_example_tells_nothing(other):
    text = gradgen.emit(by_factors, example=(np.ones(3), other))
    assert "--shape ks" not in text
