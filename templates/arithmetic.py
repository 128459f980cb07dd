"""Arithmetic: one rule per function, named as in numpy.

z is the result; the other parameters are numpy's. `d[x] = ...` gives what flows
back to x, from d[z]. The engine takes care of broadcasting.
"""

import numpy as np
from gradgen.rules import (
    constant,
    d,
    elementwise,
    holomorphic,
    is_complex,
    is_number,
    like,
    nonzero,
    to_real,
)


@elementwise
@holomorphic
def add(z, x1, x2):
    d[x1] = d[z]
    d[x2] = d[z]


@elementwise
@holomorphic
def subtract(z, x1, x2):
    d[x1] = d[z]
    d[x2] = -d[z]


@elementwise
@holomorphic
def multiply(z, x1, x2):
    d[x1] = d[z] * x2
    d[x2] = d[z] * x1


@elementwise
@holomorphic
def divide(z, x1, x2):
    d[x1] = d[z] / nonzero(x2)
    d[x2] = -d[z] * z / nonzero(x2)  # never x2 * x2, which underflows


@elementwise
@holomorphic
def negative(z, x):
    d[x] = -d[z]


@elementwise
@holomorphic
def positive(z, x):
    d[x] = d[z]


@elementwise
@holomorphic
def reciprocal(z, x):
    d[x] = -d[z] * z * z


@elementwise
@holomorphic
def power(z, x1, x2):
    if is_number(x1) and is_complex(x2) and not is_complex(x1) and x1 < 0:
        d[x2] = d[z] * z * np.log(x1 + 0j)
    elif is_number(x1) and x1 == 0:
        d[x2] = 0 * d[z]
    elif is_number(x1):
        d[x2] = d[z] * z * np.log(x1)
    elif not is_number(x2):
        if rank(x2) == 0:
            exponent = x2 - (x2 != 0)
        elif rank(x2) is None:
            exponent = x2 - 1 + (x2 == 0)
        else:
            exponent = np.where(x2 == 0, 1, x2 - 1)
        d[x1] = d[z] * (x2 * x1**exponent)
        if is_complex(x2) and not is_complex(x1):
            d[x2] = d[z] * (z * np.log(np.where(x1 == 0, 1.0, x1) + 0j))
        else:
            d[x2] = d[z] * (z * np.log(np.where(x1 == 0, 1.0, x1)))  # 0 at 0**p
    elif x2 == 1:
        d[x1] = d[z]
    elif x2 == 0.5:
        d[x1] = d[z] / (2 * nonzero(z))
    elif x2 == 0:
        d[x1] = 0 * d[z]
    else:
        d[x1] = d[z] * x2 * x1 ** (x2 - 1)


@elementwise
@holomorphic
def square(z, x):
    d[x] = d[z] * 2 * x


@elementwise
@like("mod")
def remainder(z, x1, x2):
    d[x1] = d[z]
    d[x2] = -d[z] * np.floor(x1 / nonzero(x2))


@elementwise
@to_real
@like("absolute", "fabs")
def abs(z, x):
    if is_complex(x):
        d[x] = d[z] * (np.conj(x) / np.where(z == 0, 1, z))
    else:
        d[x] = d[z] * np.sign(x)  # 0 at 0


@elementwise
def maximum(z, x1, x2):
    d[x1] = np.where(x1 == x2, d[z] / 2, np.where(x1 > x2, d[z], 0))  # half at a tie
    d[x2] = np.where(x1 == x2, d[z] / 2, np.where(x1 < x2, d[z], 0))


@elementwise
def minimum(z, x1, x2):
    d[x1] = np.where(x1 == x2, d[z] / 2, np.where(x1 < x2, d[z], 0))  # half at a tie
    d[x2] = np.where(x1 == x2, d[z] / 2, np.where(x1 > x2, d[z], 0))


@elementwise
def fmax(z, x1, x2):
    d[x1] = np.where(x1 == x2, d[z] / 2, np.where(z == x1, d[z], 0))  # half at a tie
    d[x2] = np.where(x1 == x2, d[z] / 2, np.where(z == x2, d[z], 0))


@elementwise
def fmin(z, x1, x2):
    d[x1] = np.where(x1 == x2, d[z] / 2, np.where(z == x1, d[z], 0))  # half at a tie
    d[x2] = np.where(x1 == x2, d[z] / 2, np.where(z == x2, d[z], 0))


@elementwise
def clip(z, a, a_min=None, a_max=None):
    if a_min is None and a_max is None:
        d[a] = d[z]
    elif a_max is None:
        d[a] = np.where(a == a_min, d[z] / 2, np.where(a > a_min, d[z], 0))
        d[a_min] = np.where(a == a_min, d[z] / 2, np.where(a < a_min, d[z], 0))
    elif a_min is None:
        d[a] = np.where(a == a_max, d[z] / 2, np.where(a < a_max, d[z], 0))
        d[a_max] = np.where(a == a_max, d[z] / 2, np.where(a > a_max, d[z], 0))
    elif is_number(a_min) and is_number(a_max):
        ends = (a == a_min) | (a == a_max)
        inside = (a > a_min) & (a < a_max)
        d[a] = np.where(ends, d[z] / 2, np.where(inside, d[z], 0))  # half at the ends
    else:
        # numpy's order: first the lower bound, then the upper one.
        kept = np.where(a == a_max, d[z] / 2, np.where(a < a_max, d[z], 0))
        d[a] = np.where(a == a_min, kept / 2, np.where(a > a_min, kept, 0))
        raised = np.maximum(a, a_min)
        below = np.where(raised == a_max, d[z] / 2, np.where(raised < a_max, d[z], 0))
        d[a_min] = np.where(a == a_min, below / 2, np.where(a < a_min, below, 0))
        over = np.where(raised > a_max, d[z], 0)
        d[a_max] = np.where(raised == a_max, d[z] / 2, over)


@elementwise
@holomorphic
def where(z, condition, x, y):
    d[x] = np.where(condition, d[z], 0)
    d[y] = np.where(condition, 0, d[z])


@constant
@like("ceil", "rint", "trunc", "fix")
def floor(z, x):
    pass  # 0 everywhere, steps included


@constant
def sign(z, x):
    pass  # 0 everywhere, 0 included


@constant
def floor_divide(z, x1, x2):
    pass  # 0 everywhere, steps included
