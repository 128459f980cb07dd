"""scipy.stats: densities and probabilities, their gradients in closed form.

Outside its support a distribution's logarithm is -inf, and its gradient 0 here.
"""

import numpy as np
from gradgen.rules import (
    count,
    d,
    elementwise,
    general,
    named,
    nonzero,
    rank,
    refuse,
    shape,
    squeezed_rows,
    t,
)
from scipy import special

module = "scipy.stats"


@elementwise
@named("norm.pdf")
def normal_pdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    d[x] = -d[z] * z * y / scale
    d[loc] = d[z] * z * y / scale
    d[scale] = d[z] * z * (y**2 - 1) / scale


@elementwise
@named("norm.logpdf")
def normal_logpdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    d[x] = -d[z] * y / scale
    d[loc] = d[z] * y / scale
    d[scale] = d[z] * (y**2 - 1) / scale


@elementwise
@named("norm.cdf")
def normal_cdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = 0.3989422804014327 * np.exp(-(y**2) / 2) / scale
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("norm.sf")
def normal_sf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = 0.3989422804014327 * np.exp(-(y**2) / 2) / scale
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("norm.logcdf")
def normal_logcdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    ratio = 0.3989422804014327 * np.exp(-(y**2) / 2 - z) / scale
    d[x] = d[z] * ratio
    d[loc] = -d[z] * ratio
    d[scale] = -d[z] * ratio * y


@elementwise
@named("norm.logsf")
def normal_logsf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    ratio = 0.3989422804014327 * np.exp(-(y**2) / 2 - z) / scale
    d[x] = -d[z] * ratio
    d[loc] = d[z] * ratio
    d[scale] = d[z] * ratio * y


@elementwise
@named("norm.ppf")
def normal_ppf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    d[q] = d[z] * 2.5066282746310002 * scale * np.exp(y**2 / 2)
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("t.logpdf")
def students_logpdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    pull = (df + 1) * y / (df + y**2)
    d[x] = -d[z] * pull / scale
    d[df] = (
        d[z]
        / 2
        * (
            special.digamma((df + 1) / 2)
            - special.digamma(df / 2)
            - np.log1p(y**2 / df)
            + (y * pull - 1) / df
        )
    )
    d[loc] = d[z] * pull / scale
    d[scale] = d[z] * (y * pull - 1) / scale


@elementwise
@named("gamma.logpdf")
def gamma_logpdf(z, x, a, loc=0, scale=1):
    y = (x - loc) / scale
    pull = (a - 1) / nonzero(y) - 1
    d[x] = np.where(y > 0, d[z] * pull / scale, 0)
    d[a] = np.where(y > 0, d[z] * (np.log(y) - special.digamma(a)), 0)
    d[loc] = np.where(y > 0, -d[z] * pull / scale, 0)
    d[scale] = np.where(y > 0, -d[z] * (y * pull + 1) / scale, 0)


@elementwise
@named("beta.logpdf")
def beta_logpdf(z, x, a, b, loc=0, scale=1):
    y = (x - loc) / scale
    inside = (y > 0) & (y < 1)
    pull = (a - 1) / nonzero(y) - (b - 1) / nonzero(1 - y)
    total = special.digamma(a + b)
    d[x] = np.where(inside, d[z] * pull / scale, 0)
    d[a] = np.where(inside, d[z] * (np.log(y) - special.digamma(a) + total), 0)
    d[b] = np.where(inside, d[z] * (np.log1p(-y) - special.digamma(b) + total), 0)
    d[loc] = np.where(inside, -d[z] * pull / scale, 0)
    d[scale] = np.where(inside, -d[z] * (y * pull + 1) / scale, 0)


@elementwise
@named("expon.logpdf")
def exponential_logpdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    d[x] = np.where(y >= 0, -d[z] / scale, 0)
    d[loc] = np.where(y >= 0, d[z] / scale, 0)
    d[scale] = np.where(y >= 0, d[z] * (y - 1) / scale, 0)


@elementwise
@named("laplace.logpdf")
def laplace_logpdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    d[x] = -d[z] * np.sign(y) / scale  # 0 at the peak
    d[loc] = d[z] * np.sign(y) / scale
    d[scale] = d[z] * (np.abs(y) - 1) / scale


@elementwise
@named("cauchy.logpdf")
def cauchy_logpdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    slope = 2 * y / (1 + y * y)
    d[x] = -d[z] * slope / scale
    d[loc] = d[z] * slope / scale
    d[scale] = d[z] * (slope * y - 1) / scale


@elementwise
@named("logistic.logpdf")
def logistic_logpdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    slope = np.tanh(y / 2)
    d[x] = -d[z] * slope / scale
    d[loc] = d[z] * slope / scale
    d[scale] = d[z] * (slope * y - 1) / scale


@elementwise
@named("chi2.logpdf")
def chi2_logpdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    slope = (df / 2 - 1) / y - 0.5
    d[x] = d[z] * slope / scale
    d[df] = d[z] * (np.log(y / 2) - special.digamma(df / 2)) / 2
    d[loc] = -d[z] * slope / scale
    d[scale] = -d[z] * (slope * y + 1) / scale


@elementwise
@named("uniform.logpdf")
def uniform_logpdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    d[x] = 0 * d[z]
    d[loc] = 0 * d[z]
    d[scale] = np.where((y >= 0) & (y <= 1), -d[z] / scale, 0)


@elementwise
@named("lognorm.logpdf")
def lognormal_logpdf(z, x, s, loc=0, scale=1):
    y = (x - loc) / scale
    w = np.log(y) / s
    pull = (w / s + 1) / nonzero(y)
    d[x] = np.where(y > 0, -d[z] * pull / scale, 0)
    d[s] = np.where(y > 0, d[z] * (w**2 - 1) / s, 0)
    d[loc] = np.where(y > 0, d[z] * pull / scale, 0)
    d[scale] = np.where(y > 0, d[z] * w / s / scale, 0)


@elementwise
@named("poisson.logpmf")
def poisson_logpmf(z, k, mu):
    d[k] = refuse(d[z], "poisson.logpmf in its count k", "a k that is held constant")
    d[mu] = np.where((k >= 0) & (k % 1 == 0), d[z] * (k / nonzero(mu) - 1), 0)


@elementwise
@named("binom.logpmf")
def binomial_logpmf(z, k, n, p):
    d[k] = refuse(d[z], "binom.logpmf in its count k", "a k that is held constant")
    d[n] = refuse(d[z], "binom.logpmf in its number n", "an n that is held constant")
    slope = k / nonzero(p) - (n - k) / nonzero(1 - p)
    d[p] = np.where((k >= 0) & (k <= n) & (k % 1 == 0), d[z] * slope, 0)


@elementwise
@named("bernoulli.logpmf")
def bernoulli_logpmf(z, k, p):
    d[k] = refuse(d[z], "bernoulli.logpmf in its outcome k", "a k held constant")
    slope = np.where(k == 1, 1 / nonzero(p), -1 / nonzero(1 - p))
    d[p] = np.where((k == 0) | (k == 1), d[z] * slope, 0)


@general
@named("multivariate_normal.logpdf")
def multivariate_normal_logpdf(z, x, mean, cov, allow_singular=False):
    shape[z] = squeezed_rows(x, mean)  # SciPy gives a number for one row
    if rank(cov) != 2 or rank(mean) != 1 or rank(x) is None or rank(x) > 2:
        d[x] = refuse(d[z], "multivariate_normal.logpdf of these ranks", "shape facts")
        d[mean] = refuse(d[z], "multivariate_normal.logpdf of these ranks", "facts")
        d[cov] = refuse(d[z], "multivariate_normal.logpdf of these ranks", "facts")
    elif rank(x) == 0 or rank(x) == rank(z):
        d[x] = refuse(d[z], "multivariate_normal.logpdf of numbers", "norm.logpdf")
        d[mean] = refuse(d[z], "multivariate_normal.logpdf of numbers", "norm.logpdf")
        d[cov] = refuse(d[z], "multivariate_normal.logpdf of numbers", "norm.logpdf")
    elif rank(x) == 1:
        flow = np.linalg.solve(cov, x - mean)
        d[x] = -d[z] * flow
        d[mean] = d[z] * flow
        inverse = np.linalg.inv(cov)
        d[cov] = d[z] / 2 * (np.outer(flow, flow) - inverse)
        moved = flow @ t[cov] / 2 - (t[x] - t[mean])
        t[z] = np.sum(moved * flow) - np.sum(inverse * t[cov]) / 2
    else:
        flow = np.linalg.solve(cov, (x - mean).T).T
        scaled = np.reshape(d[z], (count(x, 0), 1)) * flow
        d[x] = -scaled
        d[mean] = np.sum(scaled, axis=0)
        inverse = np.linalg.inv(cov)
        d[cov] = (scaled.T @ flow - np.sum(d[z]) * inverse) / 2
        moved = flow @ t[cov] / 2 - (t[x] - t[mean])
        slopes = np.sum(moved * flow, axis=-1)
        t[z] = np.reshape(slopes, np.shape(z)) - np.sum(inverse * t[cov]) / 2
