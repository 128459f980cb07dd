"""scipy.stats: gamma, chi-squared and lognormal numbers.

y is (x - loc) / scale. A distribution function's slope is its density, and that of the
quantiles its reciprocal; where no closed
form of it is known, the derivative in a parameter is refused.
Formulas: Forbes, Evans, Hastings & Peacock, Statistical Distributions, 4th ed., 2011.
"""

import numpy as np
from gradgen.rules import d, elementwise, named, nonzero, refuse
from scipy import special, stats

module = "scipy.stats"


@elementwise
@named("gamma.pdf")
def gamma_pdf(z, x, a, loc=0, scale=1):
    y = (x - loc) / scale
    slope = (a - 1) / nonzero(y) - 1
    d[x] = np.where(y > 0, d[z] * z * slope / scale, 0)
    d[a] = np.where(y > 0, d[z] * z * (np.log(y) - special.digamma(a)), 0)
    d[loc] = np.where(y > 0, -d[z] * z * slope / scale, 0)
    d[scale] = np.where(y > 0, -d[z] * z * (slope * y + 1) / scale, 0)


@elementwise
@named("gamma.cdf")
def gamma_cdf(z, x, a, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.gamma.pdf(x, a, loc, scale)
    d[x] = d[z] * density
    d[a] = refuse(d[z], "gamma.cdf in a", "a a held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("gamma.sf")
def gamma_sf(z, x, a, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.gamma.pdf(x, a, loc, scale)
    d[x] = -d[z] * density
    d[a] = refuse(d[z], "gamma.sf in a", "a a held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("gamma.logcdf")
def gamma_logcdf(z, x, a, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.gamma.logpdf(x, a, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = d[z] * density
    d[a] = refuse(d[z], "gamma.logcdf in a", "a a held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("gamma.logsf")
def gamma_logsf(z, x, a, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.gamma.logpdf(x, a, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = -d[z] * density
    d[a] = refuse(d[z], "gamma.logsf in a", "a a held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("gamma.ppf")
def gamma_ppf(z, q, a, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.gamma.pdf(z, a, loc, scale)
    d[q] = d[z] / density
    d[a] = refuse(d[z], "gamma.ppf in a", "a a held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("gamma.isf")
def gamma_isf(z, q, a, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.gamma.pdf(z, a, loc, scale)
    d[q] = -d[z] / density
    d[a] = refuse(d[z], "gamma.isf in a", "a a held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("chi2.pdf")
def chi2_pdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    slope = (df / 2 - 1) / nonzero(y) - 0.5
    d[x] = np.where(y > 0, d[z] * z * slope / scale, 0)
    d[df] = np.where(
        y > 0, d[z] * z * ((np.log(y / 2) - special.digamma(df / 2)) / 2), 0
    )
    d[loc] = np.where(y > 0, -d[z] * z * slope / scale, 0)
    d[scale] = np.where(y > 0, -d[z] * z * (slope * y + 1) / scale, 0)


@elementwise
@named("chi2.cdf")
def chi2_cdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.chi2.pdf(x, df, loc, scale)
    d[x] = d[z] * density
    d[df] = refuse(d[z], "chi2.cdf in df", "a df held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("chi2.sf")
def chi2_sf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.chi2.pdf(x, df, loc, scale)
    d[x] = -d[z] * density
    d[df] = refuse(d[z], "chi2.sf in df", "a df held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("chi2.logcdf")
def chi2_logcdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.chi2.logpdf(x, df, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = d[z] * density
    d[df] = refuse(d[z], "chi2.logcdf in df", "a df held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("chi2.logsf")
def chi2_logsf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.chi2.logpdf(x, df, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = -d[z] * density
    d[df] = refuse(d[z], "chi2.logsf in df", "a df held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("chi2.ppf")
def chi2_ppf(z, q, df, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.chi2.pdf(z, df, loc, scale)
    d[q] = d[z] / density
    d[df] = refuse(d[z], "chi2.ppf in df", "a df held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("chi2.isf")
def chi2_isf(z, q, df, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.chi2.pdf(z, df, loc, scale)
    d[q] = -d[z] / density
    d[df] = refuse(d[z], "chi2.isf in df", "a df held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("lognorm.pdf")
def lognorm_pdf(z, x, s, loc=0, scale=1):
    y = (x - loc) / scale
    w = np.log(y) / s
    slope = -(w / s + 1) / nonzero(y)
    d[x] = np.where(y > 0, d[z] * z * slope / scale, 0)
    d[s] = np.where(y > 0, d[z] * z * ((w**2 - 1) / s), 0)
    d[loc] = np.where(y > 0, -d[z] * z * slope / scale, 0)
    d[scale] = np.where(y > 0, -d[z] * z * (slope * y + 1) / scale, 0)


@elementwise
@named("lognorm.cdf")
def lognorm_cdf(z, x, s, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.lognorm.pdf(x, s, loc, scale)
    d[x] = d[z] * density
    d[s] = np.where(y > 0, d[z] * density * scale * (-special.xlogy(y, y) / s), 0)
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("lognorm.sf")
def lognorm_sf(z, x, s, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.lognorm.pdf(x, s, loc, scale)
    d[x] = -d[z] * density
    d[s] = np.where(y > 0, -d[z] * density * scale * (-special.xlogy(y, y) / s), 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("lognorm.logcdf")
def lognorm_logcdf(z, x, s, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.lognorm.logpdf(x, s, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = d[z] * density
    d[s] = np.where(y > 0, d[z] * density * scale * (-special.xlogy(y, y) / s), 0)
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("lognorm.logsf")
def lognorm_logsf(z, x, s, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.lognorm.logpdf(x, s, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = -d[z] * density
    d[s] = np.where(y > 0, -d[z] * density * scale * (-special.xlogy(y, y) / s), 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("lognorm.ppf")
def lognorm_ppf(z, q, s, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.lognorm.pdf(z, s, loc, scale)
    d[q] = d[z] / density
    d[s] = -d[z] * scale * (-special.xlogy(y, y) / s)
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("lognorm.isf")
def lognorm_isf(z, q, s, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.lognorm.pdf(z, s, loc, scale)
    d[q] = -d[z] / density
    d[s] = -d[z] * scale * (-special.xlogy(y, y) / s)
    d[loc] = d[z]
    d[scale] = d[z] * y
