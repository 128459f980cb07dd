"""Products of several matrices."""

import numpy as np
from gradgen.rules import (
    chain,
    chained,
    d,
    general,
    holomorphic,
    is_number,
    one_changed,
    opposite,
    positions,
    power_terms,
    refuse,
    same,
    shape,
    t,
)

module = "numpy.linalg"


@general
@holomorphic
def multi_dot(z, arrays):
    shape[z] = chain(arrays)
    t[z] = one_changed(t[arrays], arrays)
    for i in positions(arrays):
        d[arrays[i]] = chained(d[z], arrays, i)


@general
@holomorphic
def matrix_power(z, a, n):
    shape[z] = same(a)
    if not is_number(n):
        d[a] = refuse(d[z], "np.linalg.matrix_power with this n", "a literal n")
    elif n == 0:  # the power raises where a is not square, as NumPy does
        d[a] = d[z] @ np.linalg.matrix_power(np.zeros_like(a), 1)
        t[z] = t[a] @ np.linalg.matrix_power(np.zeros_like(a), 1)
    elif n == 1:
        d[a] = d[z] @ np.linalg.matrix_power(a, 0)
        t[z] = t[a] @ np.linalg.matrix_power(a, 0)
    elif n == 2 or n == 3:
        d[a] = power_terms(d[z], np.swapaxes(a, -1, -2), n)
        t[z] = power_terms(t[a], a, n)
    elif n == -1:
        d[a] = -np.swapaxes(z, -1, -2) @ d[z] @ np.swapaxes(z, -1, -2)
        t[z] = -z @ t[a] @ z
    elif n > 3:
        d[a] = _matrix_power(d[z], np.swapaxes(a, -1, -2), n)
        t[z] = _matrix_power(t[a], a, n)
    else:
        inverse = np.linalg.inv(a)
        turned = np.swapaxes(inverse, -1, -2)
        t[z] = -_matrix_power(inverse @ t[a] @ inverse, inverse, opposite(n))
        d[a] = -turned @ _matrix_power(d[z], turned, opposite(n)) @ turned
