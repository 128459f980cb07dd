"""scipy.stats: inverse gamma, inverse Gaussian, its reciprocal, and fatigue life.

In the shape of the inverse Gaussian the two terms of its distribution function cancel
but for one: Chhikara & Folks, The Inverse Gaussian Distribution, 1989, section 2.3.
"""

import numpy as np
from gradgen.rules import d, elementwise, named, nonzero, refuse
from scipy import special, stats

module = "scipy.stats"


@elementwise
@named("invgamma.pdf")
def invgamma_pdf(z, x, a, loc=0, scale=1):
    y = (x - loc) / scale
    inside = np.where(y > 0, y, 1)
    pull = (1 / inside - a - 1) / inside
    d[x] = d[z] * z * pull / scale
    d[a] = -d[z] * z * (np.log(inside) + special.digamma(a))
    d[loc] = -d[z] * z * pull / scale
    d[scale] = -d[z] * z * (y * pull + 1) / scale


@elementwise
@named("invgamma.sf")
def invgamma_sf(z, x, a, loc=0, scale=1):
    density = stats.invgamma.pdf(x, a, loc, scale)
    d[x] = -d[z] * density
    d[a] = refuse(d[z], "invgamma.sf in a", "an a held constant")
    d[loc] = d[z] * density
    d[scale] = d[z] * density * (x - loc) / scale


@elementwise
@named("invgauss.pdf")
def invgauss_pdf(z, x, mu, loc=0, scale=1):
    y = (x - loc) / scale
    inside = np.where(y > 0, y, 1)
    pull = (1 / inside**2 - 1 / mu**2) / 2 - 1.5 / inside
    d[x] = d[z] * z * pull / scale
    d[mu] = d[z] * z * (y - mu) / nonzero(mu) ** 3
    d[loc] = -d[z] * z * pull / scale
    d[scale] = -d[z] * z * (y * pull + 1) / scale


@elementwise
@named("invgauss.sf")
def invgauss_sf(z, x, mu, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.invgauss.pdf(x, mu, loc, scale)
    inside = np.where(y > 0, y, 1)
    tail = special.log_ndtr(-(inside / mu + 1) / np.sqrt(inside))
    d[x] = -d[z] * density
    d[mu] = np.where(y > 0, d[z] * 2 * np.exp(2 / mu + tail) / mu**2, 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("recipinvgauss.pdf")
def recipinvgauss_pdf(z, x, mu, loc=0, scale=1):
    y = (x - loc) / scale
    inside = np.where(y > 0, y, 1)
    pull = (1 / (mu * inside) ** 2 - 1 / inside - 1) / 2
    d[x] = d[z] * z * pull / scale
    d[mu] = d[z] * z * (1 / mu - inside) / (inside * mu**2)
    d[loc] = -d[z] * z * pull / scale
    d[scale] = -d[z] * z * (y * pull + 1) / scale


@elementwise
@named("recipinvgauss.sf")
def recipinvgauss_sf(z, x, mu, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.recipinvgauss.pdf(x, mu, loc, scale)
    inside = np.where(y > 0, y, 1)
    tail = special.log_ndtr(-(1 / mu + inside) / np.sqrt(inside))
    d[x] = -d[z] * density
    d[mu] = np.where(y > 0, -d[z] * 2 * np.exp(2 / mu + tail) / mu**2, 0)
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y


@elementwise
@named("fatiguelife.pdf")
def fatiguelife_pdf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    inside = np.where(y > 0, y, 1)
    pull = 1 / (inside + 1) - 1.5 / inside - (1 - 1 / inside**2) / (2 * c**2)
    d[x] = d[z] * z * pull / scale
    d[c] = d[z] * z * ((inside - 1) ** 2 / (inside * c**2) - 1) / c
    d[loc] = -d[z] * z * pull / scale
    d[scale] = -d[z] * z * (y * pull + 1) / scale


@elementwise
@named("fatiguelife.sf")
def fatiguelife_sf(z, x, c, loc=0, scale=1):
    y = (x - loc) / scale
    density = stats.fatiguelife.pdf(x, c, loc, scale)
    inside = np.where(y > 0, y, 1)
    d[x] = -d[z] * density
    d[c] = d[z] * 2 * inside * (inside - 1) / (inside + 1) * density * scale / c
    d[loc] = d[z] * density
    d[scale] = d[z] * density * y
