"""Systems of equations, determinants and norms of matrices and vectors.

The matrices of a stack stand in its last two axes.
"""

import numpy as np
from gradgen.rules import (
    are_last,
    beyond,
    conj,
    contracted,
    count,
    d,
    dtype,
    dyad,
    general,
    holomorphic,
    is_complex,
    is_number,
    linear,
    nonzero,
    pair,
    paired,
    rank,
    reduced,
    refuse,
    same,
    shape,
    swapped,
    t,
    to_real,
    transposed,
    unbroadcast,
    unreduce,
)

module = "numpy.linalg"


@general
@holomorphic
def inv(z, a):
    shape[z] = same(a)
    t[z] = -z @ t[a] @ z
    d[a] = -transposed(z) @ d[z] @ transposed(z)


@general
def pinv(z, a):
    shape[z] = swapped(a, -2, -1)
    flow = transposed(d[z])
    z_t = transposed(z)
    rows = (flow - a @ (z @ flow)) @ z @ z_t
    columns = z_t @ z @ (flow - flow @ z @ a)
    d[a] = rows + columns - z_t @ d[z] @ z_t  # where the rank does not change


@general
@holomorphic
def solve(z, a, b):
    shape[z] = contracted(a, b)
    if rank(b) is None:
        d[a] = refuse(d[z], "np.linalg.solve with b of unknown rank", "a shape fact")
        d[b] = refuse(d[z], "np.linalg.solve with b of unknown rank", "a shape fact")
    elif rank(b) == 1 and rank(a) == 2:
        flow = np.linalg.solve(a.T, d[z])
        t[z] = np.linalg.solve(a, t[b] - t[a] @ z)
        d[a] = -np.outer(flow, z)
        d[b] = flow
    elif rank(b) == 1:
        flow = np.linalg.solve(transposed(a), d[z][..., None])
        d[a] = -flow @ z[..., None, :]
        d[b] = unbroadcast(flow[..., 0], b)
    else:
        flow = np.linalg.solve(transposed(a), d[z])
        t[z] = np.linalg.solve(a, t[b] - t[a] @ z)
        d[a] = unbroadcast(-flow @ transposed(z), a)
        d[b] = unbroadcast(flow, b)


@general
@holomorphic
def det(z, a):
    shape[z] = reduced(a, (-2, -1), False)
    scale = unreduce(z, a, (-2, -1), False)
    slope = unreduce(d[z], a, (-2, -1), False)
    t[z] = z * np.sum(transposed(np.linalg.inv(a)) * t[a], axis=(-2, -1))
    d[a] = slope * scale * transposed(np.linalg.inv(a))  # regular matrices only


@linear("x")
@holomorphic
def trace(z, x):
    shape[z] = reduced(x, (-2, -1), False)
    ones = np.eye(count(x, -2), count(x, -1), dtype=dtype(x))
    d[x] = unreduce(d[z], x, (-2, -1), False) * ones


@linear("x1", "x2")
@holomorphic
def outer(z, x1, x2):
    shape[z] = paired(x1, x2)
    d[x1] = d[z] @ x2
    d[x2] = x1 @ d[z]


@general
def cond(z, x, p=None):
    shape[z] = reduced(x, (-2, -1), False)
    if p is not None and p != 2:
        d[x] = refuse(d[z], "np.linalg.cond with this p", "p=None")
    factors = np.linalg.svd(x, full_matrices=False)
    first = dyad(factors[0], factors[2], 0)
    last = dyad(factors[0], factors[2], -1)
    scale = unreduce(z, x, (-2, -1), False)
    slope = unreduce(d[z], x, (-2, -1), False)
    d[x] = slope / nonzero(factors[1][..., -1:, None]) * (first - scale * last)


@general
@to_real
def norm(z, x, ord=None, axis=None, keepdims=False):
    shape[z] = reduced(x, axis, keepdims)
    scale = unreduce(nonzero(z), x, axis, keepdims)
    slope = unreduce(d[z], x, axis, keepdims)
    if ord is None or ord == "fro":
        t[z] = np.sum(
            conj(x) / scale * t[x], axis=axis, keepdims=beyond(keepdims, False)
        )
        d[x] = slope * (conj(x) / scale)
    elif is_complex(x) and (ord != 2 or not is_number(axis) and rank(x) != 1):
        d[x] = refuse(
            slope, "this norm of complex numbers", "ord=None, or the norm of np.abs"
        )
    elif is_number(axis) or rank(x) == 1:
        if ord == 0:
            d[x] = refuse(slope, "np.linalg.norm with ord=0", "another ord")
        elif ord == 1:
            t[z] = np.sum(
                np.sign(x) * t[x], axis=axis, keepdims=beyond(keepdims, False)
            )
            d[x] = slope * np.sign(x)
        elif ord == 2:
            t[z] = np.sum(
                conj(x) / scale * t[x], axis=axis, keepdims=beyond(keepdims, False)
            )
            d[x] = slope * (conj(x) / scale)
        elif ord == np.inf or ord == -np.inf:
            hits = np.abs(x) == scale
            ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(x))
            t[z] = np.sum(
                np.where(hits, np.sign(x) * t[x] / ties, 0),
                axis=axis,
                keepdims=beyond(keepdims, False),
            )
            d[x] = np.where(hits, slope * np.sign(x) / ties, 0)  # 1/k over k ties
        else:
            t[z] = np.sum(
                np.sign(x) * (np.abs(x) / scale) ** (ord - 1) * t[x],
                axis=axis,
                keepdims=beyond(keepdims, False),
            )
            d[x] = slope * (np.sign(x) * (np.abs(x) / scale) ** (ord - 1))
    elif rank(x) is None and axis is None:
        d[x] = refuse(
            slope, "np.linalg.norm(ord=...) of unknown rank", "a shape fact, or axis="
        )
    elif ord == 1 or ord == -1:
        sums = np.sum(np.abs(x), axis=pair(axis)[0], keepdims=True)
        hits = sums == scale
        ties = np.sum(hits, axis=pair(axis)[1], keepdims=True, dtype=dtype(x))
        t[z] = np.sum(
            np.where(hits, np.sign(x) * t[x] / ties, 0),
            axis=axis,
            keepdims=beyond(keepdims, False),
        )
        d[x] = np.where(hits, slope / ties, 0) * np.sign(x)  # 1/k over k ties
    elif ord == np.inf or ord == -np.inf:
        sums = np.sum(np.abs(x), axis=pair(axis)[1], keepdims=True)
        hits = sums == scale
        ties = np.sum(hits, axis=pair(axis)[0], keepdims=True, dtype=dtype(x))
        t[z] = np.sum(
            np.where(hits, np.sign(x) * t[x] / ties, 0),
            axis=axis,
            keepdims=beyond(keepdims, False),
        )
        d[x] = np.where(hits, slope / ties, 0) * np.sign(x)  # 1/k over k ties
    elif not are_last(axis, x):
        d[x] = refuse(
            slope,
            "np.linalg.norm with this ord over axes not known to be the last two",
            "a shape fact, or np.moveaxis before it",
        )
    else:
        factors = np.linalg.svd(x, full_matrices=False)
        if ord == "nuc":
            t[z] = np.sum(
                factors[0] @ factors[2] * t[x],
                axis=axis,
                keepdims=beyond(keepdims, False),
            )
            d[x] = slope * (factors[0] @ factors[2])
        elif ord == 2:
            t[z] = np.sum(
                dyad(factors[0], factors[2], 0) * t[x],
                axis=axis,
                keepdims=beyond(keepdims, False),
            )
            d[x] = slope * dyad(factors[0], factors[2], 0)
        else:
            t[z] = np.sum(
                dyad(factors[0], factors[2], -1) * t[x],
                axis=axis,
                keepdims=beyond(keepdims, False),
            )
            d[x] = slope * dyad(factors[0], factors[2], -1)


@general
@to_real
def matrix_norm(z, x, *, keepdims=False, ord="fro"):
    shape[z] = reduced(x, (-2, -1), keepdims)
    scale = unreduce(nonzero(z), x, (-2, -1), keepdims)
    slope = unreduce(d[z], x, (-2, -1), keepdims)
    factors = np.linalg.svd(x, full_matrices=False)
    if is_complex(x) and ord != "fro":
        d[x] = refuse(slope, "this norm of complex numbers", 'ord="fro"')
    elif ord == "fro":
        t[z] = np.sum(
            conj(x) / scale * t[x], axis=(-2, -1), keepdims=beyond(keepdims, False)
        )
        d[x] = slope * (conj(x) / scale)
    elif ord == 1 or ord == -1:
        sums = np.sum(np.abs(x), axis=-2, keepdims=True)
        hits = sums == scale
        ties = np.sum(hits, axis=-1, keepdims=True, dtype=dtype(x))
        t[z] = np.sum(
            np.where(hits, np.sign(x) * t[x] / ties, 0),
            axis=(-2, -1),
            keepdims=beyond(keepdims, False),
        )
        d[x] = np.where(hits, slope / ties, 0) * np.sign(x)  # 1/k over k ties
    elif ord == np.inf or ord == -np.inf:
        sums = np.sum(np.abs(x), axis=-1, keepdims=True)
        hits = sums == scale
        ties = np.sum(hits, axis=-2, keepdims=True, dtype=dtype(x))
        t[z] = np.sum(
            np.where(hits, np.sign(x) * t[x] / ties, 0),
            axis=(-2, -1),
            keepdims=beyond(keepdims, False),
        )
        d[x] = np.where(hits, slope / ties, 0) * np.sign(x)  # 1/k over k ties
    elif ord == "nuc":
        t[z] = np.sum(
            factors[0] @ factors[2] * t[x],
            axis=(-2, -1),
            keepdims=beyond(keepdims, False),
        )
        d[x] = slope * (factors[0] @ factors[2])
    elif ord == 2:
        t[z] = np.sum(
            dyad(factors[0], factors[2], 0) * t[x],
            axis=(-2, -1),
            keepdims=beyond(keepdims, False),
        )
        d[x] = slope * dyad(factors[0], factors[2], 0)
    else:
        t[z] = np.sum(
            dyad(factors[0], factors[2], -1) * t[x],
            axis=(-2, -1),
            keepdims=beyond(keepdims, False),
        )
        d[x] = slope * dyad(factors[0], factors[2], -1)


@general
@to_real
def vector_norm(z, x, *, axis=None, keepdims=False, ord=2):
    shape[z] = reduced(x, axis, keepdims)
    scale = unreduce(nonzero(z), x, axis, keepdims)
    slope = unreduce(d[z], x, axis, keepdims)
    if is_complex(x) and ord != 2:
        d[x] = refuse(slope, "this norm of complex numbers", "the norm of np.abs")
    elif ord == 0:
        d[x] = refuse(slope, "np.linalg.vector_norm with ord=0", "another ord")
    elif ord == 1:
        t[z] = np.sum(np.sign(x) * t[x], axis=axis, keepdims=beyond(keepdims, False))
        d[x] = slope * np.sign(x)
    elif ord == 2:
        t[z] = np.sum(
            conj(x) / scale * t[x], axis=axis, keepdims=beyond(keepdims, False)
        )
        d[x] = slope * (conj(x) / scale)
    elif ord == np.inf or ord == -np.inf:
        hits = np.abs(x) == scale
        ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(x))
        t[z] = np.sum(
            np.where(hits, np.sign(x) * t[x] / ties, 0),
            axis=axis,
            keepdims=beyond(keepdims, False),
        )
        d[x] = np.where(hits, slope * np.sign(x) / ties, 0)  # 1/k over k ties
    else:
        t[z] = np.sum(
            np.sign(x) * (np.abs(x) / scale) ** (ord - 1) * t[x],
            axis=axis,
            keepdims=beyond(keepdims, False),
        )
        d[x] = slope * (np.sign(x) * (np.abs(x) / scale) ** (ord - 1))
