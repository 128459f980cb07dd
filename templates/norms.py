"""Norms of vectors and matrices, and condition numbers.

`change` is the derivative of the norm: the tangent is its inner product with that of
x, the adjoint its multiple.
"""

import numpy as np
from gradgen.rules import (
    are_last,
    beyond,
    conj,
    d,
    dtype,
    dyad,
    extreme,
    general,
    is_complex,
    is_number,
    nonzero,
    pair,
    rank,
    reduced,
    refuse,
    shape,
    summed_by,
    t,
    to_real,
    transposed,
    unreduce,
)

module = "numpy.linalg"


@general
@to_real
def norm(z, x, ord=None, axis=None, keepdims=False):
    shape[z] = reduced(x, axis, keepdims)
    scale = unreduce(nonzero(z), x, axis, keepdims)
    slope = unreduce(d[z], x, axis, keepdims)
    if ord is None or ord == "fro":
        change = conj(x) / scale
    elif is_complex(x) and (ord != 2 or not is_number(axis) and rank(x) != 1):
        change = refuse(
            x, "this norm of complex numbers", "ord=None, or the norm of np.abs"
        )
    elif is_number(axis) or rank(x) == 1:
        if ord == 0:
            change = np.zeros_like(x)  # 0: a count of entries
        elif ord == 1:
            change = np.sign(x)
        elif ord == 2:
            change = conj(x) / scale
        elif ord == np.inf or ord == -np.inf:
            hits = np.abs(x) == scale
            ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(x))
            change = np.where(hits, np.sign(x) / ties, 0)  # 1/k over k ties
        else:
            change = np.sign(x) * (np.abs(x) / scale) ** (ord - 1)
    elif rank(x) is None and axis is None and ord == "nuc":
        factors = np.linalg.svd(x, full_matrices=False)
        change = factors[0] @ factors[2]
    elif rank(x) is None and axis is None and ord == 0:
        change = np.zeros_like(x)
    elif rank(x) is None and axis is None:
        change = _slope_of_norm(x, ord)
    elif ord == 1 or ord == -1:
        hits = np.sum(np.abs(x), axis=pair(axis)[0], keepdims=True) == scale
        ties = np.sum(hits, axis=pair(axis)[1], keepdims=True, dtype=dtype(x))
        change = np.where(hits, np.sign(x) / ties, 0)
    elif ord == np.inf or ord == -np.inf:
        hits = np.sum(np.abs(x), axis=pair(axis)[1], keepdims=True) == scale
        ties = np.sum(hits, axis=pair(axis)[0], keepdims=True, dtype=dtype(x))
        change = np.where(hits, np.sign(x) / ties, 0)
    elif ord != 2 and ord != -2 and ord != "nuc":
        change = refuse(x, "this norm of matrices", "ord=1, 2, np.inf, 'fro' or 'nuc'")
    elif are_last(axis, x):
        factors = np.linalg.svd(x, full_matrices=False)
        if ord == "nuc":
            change = factors[0] @ factors[2]
        elif ord == 2:
            change = dyad(factors[0], factors[2], 0)
        else:
            change = dyad(factors[0], factors[2], -1)
    else:
        factors = np.linalg.svd(np.moveaxis(x, axis, (-2, -1)), full_matrices=False)
        if ord == "nuc":
            change = np.moveaxis(factors[0] @ factors[2], (-2, -1), axis)
        elif ord == 2:
            first = factors[0][..., :1] @ factors[2][..., :1, :]
            change = np.moveaxis(first, (-2, -1), axis)
        else:
            last = factors[0][..., -1:] @ factors[2][..., -1:, :]
            change = np.moveaxis(last, (-2, -1), axis)
    t[z] = np.sum(change * t[x], axis=axis, keepdims=beyond(keepdims, False))
    d[x] = slope * change


@general
@to_real
def matrix_norm(z, x, *, keepdims=False, ord="fro"):
    shape[z] = reduced(x, (-2, -1), keepdims)
    scale = unreduce(nonzero(z), x, (-2, -1), keepdims)
    slope = unreduce(d[z], x, (-2, -1), keepdims)
    if ord == "fro":
        change = conj(x) / scale
    elif is_complex(x):
        change = refuse(x, "this norm of complex numbers", 'ord="fro"')
    elif ord == 1 or ord == -1:
        hits = np.sum(np.abs(x), axis=-2, keepdims=True) == scale
        ties = np.sum(hits, axis=-1, keepdims=True, dtype=dtype(x))
        change = np.where(hits, np.sign(x) / ties, 0)  # 1/k over k ties
    elif ord == np.inf or ord == -np.inf:
        hits = np.sum(np.abs(x), axis=-1, keepdims=True) == scale
        ties = np.sum(hits, axis=-2, keepdims=True, dtype=dtype(x))
        change = np.where(hits, np.sign(x) / ties, 0)
    elif ord != 2 and ord != -2 and ord != "nuc":
        change = refuse(x, "this norm of matrices", "ord=1, 2, np.inf, 'fro' or 'nuc'")
    else:
        factors = np.linalg.svd(x, full_matrices=False)
        if ord == "nuc":
            change = factors[0] @ factors[2]
        elif ord == 2:
            change = dyad(factors[0], factors[2], 0)
        else:
            change = dyad(factors[0], factors[2], -1)
    t[z] = np.sum(change * t[x], axis=(-2, -1), keepdims=beyond(keepdims, False))
    d[x] = slope * change


@general
@to_real
def vector_norm(z, x, *, axis=None, keepdims=False, ord=2):
    shape[z] = reduced(x, axis, keepdims)
    scale = unreduce(nonzero(z), x, axis, keepdims)
    slope = unreduce(d[z], x, axis, keepdims)
    if is_complex(x) and ord != 2:
        change = refuse(x, "this norm of complex numbers", "the norm of np.abs")
    elif ord == 0:
        change = np.zeros_like(x)  # 0: a count of entries
    elif ord == 1:
        change = np.sign(x)
    elif ord == 2:
        change = conj(x) / scale
    elif ord == np.inf or ord == -np.inf:
        hits = np.abs(x) == scale
        ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(x))
        change = np.where(hits, np.sign(x) / ties, 0)  # 1/k over k ties
    else:
        change = np.sign(x) * (np.abs(x) / scale) ** (ord - 1)
    t[z] = np.sum(change * t[x], axis=axis, keepdims=beyond(keepdims, False))
    d[x] = slope * change


@general
def cond(z, x, p=None):
    shape[z] = reduced(x, (-2, -1), False)
    slope = unreduce(d[z], x, (-2, -1), False)
    if p is None or p == 2 or p == -2 or p == "nuc":
        factors = np.linalg.svd(x, full_matrices=False)
        scale = unreduce(z, x, (-2, -1), False)
        values = factors[1][..., None, :]
        if p == "nuc":
            total = np.sum(values, axis=-1, keepdims=True)
            inverses = np.sum(1 / values, axis=-1, keepdims=True)
            change = factors[0] * (inverses - total / values**2) @ factors[2]
        elif p == -2:
            first = dyad(factors[0], factors[2], 0)
            last = dyad(factors[0], factors[2], -1)
            change = (last - scale * first) / nonzero(values[..., :1])
        else:
            first = dyad(factors[0], factors[2], 0)
            last = dyad(factors[0], factors[2], -1)
            change = (first - scale * last) / nonzero(values[..., -1:])
    else:
        inverse = np.linalg.inv(x)
        if p == "fro":
            size = np.sqrt(np.sum(x * x, axis=(-2, -1), keepdims=True))
            inner = np.sqrt(np.sum(inverse * inverse, axis=(-2, -1), keepdims=True))
            own = x / size
            others = inverse / inner
        else:
            sums = np.sum(np.abs(x), axis=summed_by(p), keepdims=True)
            inner_sums = np.sum(np.abs(inverse), axis=summed_by(p), keepdims=True)
            size = extreme(sums, p)
            inner = extreme(inner_sums, p)
            hits = sums == size
            inner_hits = inner_sums == inner
            ties = np.sum(hits, axis=(-2, -1), keepdims=True, dtype=dtype(x))
            inner_ties = np.sum(
                inner_hits, axis=(-2, -1), keepdims=True, dtype=dtype(x)
            )
            own = np.where(hits, np.sign(x) / ties, 0)  # 1/k over k ties
            others = np.where(inner_hits, np.sign(inverse) / inner_ties, 0)
        flow = transposed(inverse) @ others @ transposed(inverse)
        change = inner * own - size * flow
    t[z] = np.sum(change * t[x], axis=(-2, -1))
    d[x] = slope * change
