"""SciPy's functions of samples: axes, several samples, results with names."""

import numpy as np
import pytest
from scipy import stats

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(3)
A = RNG.normal(size=9) + 0.4
B = RNG.normal(size=9) * 0.7
ROWS = RNG.normal(size=(8, 3))

ONE = {
    "t of one sample": lambda a: stats.ttest_1samp(a, 0.2).statistic,
    "p of one sample": lambda a: stats.ttest_1samp(a, 0.2).pvalue,
    "skew": lambda a: stats.skewtest(a)[0],
    "kurtosis": lambda a: stats.kurtosistest(a)[1],
    "jarque_bera": lambda a: stats.jarque_bera(a).statistic,
    "k": lambda a: stats.kstat(a, 3),
    "variation": lambda a: stats.variation(a, ddof=1),
    "iqr": lambda a: stats.iqr(a),
    "sigma": lambda a: np.sum(stats.zmap(a, B)),
}
TWO = {
    "t": lambda a, b: stats.ttest_ind(a, b).statistic,
    "welch": lambda a, b: stats.ttest_ind(a, b, equal_var=False).statistic,
    "slope": lambda a, b: stats.linregress(a, b).slope,
    "p of a line": lambda a, b: stats.linregress(a, b).pvalue,
}
BY_ROWS = {
    "axis 0": lambda x: np.sum(stats.ttest_1samp(x, 0.2).statistic),
    "axis 1": lambda x: np.sum(stats.ttest_1samp(x, 0.2, axis=1).statistic ** 2),
    "none": lambda x: stats.skewtest(x, axis=None).statistic,
    "rows": lambda x: np.sum(stats.kurtosistest(x, axis=0).statistic),
}


def differs(function, args, i=0):
    want = numeric_gradient(function, list(args), i).value
    names = function.__code__.co_varnames
    got = gradgen.grad(function, wrt=names[i])(*args)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("name", ONE)
def test_one_sample(name):
    differs(ONE[name], (A,))


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("place", [0, 1])
def test_two_samples(name, place):
    differs(TWO[name], (A, B), place)


@pytest.mark.parametrize("name", BY_ROWS)
def test_axes(name):
    differs(BY_ROWS[name], (ROWS,))


def test_a_result_with_names_takes_a_tuple_for_a_seed():
    got = gradgen.grad(stats.ttest_1samp)(A, 0.2, seed=(1.0, 0.0))
    want = numeric_gradient(ONE["t of one sample"], [A], 0).value
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_other_ways_with_nan_are_refused():
    def omitting(a):
        return stats.skewtest(a, nan_policy="omit").statistic

    def keeping(a):
        return stats.skewtest(a, keepdims=True).statistic

    for function in (omitting, keeping):
        with pytest.raises((gradgen.GradgenError, NotImplementedError)):
            gradgen.grad(function)(A)


def test_samples_too_small_raise():
    def skew(a):
        return stats.skewtest(a).statistic

    with pytest.raises(ValueError, match="small"):
        gradgen.grad(skew)(A[:5])
