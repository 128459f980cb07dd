"""Comparisons of shapes are one answer each: in chains, kept under a name, in a choice."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare

X, Y, Z = (
    np.array([0.3, 1.2, 2.0]),
    np.array([1.1, 0.4, 0.9]),
    np.array([2.0, 0.5, 1.0]),
)


def in_a_test(x, y, z):
    if not (x.shape == y.shape == z.shape):
        raise ValueError("not of one shape")
    return np.sum(x * y * z)


def asserted(x, y, z):
    assert np.shape(x) == np.shape(y) == np.shape(z), "not of one shape"
    return np.sum(x * y * z)


def of_arrays_made(x, y, z):
    x, y, z = (np.asarray(one, dtype=float) for one in (x, y, z))
    if not (x.ndim == 1 and x.shape == y.shape == z.shape):
        raise ValueError("not of one shape")
    return np.sum(x * y * z)


def with_a_tuple(x, y, z):
    if x.shape == y.shape == (3,):
        return np.sum(x * y * z)
    return np.sum(x)


def parts_of_shapes(x, y, z):
    if x.shape[:1] == y.shape[:1] != z.shape[1:]:
        return np.sum(x * y * z)
    return np.sum(x)


def kept(x, y, z):
    alike = x.shape == y.shape
    return np.sum(x * y * z) if alike else np.sum(x * z)


def kept_of_three(x, y, z):
    alike = x.shape == y.shape == z.shape
    if alike:
        x = x * y
    return np.sum(x * z)


FORMS = in_a_test, asserted, of_arrays_made, with_a_tuple, parts_of_shapes, kept
RAISING = in_a_test, asserted, of_arrays_made


@pytest.mark.parametrize("f", [*FORMS, kept_of_three])
def test_of_one_shape(f):
    compare(f, (X, Y, Z))


@pytest.mark.parametrize("f", [with_a_tuple, kept, kept_of_three])
def test_of_two_shapes(f):
    compare(f, (X, Y[:1], Z))


@pytest.mark.parametrize("f", RAISING)
def test_what_the_function_raises_is_raised(f):
    with pytest.raises((ValueError, AssertionError), match="not of one shape"):
        gradgen.grad(f)(X, Y[:1], Z)


def test_a_shape_beside_an_array_is_compared_entry_by_entry():
    def f(x, y):
        return np.sum(np.where(x.shape == np.array([2, 3, 2]), y, 2 * y))

    compare(f, (np.ones((2, 3, 4)), X), wrt=1, text=False)
