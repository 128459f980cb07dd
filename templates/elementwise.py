"""Exponentials, logarithms, trigonometry: z[i] depends on the arguments' [i] alone.

Logarithms of 2 and 10 are written out: np.log(2) is a float64 that would make
float64 of float32.
"""

import numpy as np
from gradgen.rules import d, elementwise, holomorphic, is_complex, like, nonzero


@elementwise
@holomorphic
def exp(z, x):
    d[x] = d[z] * z


@elementwise
@holomorphic
def exp2(z, x):
    d[x] = d[z] * 0.6931471805599453 * z


@elementwise
@holomorphic
def expm1(z, x):
    d[x] = d[z] * (z + 1)


@elementwise
@holomorphic
def log(z, x):
    d[x] = d[z] / nonzero(x)


@elementwise
@holomorphic
def log2(z, x):
    d[x] = d[z] / 0.6931471805599453 / nonzero(x)


@elementwise
@holomorphic
def log10(z, x):
    d[x] = d[z] / 2.302585092994046 / nonzero(x)


@elementwise
@holomorphic
def log1p(z, x):
    d[x] = d[z] / nonzero(1 + x)


@elementwise
def logaddexp(z, x1, x2):
    d[x1] = d[z] * np.exp(x1 - z)
    d[x2] = d[z] * np.exp(x2 - z)


@elementwise
def logaddexp2(z, x1, x2):
    d[x1] = d[z] * np.exp2(x1 - z)
    d[x2] = d[z] * np.exp2(x2 - z)


@elementwise
@holomorphic
def sqrt(z, x):
    d[x] = d[z] / (2 * nonzero(z))


@elementwise
def cbrt(z, x):
    d[x] = d[z] / 3 / nonzero(z) / z


@elementwise
@holomorphic
def sin(z, x):
    d[x] = d[z] * np.cos(x)


@elementwise
@holomorphic
def cos(z, x):
    d[x] = -d[z] * np.sin(x)


@elementwise
@holomorphic
def tan(z, x):
    d[x] = d[z] * (1 + z**2)


@elementwise
@holomorphic
def arcsin(z, x):
    if is_complex(x):  # the root has another sign on one side of the branch cut
        d[x] = d[z] / nonzero(np.cos(z))
    else:  # 1 - x**2 loses digits near 1
        d[x] = d[z] / nonzero(np.sqrt((1 - x) * (1 + x)))


@elementwise
@holomorphic
def arccos(z, x):
    if is_complex(x):
        d[x] = -d[z] / nonzero(np.sin(z))
    else:
        d[x] = -d[z] / nonzero(np.sqrt((1 - x) * (1 + x)))


@elementwise
@holomorphic
def arctan(z, x):
    d[x] = d[z] / (1 + x**2)


@elementwise
@holomorphic
def sinh(z, x):
    d[x] = d[z] * np.cosh(x)


@elementwise
@holomorphic
def cosh(z, x):
    d[x] = d[z] * np.sinh(x)


@elementwise
@holomorphic
def tanh(z, x):
    d[x] = d[z] * (1 - z**2)


@elementwise
@holomorphic
def arcsinh(z, x):
    if is_complex(x):
        d[x] = d[z] / nonzero(np.sqrt(1 + x**2))
    else:
        d[x] = d[z] / np.hypot(1, x)


@elementwise
@holomorphic
def arccosh(z, x):
    if is_complex(x):
        d[x] = d[z] / nonzero(np.sqrt(x - 1) * np.sqrt(x + 1))
    else:
        d[x] = d[z] / nonzero(np.sqrt((x - 1) * (x + 1)))


@elementwise
@holomorphic
def arctanh(z, x):
    d[x] = d[z] / nonzero((1 - x) * (1 + x))


@elementwise
def arctan2(z, x1, x2):
    r = np.hypot(x1, x2)  # x1**2 + x2**2 underflows at 1e-20 in float32
    d[x1] = d[z] * (x2 / nonzero(r) / r)
    d[x2] = -d[z] * (x1 / nonzero(r) / r)


@elementwise
def hypot(z, x1, x2):
    d[x1] = d[z] * (x1 / nonzero(z))
    d[x2] = d[z] * (x2 / nonzero(z))


@elementwise
@like("radians")
def deg2rad(z, x):
    d[x] = d[z] * (np.pi / 180)


@elementwise
@like("degrees")
def rad2deg(z, x):
    d[x] = d[z] * (180 / np.pi)
