"""scipy.stats: times and sizes (exponential, Weibull, Pareto).

y is (x - loc) / scale. A distribution function's slope is its density, and that of the
quantiles its reciprocal; where no closed
form of it is known, the derivative in a parameter is refused.
Formulas: Forbes, Evans, Hastings & Peacock, Statistical Distributions, 4th ed., 2011.
"""

import numpy as np
from gradgen.rules import d, elementwise, named, nonzero
from scipy import special, stats

module = "scipy.stats"


@elementwise
@named("expon.pdf")
def expon_pdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    d[x] = np.where(y >= 0, -d[z] * z / scale, 0)
    d[loc] = np.where(y >= 0, d[z] * z / scale, 0)
    d[scale] = np.where(y >= 0, d[z] * z * (y - 1) / scale, 0)


@elementwise
@named("expon.cdf")
def expon_cdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.expon.pdf(x, loc, scale)
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("expon.sf")
def expon_sf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.expon.pdf(x, loc, scale)
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("expon.logcdf")
def expon_logcdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.expon.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("expon.logsf")
def expon_logsf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.expon.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("expon.ppf")
def expon_ppf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.expon.pdf(z, loc, scale)
    d[q] = d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("expon.isf")
def expon_isf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.expon.pdf(z, loc, scale)
    d[q] = -d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("weibull_min.pdf")
def weibull_min_pdf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    power = y**c
    slope = (c - 1 - c * power) / nonzero(y)
    d[x] = np.where(y > 0, d[z] * z * slope / scale, 0)
    d[c] = np.where(y > 0, d[z] * z * (1 / c + np.log(y) * (1 - power)), 0)
    d[loc] = np.where(y > 0, -d[z] * z * slope / scale, 0)
    d[scale] = np.where(y > 0, -d[z] * z * (slope * y + 1) / scale, 0)


@elementwise
@named("weibull_min.logpdf")
def weibull_min_logpdf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    power = y**c
    slope = (c - 1 - c * power) / nonzero(y)
    d[x] = np.where(y > 0, d[z] * slope / scale, 0)
    d[c] = np.where(y > 0, d[z] * (1 / c + np.log(y) * (1 - power)), 0)
    d[loc] = np.where(y > 0, -d[z] * slope / scale, 0)
    d[scale] = np.where(y > 0, -d[z] * (slope * y + 1) / scale, 0)


@elementwise
@named("weibull_min.cdf")
def weibull_min_cdf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.weibull_min.pdf(x, c, loc, scale)
    d[x] = d[z] * density
    d[c] = np.where(y > 0, d[z] * density * scale * (special.xlogy(y, y) / c), 0)
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("weibull_min.sf")
def weibull_min_sf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.weibull_min.pdf(x, c, loc, scale)
    d[x] = -d[z] * density
    d[c] = np.where(y > 0, -d[z] * density * scale * (special.xlogy(y, y) / c), 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("weibull_min.logcdf")
def weibull_min_logcdf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.weibull_min.logpdf(x, c, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = d[z] * density
    d[c] = np.where(y > 0, d[z] * density * scale * (special.xlogy(y, y) / c), 0)
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("weibull_min.logsf")
def weibull_min_logsf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    hazard = c / scale * np.exp(special.xlogy(c - 1, y))  # the density over the rest
    density = np.where((y < 0) | (z == -np.inf), 0, hazard)
    d[x] = -d[z] * density
    d[c] = np.where(y > 0, -d[z] * density * scale * (special.xlogy(y, y) / c), 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("weibull_min.ppf")
def weibull_min_ppf(z, q, c, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.weibull_min.pdf(z, c, loc, scale)
    d[q] = d[z] / density
    d[c] = -d[z] * scale * (special.xlogy(y, y) / c)
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("weibull_min.isf")
def weibull_min_isf(z, q, c, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.weibull_min.pdf(z, c, loc, scale)
    d[q] = -d[z] / density
    d[c] = -d[z] * scale * (special.xlogy(y, y) / c)
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("pareto.pdf")
def pareto_pdf(z, x, b, loc=0, scale=1):
    y = (x - loc) / scale
    slope = -(b + 1) / nonzero(y)
    d[x] = np.where(y >= 1, d[z] * z * slope / scale, 0)
    d[b] = np.where(y >= 1, d[z] * z * (1 / b - np.log(y)), 0)
    d[loc] = np.where(y >= 1, -d[z] * z * slope / scale, 0)
    d[scale] = np.where(y >= 1, -d[z] * z * (slope * y + 1) / scale, 0)


@elementwise
@named("pareto.logpdf")
def pareto_logpdf(z, x, b, loc=0, scale=1):
    y = (x - loc) / scale
    slope = -(b + 1) / nonzero(y)
    d[x] = np.where(y >= 1, d[z] * slope / scale, 0)
    d[b] = np.where(y >= 1, d[z] * (1 / b - np.log(y)), 0)
    d[loc] = np.where(y >= 1, -d[z] * slope / scale, 0)
    d[scale] = np.where(y >= 1, -d[z] * (slope * y + 1) / scale, 0)


@elementwise
@named("pareto.cdf")
def pareto_cdf(z, x, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.pareto.pdf(x, b, loc, scale)
    d[x] = d[z] * density
    d[b] = np.where(y >= 1, d[z] * density * scale * (special.xlogy(y, y) / b), 0)
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("pareto.sf")
def pareto_sf(z, x, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.pareto.pdf(x, b, loc, scale)
    d[x] = -d[z] * density
    d[b] = np.where(y >= 1, -d[z] * density * scale * (special.xlogy(y, y) / b), 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("pareto.logcdf")
def pareto_logcdf(z, x, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.pareto.logpdf(x, b, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = d[z] * density
    d[b] = np.where(y >= 1, d[z] * density * scale * (special.xlogy(y, y) / b), 0)
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("pareto.logsf")
def pareto_logsf(z, x, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.pareto.logpdf(x, b, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = -d[z] * density
    d[b] = np.where(y >= 1, -d[z] * density * scale * (special.xlogy(y, y) / b), 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("pareto.ppf")
def pareto_ppf(z, q, b, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.pareto.pdf(z, b, loc, scale)
    d[q] = d[z] / density
    d[b] = -d[z] * scale * (special.xlogy(y, y) / b)
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("pareto.isf")
def pareto_isf(z, q, b, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.pareto.pdf(z, b, loc, scale)
    d[q] = -d[z] / density
    d[b] = -d[z] * scale * (special.xlogy(y, y) / b)
    d[loc] = d[z]
    d[scale] = d[z] * y
