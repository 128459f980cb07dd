"""scipy.special: the laws of statistical tests, their inverses, and turned transforms.

Formulas: NIST Digital Library of Mathematical Functions (https://dlmf.nist.gov), by
the section that each rule names.
"""

import numpy as np
from gradgen.rules import d, elementwise, refuse
from scipy import special

module = "scipy.special"


@elementwise
def betaincc(z, a, b, x):
    d[a] = refuse(d[z], "betaincc in its first argument", "an a held constant")
    d[b] = refuse(d[z], "betaincc in its second argument", "a b held constant")
    powers = special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x)  # 8.17.1
    d[x] = -d[z] * np.exp(powers - special.betaln(a, b))


@elementwise
def betainccinv(z, a, b, y):
    d[a] = refuse(d[z], "betainccinv in its first argument", "an a held constant")
    d[b] = refuse(d[z], "betainccinv in its second argument", "a b held constant")
    powers = special.xlogy(a - 1, z) + special.xlog1py(b - 1, -z)
    d[y] = -d[z] * np.exp(special.betaln(a, b) - powers)


@elementwise
def stdtrit(z, df, p):
    d[df] = refuse(d[z], "stdtrit in its degrees of freedom", "a df held constant")
    scale = special.beta(df / 2, 0.5) * np.sqrt(df)
    d[p] = d[z] * scale * (1 + z**2 / df) ** ((df + 1) / 2)


@elementwise
def chdtri(z, v, p):
    d[v] = refuse(d[z], "chdtri in its degrees of freedom", "a v held constant")
    powers = special.xlogy(v / 2 - 1, z / 2) - z / 2 - special.gammaln(v / 2)
    d[p] = -2 * d[z] * np.exp(-powers)


@elementwise
def fdtr(z, dfn, dfd, x):
    d[dfn] = refuse(d[z], "fdtr in its degrees of freedom", "a dfn held constant")
    d[dfd] = refuse(d[z], "fdtr in its degrees of freedom", "a dfd held constant")
    powers = special.xlogy(dfn / 2 - 1, dfn * x) + dfd / 2 * np.log(dfd)
    powers = powers - (dfn + dfd) / 2 * np.log(dfn * x + dfd)
    d[x] = d[z] * dfn * np.exp(powers - special.betaln(dfn / 2, dfd / 2))


@elementwise
def fdtrc(z, dfn, dfd, x):
    d[dfn] = refuse(d[z], "fdtrc in its degrees of freedom", "a dfn held constant")
    d[dfd] = refuse(d[z], "fdtrc in its degrees of freedom", "a dfd held constant")
    powers = special.xlogy(dfn / 2 - 1, dfn * x) + dfd / 2 * np.log(dfd)
    powers = powers - (dfn + dfd) / 2 * np.log(dfn * x + dfd)
    d[x] = -d[z] * dfn * np.exp(powers - special.betaln(dfn / 2, dfd / 2))


@elementwise
def fdtri(z, dfn, dfd, p):
    d[dfn] = refuse(d[z], "fdtri in its degrees of freedom", "a dfn held constant")
    d[dfd] = refuse(d[z], "fdtri in its degrees of freedom", "a dfd held constant")
    powers = special.xlogy(dfn / 2 - 1, dfn * z) + dfd / 2 * np.log(dfd)
    powers = powers - (dfn + dfd) / 2 * np.log(dfn * z + dfd)
    d[p] = d[z] / dfn * np.exp(special.betaln(dfn / 2, dfd / 2) - powers)


@elementwise
def gdtr(z, a, b, x):
    d[b] = refuse(d[z], "gdtr in its second argument", "a b held constant")
    density = np.exp(special.xlogy(b - 1, a * x) - a * x - special.gammaln(b))
    d[a] = d[z] * density * x
    d[x] = d[z] * density * a


@elementwise
def gdtrc(z, a, b, x):
    d[b] = refuse(d[z], "gdtrc in its second argument", "a b held constant")
    density = np.exp(special.xlogy(b - 1, a * x) - a * x - special.gammaln(b))
    d[a] = -d[z] * density * x
    d[x] = -d[z] * density * a


@elementwise
def pdtr(z, k, m):
    d[k] = refuse(d[z], "pdtr in its count", "a k held constant")
    n = np.floor(k)
    d[m] = -d[z] * np.exp(special.xlogy(n, m) - m - special.gammaln(n + 1))


@elementwise
def pdtrc(z, k, m):
    d[k] = refuse(d[z], "pdtrc in its count", "a k held constant")
    n = np.floor(k)
    d[m] = d[z] * np.exp(special.xlogy(n, m) - m - special.gammaln(n + 1))


@elementwise
def ndtri_exp(z, y):
    d[y] = d[z] * 2.5066282746310002 * np.exp(y + z**2 / 2)


@elementwise
def tklmbda(z, x, lmbda):
    d[lmbda] = refuse(d[z], "tklmbda in its shape lmbda", "an lmbda held constant")
    slope = d[z] / (z ** (lmbda - 1) + (1 - z) ** (lmbda - 1))
    d[x] = np.where((z > 0) & (z < 1), slope, 0)  # beyond its ends the law is flat


@elementwise
def owens_t(z, h, a):
    root = 1.4142135623730951  # of two
    d[h] = -d[z] * np.exp(-(h**2) / 2) * special.erf(a * h / root) / 5.0132565492620005
    d[a] = d[z] * np.exp(-(h**2) * (1 + a**2) / 2) / (6.283185307179586 * (1 + a**2))


@elementwise
def inv_boxcox(z, y, lmbda):
    d[y] = d[z] * z ** (1 - lmbda)
    d[lmbda] = refuse(d[z], "inv_boxcox in its exponent", "an lmbda held constant")


@elementwise
def inv_boxcox1p(z, y, lmbda):
    d[y] = d[z] * (1 + z) ** (1 - lmbda)
    d[lmbda] = refuse(d[z], "inv_boxcox1p in its exponent", "an lmbda held constant")


@elementwise
def powm1(z, x, y):
    d[x] = d[z] * y * x ** np.where(y == 0, 1, y - 1)
    d[y] = d[z] * (1 + z) * np.log(np.where(x == 0, 1.0, x))
