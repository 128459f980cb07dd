"""Functions that are copied into an emitted file where shapes are not known."""

import numpy as np


def _unbroadcast(g, x):
    """g summed over the axes that numpy stretched x along, in the shape of x."""
    shape = np.shape(x)
    if np.shape(g) == shape:
        return g
    ahead = np.ndim(g) - len(shape)
    g = np.reshape(g, (1,) * -ahead + np.shape(g))
    g = np.sum(g, axis=tuple(range(ahead)))
    stretched = (i for i, n in enumerate(shape) if n == 1 and g.shape[i] != 1)
    g = np.sum(g, axis=tuple(stretched), keepdims=True)
    return g if g.shape == shape else np.full_like(x, g)


def _matmul_left(g, a, b):
    """What flows back to a from g, the adjoint of a @ b."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return g * b
    g, rows = (g[..., None, :], a[None, :]) if np.ndim(a) == 1 else (g, a)
    if np.ndim(b) == 1:
        d_a = g[..., None] * b
    else:
        d_a = g @ np.swapaxes(b, -1, -2)
    return np.reshape(_unbroadcast(d_a, rows), np.shape(a))


def _matmul_right(g, a, b):
    """What flows back to b from g, the adjoint of a @ b."""
    if np.ndim(a) == 1 and np.ndim(b) == 1:
        return g * a
    g, columns = (g[..., :, None], b[:, None]) if np.ndim(b) == 1 else (g, b)
    if np.ndim(a) == 1:
        d_b = a[:, None] * g[..., None, :]
    else:
        d_b = np.swapaxes(a, -1, -2) @ g
    return np.reshape(_unbroadcast(d_b, columns), np.shape(b))


def _inner_left(g, a, b):
    """What flows back to a from g, the adjoint of np.inner(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _unbroadcast(g * b, a)
    last = np.ndim(a) - 1
    return np.tensordot(g, b, (range(last, np.ndim(g)), range(np.ndim(b) - 1)))


def _inner_right(g, a, b):
    """What flows back to b from g, the adjoint of np.inner(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _unbroadcast(g * a, b)
    free = range(np.ndim(a) - 1)
    return np.tensordot(g, a, (free, free))


def _dot_left(g, a, b):
    """What flows back to a from g, the adjoint of np.dot(a, b)."""
    if np.ndim(a) == 0:
        return np.sum(g * b)
    if np.ndim(b) == 0:
        return g * b
    last = max(np.ndim(b) - 2, 0)
    free = [i for i in range(np.ndim(b)) if i != last]
    return np.tensordot(g, b, (range(np.ndim(a) - 1, np.ndim(g)), free))


def _dot_right(g, a, b):
    """What flows back to b from g, the adjoint of np.dot(a, b)."""
    if np.ndim(b) == 0:
        return np.sum(g * a)
    if np.ndim(a) == 0:
        return g * a
    free = range(np.ndim(a) - 1)
    d_b = np.tensordot(a, g, (free, free))
    return np.moveaxis(d_b, 0, max(np.ndim(b) - 2, 0))


def _product_of_the_others(x, axis):
    """For each entry of x, the product of the other entries along axis."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else axis
    axes = (axes,) if np.ndim(axes) == 0 else axes
    axes = [a % x.ndim for a in axes]
    kept = [a for a in range(x.ndim) if a not in axes]
    moved = np.transpose(x, kept + axes)
    rows = np.reshape(moved, (*moved.shape[: len(kept)], -1))
    ones = np.ones_like(rows[..., :1])
    left = np.cumprod(np.concatenate([ones, rows[..., :-1]], axis=-1), axis=-1)
    right = np.cumprod(np.concatenate([ones, rows[..., :0:-1]], axis=-1), axis=-1)
    others = np.reshape(left * right[..., ::-1], moved.shape)
    return np.transpose(others, np.argsort(kept + axes))
