"""Functions of diagonals and triangles of matrices."""

import numpy as np
from gradgen.rules import (
    along_diagonal,
    before_numpy_2,
    d,
    diagonal_of,
    flat_diagonal,
    holomorphic,
    is_number,
    linear,
    on_diagonal,
    rank,
    refuse,
    shape,
    spread_on,
    traced,
    triangle,
    unbroadcast,
    vector_or_matrix,
)


@linear("v")
@holomorphic
def diag(z, v, k=0):
    shape[z] = vector_or_matrix(v, k)
    if rank(v) == 2:
        d[v][on_diagonal(z, v, k, 0, 1)] += d[z]
    elif rank(v) != 1:
        d[v] = _diag_adjoint(d[z], v, k)
    elif is_number(k) and k == 0:
        d[v] = np.diag(d[z])
    else:
        d[v] = np.diag(d[z], k)


@linear("v")
@holomorphic
def diagflat(z, v, k=0):
    shape[z] = flat_diagonal(v, k)
    if rank(v) == 1 and is_number(k) and k == 0:
        d[v] = np.diag(d[z])
    elif rank(v) == 1:
        d[v] = np.diag(d[z], k)
    elif rank(v) == 0 and before_numpy_2():
        d[v] = refuse(d[z], "np.diagflat of a number before NumPy 2", "np.diag([x])")
    elif rank(v) == 0:
        d[v] = np.trace(d[z], k)
    elif is_number(k) and k == 0:
        d[v] = np.reshape(np.diagonal(d[z]), np.shape(v))
    else:
        d[v] = np.reshape(np.diagonal(d[z], k), np.shape(v))


@linear("a")
@holomorphic
def diagonal(z, a, offset=0, axis1=0, axis2=1):
    shape[z] = diagonal_of(a, offset, axis1, axis2)
    if rank(a) is None and not (
        axis1 == 0 and axis2 == 1 or axis1 == -2 and axis2 == -1
    ):
        d[a] = _on_diagonal(d[z], a, offset, axis1, axis2)
    else:
        d[a][on_diagonal(z, a, offset, axis1, axis2)] += along_diagonal(
            d[z], a, offset, axis1, axis2
        )


@linear("a")
@holomorphic
def trace(z, a, offset=0, axis1=0, axis2=1):
    shape[z] = traced(a, axis1, axis2)
    d[a] = spread_on(d[z], a, offset, axis1, axis2)


@linear("m")
@holomorphic
def tril(z, m, k=0):
    shape[z] = triangle(m)
    if is_number(k) and k == 0:
        d[m] = unbroadcast(np.tril(d[z]), m)
    else:
        d[m] = unbroadcast(np.tril(d[z], k), m)


@linear("m")
@holomorphic
def triu(z, m, k=0):
    shape[z] = triangle(m)
    if is_number(k) and k == 0:
        d[m] = unbroadcast(np.triu(d[z]), m)
    else:
        d[m] = unbroadcast(np.triu(d[z], k), m)
