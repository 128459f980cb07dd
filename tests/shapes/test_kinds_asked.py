"""A test behind the question whether an argument is a number says nothing of arrays."""

from numbers import Real

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def by_isinstance(t: float | np.ndarray, tau=2.0):
    if isinstance(t, Real) and t <= 0:
        return 0.0 * t
    return np.exp(-t / tau)


def by_isscalar(t, tau=2.0):
    if np.isscalar(t) and t < 0:
        return 0.0 * t
    return t * tau


def by_ndim(t, tau=2.0):
    if np.ndim(t) == 0 and t > 100:
        return 100 * tau + 0 * t
    return t**2 * tau


def by_not_an_array(t, tau=2.0):
    if not isinstance(t, np.ndarray) and t > 100:
        raise ValueError("too large")
    return t**2 * tau


def by_hasattr(t, tau=2.0):
    if hasattr(t, "shape") or t > -1:
        return t**2 * tau
    return t


def one_inside(t, tau=2.0):
    if isinstance(t, float):
        if t <= 0:
            return 0.0 * t
    return np.sqrt(t) * tau


def of_each_kind(t, tau=2.0):
    if np.isscalar(t):
        if t < 0:
            raise ValueError("negative")
    elif np.any(t < 0):
        raise ValueError("negative")
    return np.sqrt(t) * tau


FORMS = (
    *(by_isinstance, by_isscalar, by_ndim, by_not_an_array, by_hasattr),
    *(one_inside, of_each_kind),
)
AT = np.array([0.3, 0.5, 1.4]), np.array([[0.3], [2.0]]), 0.7


@pytest.mark.parametrize("f", FORMS)
@pytest.mark.parametrize("t", AT)
def test_numbers_and_arrays(f, t):
    space = {}
    exec(gradgen.emit(f), space)
    weights = np.random.default_rng(2).uniform(0.5, 1.5, np.shape(t))[()]
    want = numeric_gradient(lambda x: np.sum(weights * f(x)), (t,), 0).value
    for found in (
        space[f"grad_{f.__name__}"](t, d_out=weights),
        gradgen.grad(f)(t, seed=weights),
    ):
        assert np.shape(found) == np.shape(t)
        np.testing.assert_allclose(found, want, rtol=1e-7)


def test_one_that_raises_for_arrays_takes_numbers():
    def f(t, tau=2.0):
        if not isinstance(t, (int, float)):
            raise TypeError("a number")
        if t < 0:
            return 0.0 * t
        return t * tau

    assert "-> d_t ()" in gradgen.emit(f)
