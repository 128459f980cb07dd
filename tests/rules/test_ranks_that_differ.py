"""Functions of two arrays whose ranks are not told, and of other shapes than usual."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

SHAPES = [(), (1,), (3,), (1, 3), (3, 1), (3, 3), (2, 3), (2, 3, 3)]


def first_axes(x, y):
    return np.vecdot(x, y, axis=0)


def second_axes(x, y):
    return np.linalg.vecdot(x, y, axis=1) ** 2


def last_axes(x, y):
    return np.vecdot(x, y)


def before_the_last(x, y):
    return np.vecdot(x, y, axis=-2)


def extracted(x, y):
    return np.extract(y > 0, x) ** 2


def extracted_by_itself(x, y):
    return np.sum(np.extract(x > 0, x * y))


def polynomial(x, y):
    return np.polyval(x, y)


def polynomial_of_twice(x, y):
    return np.polyval(2 * y, x) ** 2


def longer_polynomial(x, y):
    return np.polyval(np.append(x, y), x)


def fitted(x, y):
    return np.polyval(np.polyfit(x, y, 0), x)


FUNCTIONS = [
    first_axes,
    second_axes,
    last_axes,
    before_the_last,
    extracted,
    extracted_by_itself,
    polynomial,
    polynomial_of_twice,
    longer_polynomial,
    fitted,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_text_is_right_or_says_what_it_takes(function):
    space: dict = {}
    exec(gradgen.emit(function, ("x", "y")), space)
    rng = np.random.default_rng(6)
    compared = 0
    for shapes in itertools.product(SHAPES, SHAPES):
        given = [rng.normal(size=shape) for shape in shapes]
        try:
            seed = rng.normal(size=np.shape(function(*given)))
        except (ValueError, IndexError, TypeError):  # NumPy does not take them
            continue
        try:
            got = space[f"grad_{function.__name__}"](*given, seed)
        except ValueError as error:
            told = str(error)
            assert "taken for" in told or "no gradient here" in told, told
            continue
        for at, found in enumerate(got):
            want = numeric_gradient(function, given, at, seed).value
            assert np.shape(found) == np.shape(want), shapes
            np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)
        compared += 1
    assert compared > 1


def test_complex_vectors_along_axes_of_ranks_that_differ():
    def across(x, y):
        return np.abs(np.sum(np.vecdot(x + 1j * y, y - 2j * x[0], axis=0))) ** 2

    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 3, 4))
    for at, found in enumerate(gradgen.grad(across, wrt=("x", "y"))(x, y)):
        want = numeric_gradient(across, (x, y), at, 1.0).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-6)
