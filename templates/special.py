"""scipy.special: the gradients call scipy where no formula of numpy's will do.

Roots of pi are written out: np.sqrt(np.pi) is a float64 that would make float64
of float32.
"""

import numpy as np
from gradgen.rules import (
    beyond,
    d,
    elementwise,
    general,
    is_number,
    nonzero,
    rank,
    reduced_rows,
    refuse,
    same,
    shape,
    t,
    unbroadcast,
    unreduce,
    varies,
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
    d[x] = d[z] / nonzero(x) / nonzero(1 - x)


@elementwise
def expm1(z, x):
    d[x] = d[z] * (z + 1)


@elementwise
def exp2(z, x):
    d[x] = d[z] * 0.6931471805599453 * z


@elementwise
def exp10(z, x):
    d[x] = d[z] * 2.302585092994046 * z


@elementwise
def log1p(z, x):
    d[x] = d[z] / nonzero(1 + x)


@elementwise
def cosm1(z, x):
    d[x] = -d[z] * np.sin(x)


@elementwise
def erf(z, x):
    d[x] = d[z] * 1.1283791670955126 * np.exp(-(x**2))


@elementwise
def erfc(z, x):
    d[x] = -d[z] * 1.1283791670955126 * np.exp(-(x**2))


@elementwise
def erfcx(z, x):
    d[x] = d[z] * (2 * x * z - 1.1283791670955126)


@elementwise
def erfinv(z, y):
    d[y] = d[z] * 0.8862269254527579 * np.exp(z**2)


@elementwise
def erfcinv(z, y):
    d[y] = -d[z] * 0.8862269254527579 * np.exp(z**2)


@elementwise
def dawsn(z, x):
    d[x] = d[z] * (1 - 2 * x * z)


@elementwise
def ndtr(z, x):
    d[x] = d[z] * 0.3989422804014327 * np.exp(-(x**2) / 2)


@elementwise
def log_ndtr(z, x):
    d[x] = d[z] * 0.3989422804014327 * np.exp(-(x**2) / 2 - z)


@elementwise
def ndtri(z, y):
    d[y] = d[z] * 2.5066282746310002 * np.exp(z**2 / 2)


@elementwise
def xlogy(z, x, y):
    d[x] = d[z] * np.log(y)
    d[y] = np.where(x == 0, 0, d[z] * x / nonzero(y))  # 0 at x = y = 0


@elementwise
def xlog1py(z, x, y):
    d[x] = d[z] * np.log1p(y)
    d[y] = np.where(x == 0, 0, d[z] * x / nonzero(1 + y))  # 0 at x = 0, y = -1


@elementwise
def entr(z, x):
    d[x] = -d[z] * (np.log(x) + 1)


@elementwise
def rel_entr(z, x, y):
    d[x] = d[z] * (np.log(x / nonzero(y)) + 1)
    d[y] = -d[z] * x / nonzero(y)


@elementwise
def kl_div(z, x, y):
    d[x] = d[z] * np.log(x / nonzero(y))
    d[y] = d[z] * (1 - x / nonzero(y))


@elementwise
def huber(z, delta, r):
    d[delta] = d[z] * np.maximum(np.abs(r) - delta, 0)
    d[r] = d[z] * np.clip(r, -delta, delta)


@elementwise
def erfi(z, x):
    d[x] = d[z] * 1.1283791670955126 * np.exp(x**2)


@elementwise
def expi(z, x):
    d[x] = d[z] * np.exp(x) / nonzero(x)


@elementwise
def exp1(z, x):
    d[x] = -d[z] * np.exp(-x) / nonzero(x)


@elementwise
def exprel(z, x):
    series = 0.5 + x * (1 / 3 + x * (0.125 + x * (1 / 30 + x / 144)))
    slope = np.where(np.abs(x) < 0.01, series, (np.exp(x) - z) / nonzero(x))
    d[x] = d[z] * slope


@elementwise
def pseudo_huber(z, delta, r):
    root = np.sqrt(1 + (r / nonzero(delta)) ** 2)
    d[delta] = d[z] * (2 * z - r**2 / root) / nonzero(delta)
    d[r] = d[z] * r / root


@elementwise
def boxcox(z, x, lmbda):
    d[x] = d[z] * x ** (lmbda - 1)
    d[lmbda] = refuse(d[z], "boxcox in its exponent lmbda", "an lmbda held constant")


@elementwise
def boxcox1p(z, x, lmbda):
    d[x] = d[z] * (1 + x) ** (lmbda - 1)
    d[lmbda] = refuse(d[z], "boxcox1p in its exponent lmbda", "an lmbda held constant")


@general
def softmax(z, x, axis=None):
    shape[z] = same(x)
    t[z] = z * (t[x] - np.sum(t[x] * z, axis=axis, keepdims=True))
    d[x] = z * (d[z] - np.sum(d[z] * z, axis=axis, keepdims=True))


@general
def log_softmax(z, x, axis=None):
    shape[z] = same(x)
    t[z] = t[x] - np.sum(t[x] * np.exp(z), axis=axis, keepdims=True)
    d[x] = d[z] - np.exp(z) * np.sum(d[z], axis=axis, keepdims=True)


@general
def logsumexp(z, a, axis=None, b=None, keepdims=False):
    shape[z] = reduced_rows(a * b, axis, keepdims)  # numpy's broadcasting, where b is given
    if keepdims and b is None and rank(a) == 0:
        d[a] = unbroadcast(d[z] * np.exp(a - z), a)
        t[z] = np.exp(a - z) * t[a]
    elif b is None:
        weights = np.exp(a - unreduce(z, a, axis, keepdims))
        t[z] = np.sum(weights * t[a], axis=axis, keepdims=beyond(keepdims, False))
        d[a] = unreduce(d[z], a, axis, keepdims) * weights
    else:
        level = unreduce(z, a * b, axis, keepdims)
        flowing = unreduce(d[z], a * b, axis, keepdims)
        if is_number(b):
            share = b * np.exp(a - level)
        else:
            # 0 where b is 0, though exp(a - z) may be infinite
            share = b * np.exp(np.where(b == 0, -np.inf, a) - level)
        change = share * t[a]
        if varies(t[b]):
            change = change + np.exp(a - level) * t[b]
        t[z] = np.sum(change, axis=axis, keepdims=beyond(keepdims, False))
        d[a] = unbroadcast(flowing * share, a)
        d[b] = unbroadcast(flowing * np.exp(a - level), b)
