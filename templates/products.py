"""Products of arrays that contract axes."""

import numpy as np
from gradgen.rules import (
    contracted,
    contraction,
    d,
    dotted,
    innered,
    linear,
    paired,
    positions,
    rank,
    scalar,
    shape,
    summed,
    unbroadcast,
)


@linear("x1", "x2")
def matmul(z, x1, x2):
    shape[z] = contracted(x1, x2)
    if rank(x1) is None or rank(x2) is None:
        d[x1] = _matmul_left(d[z], x1, x2)
        d[x2] = _matmul_right(d[z], x1, x2)
    elif rank(x1) == 1 and rank(x2) == 1:
        d[x1] = d[z] * x2
        d[x2] = d[z] * x1
    elif rank(x1) == 1 and rank(x2) == 2:
        d[x1] = d[z] @ x2.T
        d[x2] = np.outer(x1, d[z])
    elif rank(x1) == 2 and rank(x2) == 1:
        d[x1] = np.outer(d[z], x2)
        d[x2] = d[z] @ x1
    elif rank(x1) == 2 and rank(x2) == 2:
        d[x1] = d[z] @ x2.T
        d[x2] = x1.T @ d[z]
    elif rank(x1) == 1 or rank(x2) == 1:
        d[x1] = _matmul_left(d[z], x1, x2)
        d[x2] = _matmul_right(d[z], x1, x2)
    else:
        d[x1] = unbroadcast(d[z] @ np.swapaxes(x2, -1, -2), x1)
        d[x2] = unbroadcast(np.swapaxes(x1, -1, -2) @ d[z], x2)


@linear("a", "b")
def dot(z, a, b):
    shape[z] = dotted(a, b)
    if rank(a) == 0 or rank(b) == 0:
        d[a] = unbroadcast(d[z] * b, a)
        d[b] = unbroadcast(d[z] * a, b)
    elif rank(a) is None or rank(b) is None:
        d[a] = _dot_left(d[z], a, b)
        d[b] = _dot_right(d[z], a, b)
    elif rank(a) == 1 and rank(b) == 1:
        d[a] = d[z] * b
        d[b] = d[z] * a
    elif rank(a) == 1 and rank(b) == 2:
        d[a] = d[z] @ b.T
        d[b] = np.outer(a, d[z])
    elif rank(a) == 2 and rank(b) == 1:
        d[a] = np.outer(d[z], b)
        d[b] = d[z] @ a
    elif rank(a) == 2 and rank(b) == 2:
        d[a] = d[z] @ b.T
        d[b] = a.T @ d[z]
    else:
        d[a] = _dot_left(d[z], a, b)
        d[b] = _dot_right(d[z], a, b)


@linear("a", "b")
def inner(z, a, b):
    shape[z] = innered(a, b)
    if rank(a) == 1 and rank(b) == 1:
        d[a] = d[z] * b
        d[b] = d[z] * a
    elif rank(a) == 2 and rank(b) == 2:
        d[a] = d[z] @ b
        d[b] = d[z].T @ a
    else:
        d[a] = _inner_left(d[z], a, b)
        d[b] = _inner_right(d[z], a, b)


@linear("a", "b")
def vdot(z, a, b):
    shape[z] = scalar(z)
    d[a] = np.reshape(d[z] * b, np.shape(a))
    d[b] = np.reshape(d[z] * a, np.shape(b))


@linear("a", "b")
def outer(z, a, b):
    shape[z] = paired(a, b)
    if rank(a) == 1 and rank(b) == 1:
        d[a] = d[z] @ b
        d[b] = a @ d[z]
    else:
        d[a] = np.reshape(d[z] @ np.ravel(b), np.shape(a))
        d[b] = np.reshape(np.ravel(a) @ d[z], np.shape(b))


@linear("operands")
def einsum(z, subscripts, *operands):
    shape[z] = summed(subscripts, operands)
    for i in positions(operands):
        flowing = contraction(d[z], subscripts, operands, i)
        d[operands[i]] = unbroadcast(flowing, operands[i])
