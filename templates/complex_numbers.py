"""The parts of complex numbers.

What flows back to a complex x is dL/dRe(x) - i dL/dIm(x), so that a rule for real
numbers holds as it stands where the function is holomorphic.
"""

import numpy as np
from gradgen.rules import (
    conj,
    d,
    elementwise,
    holomorphic,
    is_complex,
    named,
    nonzero,
    small,
    t,
    to_real,
)


@elementwise
@to_real
def real(z, val):
    d[val] = d[z]


@elementwise
@to_real
def imag(z, val):
    if is_complex(val):
        t[z] = np.imag(small(t[val]))
        d[val] = -1j * d[z]
    else:
        t[z] = 0 * small(t[val])
        d[val] = 0 * d[z]


@elementwise
@holomorphic
@named("conj")
def conjugate_of(z, x):
    d[x] = conj(d[z])


@elementwise
@to_real
def angle(z, z_, deg=False):
    if not is_complex(z_):
        d[z_] = 0 * d[z]  # 0 on the real axis, its negative half included
    elif deg:
        d[z_] = -1j * (180 / np.pi) * d[z] / nonzero(z_)
    else:
        d[z_] = -1j * d[z] / nonzero(z_)
