"""Elementwise functions of signs, steps, fractions and powers of two."""

import numpy as np
from gradgen.rules import constant, d, elementwise, general, same, shape, t, unused


@elementwise
def copysign(z, x1, x2):
    d[x1] = d[z] * (np.sign(x1) * np.sign(z))  # 0 at 0
    d[x2] = 0 * d[z]  # 0 everywhere, 0 included


@elementwise
def fmod(z, x1, x2):
    d[x1] = d[z]
    d[x2] = -d[z] * np.trunc(x1 / x2)


@elementwise
def ldexp(z, x1, x2):
    d[x1] = np.ldexp(d[z], x2)
    d[x2] = 0 * d[z]  # a whole number


@elementwise
def heaviside(z, x1, x2):
    d[x1] = 0 * d[z]  # 0 everywhere, the step included
    d[x2] = np.where(x1 == 0, d[z], 0)


@elementwise
def float_power(z, x1, x2):
    exponent = np.where(x2 == 0, 1, x2 - 1)
    d[x1] = d[z] * (x2 * np.float_power(x1, exponent))
    d[x2] = d[z] * (z * np.log(np.where(x1 == 0, 1.0, x1)))  # 0 at 0**p


@general
def modf(z, x):
    shape[z[0]] = same(x)
    shape[z[1]] = same(x)
    if not unused(d[z[0]]):
        d[x] = d[z[0]]
    t[z[0]] = t[x]
    t[z[1]] = 0 * t[x]


@general
def frexp(z, x):
    shape[z[0]] = same(x)
    shape[z[1]] = same(x)
    if not unused(d[z[0]]):
        d[x] = np.ldexp(d[z[0]], -z[1])
    t[z[0]] = np.ldexp(t[x], -z[1])
    t[z[1]] = 0 * t[x]


@constant
def round(z, a, decimals=0):
    shape[z] = same(a)  # 0 everywhere, steps included


@constant
def around(z, a, decimals=0):
    shape[z] = same(a)  # 0 everywhere, steps included
