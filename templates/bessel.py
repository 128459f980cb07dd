"""scipy.special: Bessel functions, of integer and of real order."""

import numpy as np
from gradgen.rules import (
    d,
    elementwise,
    nonzero,
    refuse,
    truncated,
)
from scipy import special

module = "scipy.special"


@elementwise
def j0(z, x):
    d[x] = -d[z] * special.j1(x)


@elementwise
def j1(z, x):
    d[x] = d[z] * (special.j0(x) - special.jv(2, x)) / 2


@elementwise
def jv(z, v, z_):
    d[v] = refuse(d[z], "jv in its order v", "a v that is held constant")
    d[z_] = d[z] * (special.jv(v - 1, z_) - special.jv(v + 1, z_)) / 2


@elementwise
def i0(z, x):
    d[x] = d[z] * special.i1(x)


@elementwise
def i1(z, x):
    d[x] = d[z] * (special.i0(x) + special.iv(2, x)) / 2


@elementwise
def iv(z, v, z_):
    d[v] = refuse(d[z], "iv in its order v", "a v that is held constant")
    d[z_] = d[z] * (special.iv(v - 1, z_) + special.iv(v + 1, z_)) / 2


@elementwise
def k0(z, x):
    d[x] = -d[z] * special.k1(x)


@elementwise
def k1(z, x):
    d[x] = -d[z] * (special.k0(x) + z / nonzero(x))


@elementwise
def y0(z, x):
    d[x] = -d[z] * special.y1(x)


@elementwise
def y1(z, x):
    d[x] = d[z] * (special.y0(x) - z / nonzero(x))


@elementwise
def i0e(z, x):
    d[x] = d[z] * (special.i1e(x) - np.sign(x) * z)  # 0 at 0


@elementwise
def i1e(z, x):
    d[x] = d[z] * ((special.i0e(x) + special.ive(2, x)) / 2 - np.sign(x) * z)


@elementwise
def ive(z, v, x):
    d[v] = refuse(d[z], "scipy.special.ive in its order", "a constant order")
    around = special.ive(v - 1, x) + special.ive(v + 1, x)
    d[x] = d[z] * (around / 2 - np.sign(x) * z)  # 0 at 0


@elementwise
def yv(z, v, z_):
    d[v] = refuse(d[z], "a Bessel function in its order", "an order held constant")
    d[z_] = d[z] * (special.yv(v - 1, z_) - special.yv(v + 1, z_)) / 2


@elementwise
def yn(z, n, x):
    d[n] = refuse(d[z], "a Bessel function in its order", "an order held constant")
    whole = truncated(n)  # scipy's own, of an order that is none
    d[x] = d[z] * (special.yn(whole - 1, x) - special.yn(whole + 1, x)) / 2


@elementwise
def kv(z, v, z_):
    d[v] = refuse(d[z], "a Bessel function in its order", "an order held constant")
    d[z_] = -d[z] * (special.kv(v - 1, z_) + special.kv(v + 1, z_)) / 2


@elementwise
def kn(z, n, x):
    d[n] = refuse(d[z], "a Bessel function in its order", "an order held constant")
    whole = truncated(n)  # scipy's own, of an order that is none
    d[x] = -d[z] * (special.kn(whole - 1, x) + special.kn(whole + 1, x)) / 2


@elementwise
def kve(z, v, x):
    d[v] = refuse(d[z], "a Bessel function in its order", "an order held constant")
    d[x] = d[z] * (z - (special.kve(v - 1, x) + special.kve(v + 1, x)) / 2)


@elementwise
def k0e(z, x):
    d[x] = d[z] * (z - special.k1e(x))


@elementwise
def k1e(z, x):
    d[x] = d[z] * (z * (1 - 1 / nonzero(x)) - special.k0e(x))
