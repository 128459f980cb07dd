"""scipy.stats: numbers of an interval (beta, uniform) and Student's t.

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
@named("beta.pdf")
def beta_pdf(z, x, a, b, loc=0, scale=1):
    y = (x - loc) / scale
    total = special.digamma(a + b)
    slope = (a - 1) / nonzero(y) - (b - 1) / nonzero(1 - y)
    d[x] = np.where((y > 0) & (y < 1), d[z] * z * slope / scale, 0)
    d[a] = np.where(
        (y > 0) & (y < 1), d[z] * z * (np.log(y) - special.digamma(a) + total), 0
    )
    d[b] = np.where(
        (y > 0) & (y < 1), d[z] * z * (np.log1p(-y) - special.digamma(b) + total), 0
    )
    d[loc] = np.where((y > 0) & (y < 1), -d[z] * z * slope / scale, 0)
    d[scale] = np.where((y > 0) & (y < 1), -d[z] * z * (slope * y + 1) / scale, 0)


@elementwise
@named("beta.cdf")
def beta_cdf(z, x, a, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.beta.pdf(x, a, b, loc, scale)
    d[x] = d[z] * density
    d[a] = refuse(d[z], "beta.cdf in a", "a a held constant")
    d[b] = refuse(d[z], "beta.cdf in b", "a b held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("beta.sf")
def beta_sf(z, x, a, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.beta.pdf(x, a, b, loc, scale)
    d[x] = -d[z] * density
    d[a] = refuse(d[z], "beta.sf in a", "a a held constant")
    d[b] = refuse(d[z], "beta.sf in b", "a b held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("beta.logcdf")
def beta_logcdf(z, x, a, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.beta.logpdf(x, a, b, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = d[z] * density
    d[a] = refuse(d[z], "beta.logcdf in a", "a a held constant")
    d[b] = refuse(d[z], "beta.logcdf in b", "a b held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("beta.logsf")
def beta_logsf(z, x, a, b, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(
        stats.beta.logpdf(x, a, b, loc, scale) - np.where(z == -np.inf, 0, z)
    )
    d[x] = -d[z] * density
    d[a] = refuse(d[z], "beta.logsf in a", "a a held constant")
    d[b] = refuse(d[z], "beta.logsf in b", "a b held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("beta.ppf")
def beta_ppf(z, q, a, b, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.beta.pdf(z, a, b, loc, scale)
    d[q] = d[z] / density
    d[a] = refuse(d[z], "beta.ppf in a", "a a held constant")
    d[b] = refuse(d[z], "beta.ppf in b", "a b held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("beta.isf")
def beta_isf(z, q, a, b, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.beta.pdf(z, a, b, loc, scale)
    d[q] = -d[z] / density
    d[a] = refuse(d[z], "beta.isf in a", "a a held constant")
    d[b] = refuse(d[z], "beta.isf in b", "a b held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("uniform.pdf")
def uniform_pdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    d[x] = 0 * d[z]
    d[loc] = 0 * d[z]
    d[scale] = np.where((y >= 0) & (y <= 1), -d[z] * z / scale, 0)


@elementwise
@named("uniform.cdf")
def uniform_cdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.uniform.pdf(x, loc, scale)
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("uniform.sf")
def uniform_sf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.uniform.pdf(x, loc, scale)
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("uniform.logcdf")
def uniform_logcdf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.uniform.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = d[z] * density
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("uniform.logsf")
def uniform_logsf(z, x, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.uniform.logpdf(x, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = -d[z] * density
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("uniform.ppf")
def uniform_ppf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.uniform.pdf(z, loc, scale)
    d[q] = d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("uniform.isf")
def uniform_isf(z, q, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.uniform.pdf(z, loc, scale)
    d[q] = -d[z] / density
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("t.pdf")
def t_pdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    slope = -(df + 1) * y / (df + y**2)
    d[x] = d[z] * z * slope / scale
    d[df] = (
        d[z]
        * z
        * (
            (
                special.digamma((df + 1) / 2)
                - special.digamma(df / 2)
                - np.log1p(y**2 / df)
                - (y * slope + 1) / df
            )
            / 2
        )
    )
    d[loc] = -d[z] * z * slope / scale
    d[scale] = -d[z] * z * (slope * y + 1) / scale


@elementwise
@named("t.cdf")
def t_cdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.t.pdf(x, df, loc, scale)
    d[x] = d[z] * density
    d[df] = refuse(d[z], "t.cdf in df", "a df held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("t.sf")
def t_sf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.t.pdf(x, df, loc, scale)
    d[x] = -d[z] * density
    d[df] = refuse(d[z], "t.sf in df", "a df held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("t.logcdf")
def t_logcdf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.t.logpdf(x, df, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = d[z] * density
    d[df] = refuse(d[z], "t.logcdf in df", "a df held constant")
    d[loc] = -d[z] * density
    d[scale] = -d[z] * density * y


@elementwise
@named("t.logsf")
def t_logsf(z, x, df, loc=0, scale=1):
    y = (x - loc) / scale
    density = np.exp(stats.t.logpdf(x, df, loc, scale) - np.where(z == -np.inf, 0, z))
    d[x] = -d[z] * density
    d[df] = refuse(d[z], "t.logsf in df", "a df held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("t.ppf")
def t_ppf(z, q, df, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.t.pdf(z, df, loc, scale)
    d[q] = d[z] / density
    d[df] = refuse(d[z], "t.ppf in df", "a df held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y


@elementwise
@named("t.isf")
def t_isf(z, q, df, loc=0, scale=1):
    y = (z - loc) / scale
    density = stats.t.pdf(z, df, loc, scale)
    d[q] = -d[z] / density
    d[df] = refuse(d[z], "t.isf in df", "a df held constant")
    d[loc] = d[z]
    d[scale] = d[z] * y
