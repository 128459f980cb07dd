"""Norms."""

import numpy as np
from gradgen.rules import (
    d,
    dtype,
    general,
    is_number,
    nonzero,
    rank,
    reduced,
    refuse,
    shape,
    unreduce,
)

module = "numpy.linalg"


@general
def norm(z, x, ord=None, axis=None, keepdims=False):
    shape[z] = reduced(x, axis, keepdims)
    scale = unreduce(nonzero(z), x, axis, keepdims)
    slope = unreduce(d[z], x, axis, keepdims)
    if ord is None:
        d[x] = slope * (x / scale)
    elif rank(x) != 1 and not is_number(axis):
        d[x] = refuse(
            slope, "np.linalg.norm(ord=...) of a matrix", "ord=None, or axis="
        )
    elif ord == 1:
        d[x] = slope * np.sign(x)
    elif ord == 2:
        d[x] = slope * (x / scale)
    elif ord == np.inf:
        hits = np.abs(x) == scale
        ties = np.sum(hits, axis=axis, keepdims=True, dtype=dtype(x))
        d[x] = np.where(hits, slope * np.sign(x) / ties, 0)  # 1/k over k ties
    elif ord == -np.inf or ord == 0:
        d[x] = refuse(slope, "np.linalg.norm with this ord", "another ord")
    else:
        d[x] = slope * (np.sign(x) * (np.abs(x) / scale) ** (ord - 1))
