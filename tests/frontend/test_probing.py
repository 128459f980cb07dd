"""A try block that asks what its argument is: the way that is taken is differentiated."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

VECTOR = np.array([0.7, 1.2, 0.4, 0.9])
MATRIX = np.outer(VECTOR, VECTOR) + np.eye(4)


def as_matrix(x):
    try:
        y = np.array(x)
        y.shape[0]
        x = y
    except IndexError:
        x = np.eye(2) * x
    return np.sum(x * x)


def of_rows(x):
    try:
        x.shape[1]
        return np.sum(x)
    except IndexError:
        return np.sum(x * x)


def of_items(x):
    try:
        n = len(x)  # noqa: F841
        return np.sum(x)
    except TypeError:
        return np.sum(x * x)


def is_definite(A):
    try:
        np.linalg.cholesky(A)
        return True
    except np.linalg.LinAlgError:
        return False


def by_factor(x):
    if is_definite(np.eye(3) * np.mean(x) - 1.05 * np.eye(3)):
        return np.sum(x)
    return 2 * np.sum(x * x)


def entry_alone(x):
    try:
        y = x[7]  # noqa: F841
        return np.sum(x)
    except IndexError:
        return np.sum(x * x)


@pytest.mark.parametrize("x", [0.7, VECTOR, MATRIX], ids=["number", "vector", "matrix"])
@pytest.mark.parametrize("f", [as_matrix, of_rows, of_items, by_factor])
def test_the_way_that_is_taken(f, x):
    if f is of_rows and np.ndim(x) == 0:
        x = np.array(x)
    g = gradgen.grad(f)(x)
    want = numeric_gradient(f, [x], 0).value
    assert np.shape(g) == np.shape(x)
    np.testing.assert_allclose(g, want, rtol=1e-7)


@pytest.mark.parametrize("f", [as_matrix, of_rows, of_items, entry_alone])
def test_what_is_not_known_is_refused(f):
    with pytest.raises(gradgen.GradgenError, match="GG113"):
        gradgen.emit(f)


@np.errstate(divide="ignore", invalid="ignore")
def quiet(x):
    return np.sum(np.where(x > 0, np.log(x), 0))


@np.errstate(all="ignore")
def inner(x):
    return x / (x - 1)


def calls_a_quiet_one(x):
    return np.sum(inner(x * 2)) + quiet(x)


def contained(x):
    return np.sum(np.where(np.isin(np.arange(4), [1, 2]), x, x * x))


@pytest.mark.parametrize("f", [quiet, calls_a_quiet_one, contained])
def test_decorated_by_errstate(f):
    want = numeric_gradient(f, [VECTOR], 0).value
    np.testing.assert_allclose(gradgen.grad(f)(VECTOR), want, rtol=1e-6)
    assert gradgen.emit(f)


def test_what_raises_is_not_looked_through():
    with pytest.raises(gradgen.GradgenError):
        gradgen.emit(np.errstate(all="raise")(contained))
