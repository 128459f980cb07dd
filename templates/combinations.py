"""scipy.special: binomials, integrals of named functions, inverses of probabilities.

Formulas: NIST Digital Library of Mathematical Functions (https://dlmf.nist.gov), by
the section that each rule names.
"""

import numpy as np
from gradgen.rules import (
    d,
    elementwise,
    general,
    is_number,
    holomorphic,
    like,
    nonzero,
    refuse,
    same,
    shape,
    t,
    to_complex,
    unused,
)
from scipy import special

module = "scipy.special"


@elementwise
def comb(z, N, k, *, exact=False):
    rest = special.digamma(N - k + 1)  # 5.5: of three gamma functions
    # 0 where k is no number of entries of N, and comb is 0 by definition
    d[N] = np.where(z == 0, 0, d[z] * z * (special.digamma(N + 1) - rest))
    d[k] = np.where(z == 0, 0, d[z] * z * (rest - special.digamma(k + 1)))


@elementwise
def factorial(z, n, exact=False):
    # 0 where n is negative, and n! is 0 by definition
    d[n] = np.where(z == 0, 0, d[z] * z * special.digamma(n + 1))  # 5.2.2


@elementwise
def binom(z, x, y):
    rest = special.digamma(x - y + 1)
    d[x] = d[z] * z * (special.digamma(x + 1) - rest)
    d[y] = d[z] * z * (rest - special.digamma(y + 1))


@elementwise
def poch(z, z_, m):
    total = special.digamma(z_ + m)  # 5.2(iii)
    d[z_] = d[z] * z * (total - special.digamma(z_))
    d[m] = d[z] * z * total


@elementwise
def multigammaln(z, a, d_):
    # 35.3: a sum of d gamma functions' logarithms
    d[d_] = refuse(d[z], "multigammaln in its dimension d", "a d held constant")
    slopes = special.digamma(np.subtract.outer(a, np.arange(d_) / 2))
    d[a] = d[z] * np.sum(slopes, axis=-1)


@elementwise
@to_complex
def wofz(z, z_):
    d[z_] = d[z] * (1.1283791670955126j - 2 * z_ * z)  # 7.10.2


@elementwise
@to_complex
def lambertw(z, z_, k=0):
    d[z_] = d[z] * np.exp(-z) / (1 + z)  # 4.13.4


@elementwise
@holomorphic
def wrightomega(z, z_):
    d[z_] = d[z] * z / (1 + z)  # that of lambertw at exp(z_)


@elementwise
def voigt_profile(z, x, sigma, gamma):
    # 7.19: the real part of wofz; the profile is homogeneous of degree -1
    place = (x + 1j * gamma) / (1.4142135623730951 * sigma)
    slope = place * special.wofz(place)
    scale = 1.7724538509055159 * sigma**2
    along = -np.real(slope) / scale
    across = (np.imag(slope) - 0.5641895835477563) / scale
    d[x] = d[z] * along
    d[sigma] = -d[z] * (z + x * along + gamma * across) / sigma
    d[gamma] = d[z] * across


@elementwise
def ellipk(z, m):
    # 19.4.1
    slope = (special.ellipe(m) / nonzero(1 - m) - z) / np.where(m == 0, 1, 2 * m)
    # 19.5.1: pi / 8 + 9 * pi / 64 * m
    series = 0.39269908169872414 + 0.44178646691106466 * m
    d[m] = d[z] * np.where(np.abs(m) < 1e-6, series, slope)


@elementwise
def ellipe(z, m):
    slope = (z - special.ellipk(m)) / np.where(m == 0, 1, 2 * m)  # 19.4.2
    # 19.5.2: -pi / 8 - 3 * pi / 64 * m
    series = -0.39269908169872414 - 0.14726215563702155 * m
    d[m] = d[z] * np.where(np.abs(m) < 1e-6, series, slope)


@elementwise
def ellipkinc(z, phi, m):
    root = np.sqrt(1 - m * np.sin(phi) ** 2)
    d[phi] = d[z] / nonzero(root)
    # 19.4.5
    whole = special.ellipeinc(phi, m) / nonzero(1 - m) - z
    corner = np.sin(2 * phi) / (4 * nonzero(1 - m) * nonzero(root))
    slope = whole / np.where(m == 0, 1, 2 * m) - corner
    flat = (phi - np.sin(phi) * np.cos(phi)) / 4
    # the integrals of sin**2 / 2, and of 3 / 4 * sin**4
    series = flat + 3 * m * (12 * phi - 8 * np.sin(2 * phi) + np.sin(4 * phi)) / 128
    d[m] = d[z] * np.where(np.abs(m) < 1e-6, series, slope)


@elementwise
def ellipeinc(z, phi, m):
    d[phi] = d[z] * np.sqrt(1 - m * np.sin(phi) ** 2)
    slope = (z - special.ellipkinc(phi, m)) / np.where(m == 0, 1, 2 * m)  # 19.4.6
    flat = (np.sin(phi) * np.cos(phi) - phi) / 4
    # the integrals of -sin**2 / 2, and of -sin**4 / 4
    series = flat - m * (12 * phi - 8 * np.sin(2 * phi) + np.sin(4 * phi)) / 128
    d[m] = d[z] * np.where(np.abs(m) < 1e-6, series, slope)


@elementwise
def expn(z, n, x):
    d[n] = refuse(d[z], "expn in its order n", "an n that is held constant")
    if not is_number(n):
        d[x] = -d[z] * np.where(n == 0, (np.exp(-x) + z) / x, special.expn(n - 1, x))
    elif n == 0:
        d[x] = -d[z] * (np.exp(-x) + z) / x  # 8.19.12
    else:
        d[x] = -d[z] * special.expn(n - 1, x)  # 8.19.13


@elementwise
def spence(z, z_):
    slope = np.log(z_) / np.where(z_ == 1, 1, 1 - z_)  # 25.12.2
    d[z_] = d[z] * np.where(z_ == 1, (z_ - 3) / 2, slope)


@elementwise
def zeta(z, x, q=1):
    d[x] = refuse(d[z], "zeta in its argument x", "an x that is held constant")
    d[q] = -d[z] * x * special.zeta(x + 1, q)  # 25.11.17


@general
def sici(z, x):
    shape[z[0]] = same(x)
    shape[z[1]] = same(x)
    if not unused(d[z[0]]):
        d[x] = d[z[0]] * np.sinc(x / np.pi)  # 6.2.9
    if not unused(d[z[1]]):
        d[x] = d[z[1]] * np.cos(x) / x  # 6.2.13
    t[z[0]] = t[x] * np.sinc(x / np.pi)
    t[z[1]] = t[x] * np.cos(x) / x


@general
def fresnel(z, z_):
    shape[z[0]] = same(z_)
    shape[z[1]] = same(z_)
    if not unused(d[z[0]]):
        d[z_] = d[z[0]] * np.sin(np.pi / 2 * z_**2)  # 7.2.8
    if not unused(d[z[1]]):
        d[z_] = d[z[1]] * np.cos(np.pi / 2 * z_**2)  # 7.2.7
    t[z[0]] = t[z_] * np.sin(np.pi / 2 * z_**2)
    t[z[1]] = t[z_] * np.cos(np.pi / 2 * z_**2)


@general
def airy(z, z_):
    shape[z[0]] = same(z_)
    shape[z[1]] = same(z_)
    shape[z[2]] = same(z_)
    shape[z[3]] = same(z_)
    if not unused(d[z[0]]):
        d[z_] = d[z[0]] * z[1]
    if not unused(d[z[1]]):
        d[z_] = d[z[1]] * z_ * z[0]  # 9.2.1
    if not unused(d[z[2]]):
        d[z_] = d[z[2]] * z[3]
    if not unused(d[z[3]]):
        d[z_] = d[z[3]] * z_ * z[2]
    t[z[0]] = t[z_] * z[1]
    t[z[1]] = t[z_] * z_ * z[0]
    t[z[2]] = t[z_] * z[3]
    t[z[3]] = t[z_] * z_ * z[2]


@elementwise
def gammaincinv(z, a, y):
    d[a] = refuse(d[z], "gammaincinv in its first argument", "an a held constant")
    d[y] = d[z] * np.exp(special.gammaln(a) + z - special.xlogy(a - 1, z))  # 8.8.13


@elementwise
def gammainccinv(z, a, y):
    d[a] = refuse(d[z], "gammainccinv in its first argument", "an a held constant")
    d[y] = -d[z] * np.exp(special.gammaln(a) + z - special.xlogy(a - 1, z))


@elementwise
def betaincinv(z, a, b, y):
    d[a] = refuse(d[z], "betaincinv in its first argument", "an a held constant")
    d[b] = refuse(d[z], "betaincinv in its second argument", "a b held constant")
    powers = special.xlogy(a - 1, z) + special.xlog1py(b - 1, -z)  # 8.17.1
    d[y] = d[z] * np.exp(special.betaln(a, b) - powers)


@elementwise
def stdtr(z, df, t_):
    d[df] = refuse(d[z], "stdtr in its degrees of freedom", "a df held constant")
    scale = special.beta(df / 2, 0.5) * np.sqrt(df)
    d[t_] = d[z] * (1 + t_**2 / df) ** (-(df + 1) / 2) / scale


@elementwise
def chdtr(z, v, x):
    d[v] = refuse(d[z], "chdtr in its degrees of freedom", "a v held constant")
    powers = special.xlogy(v / 2 - 1, x / 2) - x / 2 - special.gammaln(v / 2)
    d[x] = d[z] / 2 * np.exp(powers)


@elementwise
def chdtrc(z, v, x):
    d[v] = refuse(d[z], "chdtrc in its degrees of freedom", "a v held constant")
    powers = special.xlogy(v / 2 - 1, x / 2) - x / 2 - special.gammaln(v / 2)
    d[x] = -d[z] / 2 * np.exp(powers)
