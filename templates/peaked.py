"""scipy.stats: peaks on a line (Cauchy, logistic, Laplace, Gumbel).

y is (x - loc) / scale. A distribution function's slope is its density, and that of the
quantiles its reciprocal; where no closed
form of it is known, the derivative in a parameter is refused.
Formulas: Forbes, Evans, Hastings & Peacock, Statistical Distributions, 4th ed., 2011.
"""

import numpy as np
from gradgen.rules import d, elementwise, named
from scipy import stats

module = "scipy.stats"


@elementwise
@named("cauchy.pdf")
def cauchy_pdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    slope = -2 * y / (1 + y**2)
    d[x] = d[z] * z * slope / scale
    d[loc] = -d[z] * z * slope / scale
    d[scale] = -d[z] * z * (slope * y + 1) / scale


@elementwise
@named("cauchy.cdf")
def cauchy_cdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.cauchy.pdf(x, loc, scale)
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("cauchy.sf")
def cauchy_sf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.cauchy.pdf(x, loc, scale)
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("cauchy.logcdf")
def cauchy_logcdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.cauchy.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("cauchy.logsf")
def cauchy_logsf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.cauchy.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("cauchy.ppf")
def cauchy_ppf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.cauchy.pdf(z, loc, scale)
    d[q] = d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("cauchy.isf")
def cauchy_isf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.cauchy.pdf(z, loc, scale)
    d[q] = -d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("logistic.pdf")
def logistic_pdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    slope = -np.tanh(y / 2)
    d[x] = d[z] * z * slope / scale
    d[loc] = -d[z] * z * slope / scale
    d[scale] = -d[z] * z * (slope * y + 1) / scale


@elementwise
@named("logistic.cdf")
def logistic_cdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.logistic.pdf(x, loc, scale)
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("logistic.sf")
def logistic_sf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.logistic.pdf(x, loc, scale)
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("logistic.logcdf")
def logistic_logcdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.logistic.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("logistic.logsf")
def logistic_logsf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.logistic.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("logistic.ppf")
def logistic_ppf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.logistic.pdf(z, loc, scale)
    d[q] = d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("logistic.isf")
def logistic_isf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.logistic.pdf(z, loc, scale)
    d[q] = -d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("laplace.pdf")
def laplace_pdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    slope = -np.sign(y)  # 0 at the peak
    d[x] = d[z] * z * slope / scale
    d[loc] = -d[z] * z * slope / scale
    d[scale] = -d[z] * z * (slope * y + 1) / scale


@elementwise
@named("laplace.cdf")
def laplace_cdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.laplace.pdf(x, loc, scale)
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("laplace.sf")
def laplace_sf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.laplace.pdf(x, loc, scale)
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("laplace.logcdf")
def laplace_logcdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.laplace.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("laplace.logsf")
def laplace_logsf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.laplace.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("laplace.ppf")
def laplace_ppf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.laplace.pdf(z, loc, scale)
    d[q] = d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("laplace.isf")
def laplace_isf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.laplace.pdf(z, loc, scale)
    d[q] = -d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("gumbel_r.pdf")
def gumbel_r_pdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    slope = np.exp(-y) - 1
    d[x] = d[z] * z * slope / scale
    d[loc] = -d[z] * z * slope / scale
    d[scale] = -d[z] * z * (slope * y + 1) / scale


@elementwise
@named("gumbel_r.logpdf")
def gumbel_r_logpdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    slope = np.exp(-y) - 1
    d[x] = d[z] * slope / scale
    d[loc] = -d[z] * slope / scale
    d[scale] = -d[z] * (slope * y + 1) / scale


@elementwise
@named("gumbel_r.cdf")
def gumbel_r_cdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.gumbel_r.pdf(x, loc, scale)
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("gumbel_r.sf")
def gumbel_r_sf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.gumbel_r.pdf(x, loc, scale)
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("gumbel_r.logcdf")
def gumbel_r_logcdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.where(z == -np.inf, 0, np.exp(-y) / scale)
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("gumbel_r.logsf")
def gumbel_r_logsf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.gumbel_r.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("gumbel_r.ppf")
def gumbel_r_ppf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.gumbel_r.pdf(z, loc, scale)
    d[q] = d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("gumbel_r.isf")
def gumbel_r_isf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.gumbel_r.pdf(z, loc, scale)
    d[q] = -d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y
