"""Laws of SciPy's where they are flat, far out, and of counts that are no whole numbers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special as special
import scipy.stats as stats

import gradgen


def lambdas(x, k):
    return special.tklmbda(x, k)


def poisson(k, m):
    return special.pdtr(k, m)


def rest_of_poisson(k, m):
    return special.pdtrc(k, m)


@pytest.mark.parametrize("k", [0.3, 0.8, 1.2, 2.0, 3.5, -0.7])
@pytest.mark.parametrize("x", [-4.1, -1.3, -0.2, 0.3, 0.45, 1.5, 6.0])
def test_a_law_is_flat_beyond_its_ends(x, k):
    if k > 0 and abs(abs(x) - 1 / k) < 0.06:
        return
    step = 1e-5
    want = (lambdas(x + step, k) - lambdas(x - step, k)) / (2 * step)
    got = gradgen.grad(lambdas)(x, k)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("function", [poisson, rest_of_poisson])
@pytest.mark.parametrize("k", [0, 0.4, 1, 1.9, 2.5, 7.2])
@pytest.mark.parametrize("m", [0.4, 1.7, 6.0])
def test_a_count_is_rounded_down(function, k, m):
    step = 1e-5
    want = (function(k, m + step) - function(k, m - step)) / (2 * step)
    got = gradgen.grad(function, wrt="m")(k, m)
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)


def lifetimes(x, c, scale):
    return stats.weibull_min.logsf(x, c, 0.0, scale)


def maxima(x, loc, scale):
    return stats.gumbel_r.logcdf(x, loc, scale)


@pytest.mark.parametrize("x", [-2.0, 0.7, 3.0, 2e3, 5e6])
@pytest.mark.parametrize("c", [0.6, 1.0, 3.5])
def test_lifetimes_far_out(x, c):
    scale = 1.3
    got = gradgen.grad(lifetimes, wrt=("x", "c", "scale"))(x, c, scale)
    y = max(x, 0.0) / scale
    power, log = y**c * (x > 0), np.log(y) if x > 0 else 0.0
    want = [-c * power / x, -power * log, c * power / scale]  # of -(x / scale)**c
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("x", [-40.0, -8.0, 0.3, 5.0])
def test_maxima_far_out(x):
    loc, scale = 0.4, 0.5
    got = gradgen.grad(maxima, wrt=("x", "loc", "scale"))(x, loc, scale)
    slope = np.exp(-(x - loc) / scale) / scale  # of -exp(-(x - loc) / scale)
    want = [slope, -slope, -slope * (x - loc) / scale]
    np.testing.assert_allclose(got, want, rtol=1e-12)
