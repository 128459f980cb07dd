"""scipy.stats: counts (Poisson, binomial, Bernoulli, geometric), in their parameters.

A distribution function's slope in the rate is minus a probability: Johnson, Kemp & Kotz,
Univariate Discrete Distributions, 3rd ed., 2005, sections 3.2 and 4.2.
"""

import numpy as np
from gradgen.rules import d, elementwise, named, nonzero, refuse
from scipy import stats

module = "scipy.stats"


@elementwise
@named("poisson.pmf")
def poisson_pmf(z, k, mu):
    d[k] = refuse(d[z], "poisson.pmf in its count k", "a k that is held constant")
    d[mu] = d[z] * z * (k / nonzero(mu) - 1)


@elementwise
@named("poisson.cdf")
def poisson_cdf(z, k, mu):
    d[k] = refuse(d[z], "poisson.cdf in its count k", "a k that is held constant")
    d[mu] = -d[z] * stats.poisson.pmf(np.floor(k), mu)


@elementwise
@named("poisson.sf")
def poisson_sf(z, k, mu):
    d[k] = refuse(d[z], "poisson.sf in its count k", "a k that is held constant")
    d[mu] = d[z] * stats.poisson.pmf(np.floor(k), mu)


@elementwise
@named("binom.pmf")
def binomial_pmf(z, k, n, p):
    d[k] = refuse(d[z], "binom.pmf in its count k", "a k that is held constant")
    d[n] = refuse(d[z], "binom.pmf in its number n", "an n that is held constant")
    d[p] = d[z] * z * (k / nonzero(p) - (n - k) / nonzero(1 - p))


@elementwise
@named("binom.cdf")
def binomial_cdf(z, k, n, p):
    d[k] = refuse(d[z], "binom.cdf in its count k", "a k that is held constant")
    d[n] = refuse(d[z], "binom.cdf in its number n", "an n that is held constant")
    d[p] = -d[z] * n * stats.binom.pmf(np.floor(k), n - 1, p)


@elementwise
@named("binom.sf")
def binomial_sf(z, k, n, p):
    d[k] = refuse(d[z], "binom.sf in its count k", "a k that is held constant")
    d[n] = refuse(d[z], "binom.sf in its number n", "an n that is held constant")
    d[p] = d[z] * n * stats.binom.pmf(np.floor(k), n - 1, p)


@elementwise
@named("bernoulli.pmf")
def bernoulli_pmf(z, k, p):
    d[k] = refuse(d[z], "bernoulli.pmf in its outcome k", "a k held constant")
    d[p] = np.where(k == 1, d[z], np.where(k == 0, -d[z], 0))


@elementwise
@named("geom.logpmf")
def geometric_logpmf(z, k, p):
    d[k] = refuse(d[z], "geom.logpmf in its count k", "a k that is held constant")
    slope = 1 / nonzero(p) - (k - 1) / nonzero(1 - p)
    d[p] = np.where((k >= 1) & (k % 1 == 0), d[z] * slope, 0)


@elementwise
@named("geom.pmf")
def geometric_pmf(z, k, p):
    d[k] = refuse(d[z], "geom.pmf in its count k", "a k that is held constant")
    d[p] = d[z] * z * (1 / nonzero(p) - (k - 1) / nonzero(1 - p))
