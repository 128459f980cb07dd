"""Functions that are copied into an emitted file: filters, sliding windows, transforms."""

import numpy as np


def _around(g, a, v):
    """The middle g of a full convolution of arrays of the shapes a and v, with zeros."""
    spare = [n + m - 1 - k for n, m, k in zip(a, v, np.shape(g))]
    return np.pad(g, [(k // 2, k - k // 2) for k in spare])


def _middle(whole, shape):
    """The middle of a full convolution, of that shape."""
    starts = [(n - k) // 2 for n, k in zip(whole.shape, shape)]
    return whole[tuple(slice(i, i + k) for i, k in zip(starts, shape))]


def _from_windows(g, shape, axis):
    """The sum of g, given for windows that slide along axis, in the shape they read."""
    rank = len(shape)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = range(rank) if axis is None else [a % rank for a in axes]
    d_x = np.zeros(shape, dtype=g.dtype)
    for place in np.ndindex(*g.shape[rank:]):
        starts = [0] * rank
        for a, i in zip(axes, place):
            starts[a] += i
        key = tuple(slice(i, i + n) for i, n in zip(starts, g.shape))
        d_x[key] += g[(...,) + place]
    return d_x


def _lagged(g, x, n, axis):
    """The sums of g times x moved by 0 to n - 1 entries along axis."""
    g, x = np.moveaxis(g, axis, -1), np.moveaxis(x, axis, -1)
    size = x.shape[-1]
    return np.array([np.sum(g[..., k:] * x[..., : max(size - k, 0)]) for k in range(n)])


def _length_along(x, n, axis):
    """How many entries of x a Fourier transform takes: all of them where n is None."""
    return np.shape(x)[axis] if n is None else n


def _lengths_along(x, s, axes):
    """How many entries of x a transform takes along axes: all where s is None."""
    return [np.shape(x)[axis] for axis in axes] if s is None else s
