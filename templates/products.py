"""Products of arrays that contract axes."""

import numpy as np
from gradgen.rules import (
    blocked,
    columns_of,
    conj,
    contracted,
    contraction,
    count,
    crossed,
    d,
    dotted,
    dotted_along,
    either,
    holomorphic,
    innered,
    like,
    linear,
    named,
    paired,
    positions,
    rank,
    row_product,
    rows_of,
    scalar,
    shape,
    summed,
    tensor_left,
    tensor_right,
    tensored,
    unbroadcast,
    unreduce,
)


@linear("x1", "x2")
@holomorphic
@like("linalg.matmul")
def matmul(z, x1, x2):
    shape[z] = contracted(x1, x2)
    if rank(x1) == 2 and rank(x2) is None:
        d[x1] = _matmul_left(d[z], x1, x2)
        d[x2] = x1.T @ d[z]
    elif rank(x1) is None and rank(x2) == 2:
        d[x1] = d[z] @ x2.T
        d[x2] = _matmul_right(d[z], x1, x2)
    elif rank(x1) is None or rank(x2) is None:
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
    elif rank(x1) == 1:
        d[x1] = row_product(d[z], x2)
        d[x2] = x1[:, None] * d[z][..., None, :]
    elif rank(x2) == 1:
        d[x1] = tensor_left(d[z], x1, x2, (-1, -1))
        d[x2] = tensor_right(d[z], x1, x2, (-1, -1))
    else:
        d[x1] = unbroadcast(d[z] @ transposed(x2), x1)
        d[x2] = unbroadcast(transposed(x1) @ d[z], x2)


@linear("a", "b")
@holomorphic
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
    elif rank(b) == 1:
        d[a] = tensor_left(d[z], a, b, (-1, -1))
        d[b] = tensor_right(d[z], a, b, (-1, -1))
    else:
        d[a] = tensor_left(d[z], a, b, (-1, -2))
        d[b] = tensor_right(d[z], a, b, (-1, -2))


@linear("a", "b")
@holomorphic
def inner(z, a, b):
    shape[z] = innered(a, b)
    if rank(a) == 1 and rank(b) == 1:
        d[a] = d[z] * b
        d[b] = d[z] * a
    elif rank(a) == 2 and rank(b) == 2:
        d[a] = d[z] @ b
        d[b] = d[z].T @ a
    elif rank(a) is None or rank(b) is None:
        d[a] = _inner_left(d[z], a, b)
        d[b] = _inner_right(d[z], a, b)
    elif rank(a) == 0 or rank(b) == 0:
        d[a] = unbroadcast(d[z] * b, a)
        d[b] = unbroadcast(d[z] * a, b)
    else:
        d[a] = tensor_left(d[z], a, b, (-1, -1))
        d[b] = tensor_right(d[z], a, b, (-1, -1))


@linear("a", "b")
@holomorphic
def vdot(z, a, b):
    shape[z] = scalar(z)
    d[a] = np.reshape(conj(d[z] * b), np.shape(a))
    d[b] = np.reshape(d[z] * conj(a), np.shape(b))


@linear("a", "b")
@holomorphic
def outer(z, a, b):
    shape[z] = paired(a, b)
    if rank(a) == 1 and rank(b) == 1:
        d[a] = d[z] @ b
        d[b] = a @ d[z]
    else:
        d[a] = np.reshape(d[z] @ np.ravel(b), np.shape(a))
        d[b] = np.reshape(np.ravel(a) @ d[z], np.shape(b))


@linear("operands")
@holomorphic
def einsum(z, subscripts, *operands, optimize=False):
    shape[z] = summed(subscripts, operands)
    for i in positions(operands):
        flowing = contraction(d[z], subscripts, operands, i)
        d[operands[i]] = unbroadcast(flowing, operands[i])


@linear("a", "b")
@holomorphic
@like("linalg.tensordot")
def tensordot(z, a, b, axes=2):
    shape[z] = tensored(a, b, axes)
    if rank(a) == 0 or rank(b) == 0:
        d[a] = unbroadcast(d[z] * b, a)
        d[b] = unbroadcast(d[z] * a, b)
    else:
        d[a] = tensor_left(d[z], a, b, axes)
        d[b] = tensor_right(d[z], a, b, axes)


@linear("a", "b")
@holomorphic
def kron(z, a, b):
    shape[z] = blocked(a, b)
    if rank(a) == 0 or rank(b) == 0:
        d[a] = unbroadcast(d[z] * b, a)
        d[b] = unbroadcast(d[z] * a, b)
    elif rank(a) == 1 and rank(b) == 1:
        blocks = np.reshape(d[z], (count(a, 0), count(b, 0)))
        d[a] = blocks @ b
        d[b] = a @ blocks
    elif rank(a) == 2 and rank(b) == 2:
        sizes = (count(a, 0), count(b, 0), count(a, 1), count(b, 1))
        blocks = np.reshape(d[z], sizes)
        d[a] = np.einsum("ikjl,kl->ij", blocks, b)
        d[b] = np.einsum("ikjl,ij->kl", blocks, a)
    else:
        d[a] = _kron_left(d[z], a, b)
        d[b] = _kron_right(d[z], a, b)


@linear("a", "b")
@holomorphic
def cross(z, a, b, *, axis=None):
    shape[z] = crossed(a, b, axis, "np.cross")
    if rank(z) is None:
        d[a] = _cross_left(d[z], a, b, either(axis, -1))
        d[b] = -_cross_left(d[z], b, a, either(axis, -1))
    elif axis is None or axis == -1:
        d[a] = unbroadcast(np.cross(b, d[z]), a)
        d[b] = unbroadcast(np.cross(d[z], a), b)
    else:
        d[a] = unbroadcast(np.cross(b, d[z], axis=axis), a)
        d[b] = unbroadcast(np.cross(d[z], a, axis=axis), b)


@linear("x1", "x2")
@named("linalg.cross")
def cross_of_three(z, x1, x2, *, axis=-1):
    shape[z] = crossed(x1, x2, axis, "np.linalg.cross")
    if rank(z) is None and axis != -1:
        d[x1] = _cross_left(d[z], x1, x2, axis)
        d[x2] = -_cross_left(d[z], x2, x1, axis)
    elif axis == -1:
        d[x1] = unbroadcast(np.linalg.cross(x2, d[z]), x1)
        d[x2] = unbroadcast(np.linalg.cross(d[z], x1), x2)
    else:
        d[x1] = unbroadcast(np.linalg.cross(x2, d[z], axis=axis), x1)
        d[x2] = unbroadcast(np.linalg.cross(d[z], x1, axis=axis), x2)


@linear("x1", "x2")
@holomorphic
@like("linalg.vecdot")
def vecdot(z, x1, x2, *, axis=-1):
    shape[z] = dotted_along(x1, x2, axis)
    if rank(x1) == 1 and rank(x2) == 1:
        d[x1] = conj(d[z] * x2)
        d[x2] = d[z] * conj(x1)
    elif rank(x1) is not None and rank(x1) == rank(x2) or axis == -1:
        slope = unreduce(d[z], x1 * x2, axis, False)
        d[x1] = unbroadcast(conj(slope * x2), x1)
        d[x2] = unbroadcast(slope * conj(x1), x2)
    else:  # the axis of each, which is not the same from behind
        d[x1] = conj(_vecdot_left(d[z], x1, x2, axis))
        d[x2] = _vecdot_left(d[z], x2, conj(x1), axis)


@linear("x1", "x2")
@holomorphic
def matvec(z, x1, x2):
    shape[z] = rows_of(x1, x2)
    d[x1] = unbroadcast(d[z][..., :, None] * x2[..., None, :], x1)
    d[x2] = unbroadcast(np.vecmat(conj(d[z]), x1), x2)


@linear("x1", "x2")
@holomorphic
def vecmat(z, x1, x2):
    shape[z] = columns_of(x1, x2)
    d[x1] = unbroadcast(conj(np.matvec(x2, d[z])), x1)
    d[x2] = unbroadcast(conj(x1)[..., :, None] * d[z][..., None, :], x2)
