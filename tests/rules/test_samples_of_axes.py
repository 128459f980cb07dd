"""scipy.stats: samples of several axes, as its decorator hands them on."""

import numpy as np
import pytest
from scipy import stats

import gradgen
from gradgen.verify.finite import numeric_gradient

A = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 5.0]])
HIGH = np.array([6.0, 6.5])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_the_mode_along_an_axis(axis):
    def f(a):
        return np.sum(stats.mode(a, axis=axis)[0])

    value, found = gradgen.value_and_grad(f)(A)
    assert value == f(A)
    np.testing.assert_allclose(found, numeric_gradient(f, [A], 0).value, atol=1e-9)


@pytest.mark.parametrize("name", ["ttest_ind", "levene", "f_oneway"])
def test_samples_of_several_ranks_are_refused(name):
    def f(a, x):
        return np.sum(getattr(stats, name)(a, x)[0])

    with pytest.raises((gradgen.GradgenError, NotImplementedError)):
        gradgen.grad(f)(A, np.array([0.5, 1.5]))


@pytest.mark.parametrize("name", ["circmean", "circvar", "circstd"])
def test_tangents_with_bounds_of_arrays_are_refused(name):
    def f(x):
        return getattr(stats, name)(x, high=HIGH).sum()

    with pytest.raises(gradgen.GradgenError):
        gradgen.jvp(f)(np.array([1.0, 2.0]), np.ones(2))
