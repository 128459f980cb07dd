"""scipy.special: each gradient calls scipy where the primal does.

Square roots of pi are written out: np.sqrt(np.pi) is a float64 that would make
float64 of float32.
"""

import numpy as np
from gradgen.rules import (
    d,
    elementwise,
    general,
    is_number,
    like,
    nonzero,
    reduced,
    refuse,
    same,
    shape,
    unbroadcast,
    unreduce,
)
from scipy import special

module = "scipy.special"


@elementwise
def expit(z, x):
    d[x] = d[z] * z * (1 - z)


@elementwise
def log_expit(z, x):
    d[x] = d[z] * special.expit(-x)


@elementwise
def logit(z, x):
    d[x] = d[z] / nonzero(x * (1 - x))


@elementwise
def erf(z, z_):
    d[z_] = d[z] * 1.1283791670955126 * np.exp(-(z_**2))  # 2 / sqrt(pi)


@elementwise
def erfc(z, x):
    d[x] = -d[z] * 1.1283791670955126 * np.exp(-(x**2))


@elementwise
def erfinv(z, y):
    d[y] = d[z] * 0.886226925452758 * np.exp(z**2)


@elementwise
def erfcinv(z, y):
    d[y] = -d[z] * 0.886226925452758 * np.exp(z**2)


@elementwise
def erfcx(z, x):
    d[x] = d[z] * (2 * x * z - 1.1283791670955126)


@elementwise
def dawsn(z, x):
    d[x] = d[z] * (1 - 2 * x * z)


@elementwise
@like("loggamma")
def gammaln(z, x):
    d[x] = d[z] * special.digamma(x)


@elementwise
def gamma(z, x):
    d[x] = d[z] * z * special.digamma(x)


@elementwise
def rgamma(z, x):
    d[x] = -d[z] * z * special.digamma(x)


@elementwise
def digamma(z, x):
    d[x] = d[z] * special.polygamma(1, x)


@elementwise
def polygamma(z, n, x):
    d[n] = refuse(d[z], "the order n of polygamma", "an n that is held constant")
    d[x] = d[z] * special.polygamma(n + 1, x)


@elementwise
def beta(z, a, b):
    total = special.digamma(a + b)
    d[a] = d[z] * z * (special.digamma(a) - total)
    d[b] = d[z] * z * (special.digamma(b) - total)


@elementwise
def betaln(z, a, b):
    total = special.digamma(a + b)
    d[a] = d[z] * (special.digamma(a) - total)
    d[b] = d[z] * (special.digamma(b) - total)


@elementwise
def gammainc(z, a, x):
    d[a] = refuse(d[z], "the first argument of gammainc", "an a held constant")
    d[x] = d[z] * np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))


@elementwise
def gammaincc(z, a, x):
    d[a] = refuse(d[z], "the first argument of gammaincc", "an a held constant")
    d[x] = -d[z] * np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))


@elementwise
def xlogy(z, x, y):
    d[x] = d[z] * special.xlogy(np.sign(x) ** 2, y)  # 0 at x = y = 0
    d[y] = d[z] * x / nonzero(y)


@elementwise
def exp10(z, x):
    d[x] = d[z] * 2.302585092994046 * z


@elementwise
def i0(z, x):
    d[x] = d[z] * special.i1(x)
