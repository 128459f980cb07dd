"""scipy.special: the gamma and beta functions, complete and incomplete."""

import numpy as np
from gradgen.rules import (
    d,
    elementwise,
    holomorphic,
    is_complex,
    refuse,
)
from scipy import special

module = "scipy.special"


@elementwise
def gamma(z, x):
    d[x] = d[z] * z * special.digamma(x)


@elementwise
def gammaln(z, x):
    d[x] = d[z] * special.digamma(x)


@elementwise
@holomorphic
def loggamma(z, x):
    d[x] = d[z] * special.digamma(x)


@elementwise
def rgamma(z, x):
    # 5.5.3 at 0, -1, -2 ..., where z is 0 and digamma is infinite
    mirror = np.cos(np.pi * x) - np.sin(np.pi * x) * special.digamma(1 - x) / np.pi
    pole = (z == 0) & (x <= 0)
    beside = -z * special.digamma(np.where(pole, 1, x))
    slope = np.where(pole, special.gamma(1 - x) * mirror, beside)
    d[x] = d[z] * slope


@elementwise
@holomorphic
def digamma(z, x):
    if is_complex(x):
        d[x] = refuse(d[z], "digamma of a complex number", "a real one")
    else:
        d[x] = d[z] * special.polygamma(1, x)


@elementwise
def polygamma(z, n, x):
    d[n] = refuse(d[z], "polygamma in its order n", "an n that is held constant")
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
    d[a] = refuse(d[z], "gammainc in its first argument", "an a held constant")
    d[x] = d[z] * np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))


@elementwise
def gammaincc(z, a, x):
    d[a] = refuse(d[z], "gammaincc in its first argument", "an a held constant")
    d[x] = -d[z] * np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))


@elementwise
def betainc(z, a, b, x):
    d[a] = refuse(d[z], "betainc in its first argument", "an a held constant")
    d[b] = refuse(d[z], "betainc in its second argument", "a b held constant")
    powers = special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x)
    d[x] = d[z] * np.exp(powers - special.betaln(a, b))
