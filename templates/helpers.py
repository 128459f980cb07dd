"""Functions that are copied into an emitted file where shapes are not known."""

import numpy as np


def _unbroadcast(g, x):
    """g summed over the axes that numpy stretched x along, in the shape of x."""
    ahead = np.ndim(g) - np.ndim(x)
    axes = *range(ahead), *(i for i, n in enumerate(np.shape(x), ahead) if n == 1)
    return np.sum(g, axis=axes, keepdims=True)[(0,) * ahead] if axes else g


def _matmul_left(g, a, b):
    """What flows back to a from g, the adjoint of a @ b."""
    if np.ndim(b) == 1:
        return np.expand_dims(g, -1) * b
    g, rows = (g, a) if np.ndim(a) > 1 else (g[..., None, :], a[None, :])
    turned = b.T if np.ndim(b) == 2 else np.swapaxes(b, -1, -2)
    return _unbroadcast(g @ turned, rows).reshape(np.shape(a))


def _matmul_right(g, a, b):
    """What flows back to b from g, the adjoint of a @ b."""
    if np.ndim(a) == 1:
        return a * g if np.ndim(b) == 1 else a[:, None] * g[..., None, :]
    g, columns = (g, b) if np.ndim(b) > 1 else (g[..., None], b[:, None])
    turned = a.T if np.ndim(a) == 2 else np.swapaxes(a, -1, -2)
    return _unbroadcast(turned @ g, columns).reshape(np.shape(b))


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
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.sum(g * b) if np.ndim(a) == 0 else g * b
    free = [i for i in range(np.ndim(b)) if i != max(np.ndim(b) - 2, 0)]
    return np.tensordot(g, b, (range(np.ndim(a) - 1, np.ndim(g)), free))


def _dot_right(g, a, b):
    """What flows back to b from g, the adjoint of np.dot(a, b)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return np.sum(g * a) if np.ndim(b) == 0 else g * a
    if np.ndim(a) == 2 and np.ndim(b) < 3:
        return a.T @ g
    free = range(np.ndim(a) - 1)
    d_b = np.tensordot(a, g, (free, free))
    return np.moveaxis(d_b, 0, max(np.ndim(b) - 2, 0))


def _product_of_the_others(x, axis):
    """For each entry of x, the product of the other entries along axis."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None or not x.ndim else axis
    axes = (axes,) if np.ndim(axes) == 0 else axes
    axes = [a % x.ndim for a in axes]
    kept = [a for a in range(x.ndim) if a not in axes]
    order = kept + axes
    moved = np.transpose(x, order)
    entries = 1
    for a in axes:
        entries *= x.shape[a]
    rows = np.reshape(moved, (*moved.shape[: len(kept)], entries))
    ones = np.ones_like(rows[..., :1])
    left = np.cumprod(np.concatenate([ones, rows[..., :-1]], axis=-1), axis=-1)
    right = np.cumprod(np.concatenate([ones, rows[..., :0:-1]], axis=-1), axis=-1)
    others = np.reshape(left * right[..., ::-1], moved.shape)
    return np.transpose(others, [order.index(a) for a in range(x.ndim)])


def _others_tangent(t, x, axis):
    """The derivative of _product_of_the_others(x, axis) along t, and its adjoint."""
    t, x = np.asarray(t), np.asarray(x)
    x = np.asarray(x, dtype=np.result_type(x, 0.0))
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis) % x.ndim
    total = np.zeros_like(x)
    for place in np.ndindex(*(x.shape[a] for a in axes)):
        key = [slice(None)] * x.ndim
        for a, i in zip(axes, place):
            key[a] = i
        moved = np.array(x)
        moved[tuple(key)] = t[tuple(key)]
        terms = _product_of_the_others(moved, axis)
        terms[tuple(key)] = 0
        total += terms
    return total


def _cumprod_adjoint(g, x, axis):
    """What flows back to x from g, the adjoint of np.cumprod(x, axis)."""
    x = np.asarray(x)
    along, place = (np.ravel(x), 0) if axis is None or not x.ndim else (x, axis)
    g = np.moveaxis(np.reshape(g, along.shape), place, 0)
    along = np.moveaxis(along, place, 0)
    ahead = np.ones_like(along)
    np.cumprod(along[:-1], axis=0, out=ahead[1:])
    later = np.array(g, dtype=np.result_type(x, 0.0))
    for i in range(len(later) - 2, -1, -1):
        later[i] += along[i + 1] * later[i + 1]
    return np.reshape(np.moveaxis(ahead * later, 0, place), x.shape)


def _cumprod_tangent(t, x, axis):
    """The derivative of np.cumprod(x, axis) along t."""
    x = np.asarray(x)
    whole = axis is None or not x.ndim
    along, t, place = (np.ravel(x), np.ravel(t), 0) if whole else (x, t, axis)
    along, t = np.moveaxis(along, place, 0), np.moveaxis(t, place, 0)
    product = np.cumprod(along, axis=0)
    change = np.array(t, dtype=np.result_type(x, 0.0))
    for i in range(1, len(change)):
        change[i] = change[i - 1] * along[i] + product[i - 1] * t[i]
    return np.moveaxis(change, 0, place)


def _cumprod_second(g, t, x, axis):
    """What flows back to x from g, the adjoint of _cumprod_tangent(t, x, axis)."""
    x = np.asarray(x)
    whole = axis is None or not x.ndim
    along, t, place = (np.ravel(x), np.ravel(t), 0) if whole else (x, t, axis)
    along, t, g = (np.moveaxis(a, place, 0) for a in (along, t, g))
    product, change = np.cumprod(along, axis=0), _cumprod_tangent(t, along, 0)
    d_x, d_change, d_product = np.zeros((3, *along.shape), np.result_type(x, 0.0))
    for i in range(len(along) - 1, 0, -1):
        d_change[i] += g[i]
        d_x[i] = d_change[i] * change[i - 1] + d_product[i] * product[i - 1]
        d_change[i - 1] = d_change[i] * along[i]
        d_product[i - 1] = d_product[i] * along[i] + d_change[i] * t[i]
    d_x[:1] = d_product[:1]
    return np.reshape(np.moveaxis(d_x, 0, place), x.shape)


def _share_in_quantile(x, q, axis):
    """How much each entry of x has in the linear quantile q; equal entries share."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else axis
    axes = (axes,) if np.ndim(axes) == 0 else axes
    axes = [a % x.ndim for a in axes]
    kept = [a for a in range(x.ndim) if a not in axes]
    order = kept + axes
    moved = np.transpose(x, order)
    entries = 1
    for a in axes:
        entries *= x.shape[a]
    rows = np.reshape(moved, (*moved.shape[: len(kept)], entries))
    place = q * (rows.shape[-1] - 1)
    low = int(place)
    high = low + int(place > low)
    middle = np.partition(rows, (low, high), axis=-1)
    share = np.zeros(rows.shape, dtype=np.result_type(x, 0.0))
    for i, part in ((low, 1 - place + low), (high, place - low)):
        hits = rows == middle[..., i : i + 1]
        ties = np.sum(hits, axis=-1, keepdims=True, dtype=share.dtype)
        share += np.where(hits, part / ties, 0)
    share = np.reshape(share, moved.shape)
    return np.transpose(share, [order.index(a) for a in range(x.ndim)])


def _quantiles_tangent(t, x, q, axis, keepdims):
    """The derivatives of the linear quantiles q of x along t, one behind the other."""
    shares = (_share_in_quantile(x, share, axis) for share in q)
    return np.stack([np.sum(t * s, axis=axis, keepdims=keepdims) for s in shares])


def _added_along_axis(g, x, indices, axis):
    """g added to zeros of x's shape, at the places that indices name along axis."""
    x = np.asarray(x)
    total = np.zeros(x.shape, dtype=np.result_type(x, 0.0))
    if np.size(g) == 0 or total.size == 0:
        return total
    if axis is None:
        np.add.at(np.ravel(total), np.ravel(np.asarray(indices)), np.ravel(g))
        return total
    key = list(np.ogrid[tuple(slice(n) for n in x.shape)])
    key[axis] = indices
    np.add.at(total, tuple(key), g)
    return total


def _uncropped(g, a, v, cut):
    """g among zeros, as long as np.convolve(a, v), with `cut` of them before it."""
    whole = np.zeros(len(a) + len(v) - 1, dtype=g.dtype)
    whole[cut : cut + len(g)] = g
    return whole


def _convolve_adjoint(g, a, v, mode):
    """What flows back to a from g, the adjoint of np.convolve(a, v, mode)."""
    shorter = min(len(a), len(v))
    cut = shorter - 1 if mode == "valid" else (shorter - 1) // 2
    return np.correlate(_uncropped(g, a, v, cut), v, "valid")


def _correlate_left(g, a, v, mode):
    """What flows back to a from g, the adjoint of np.correlate(a, v, mode)."""
    middle = min(len(a) // 2, (len(v) - 1) // 2)
    cut = min(len(a), len(v)) - 1 if mode == "valid" else middle
    return np.convolve(_uncropped(g, a, v, cut), v, "valid")


def _correlate_right(g, a, v, mode):
    """What flows back to v from g, the adjoint of np.correlate(a, v, mode)."""
    middle = min(len(a) // 2, (len(v) - 1) // 2)
    cut = min(len(a), len(v)) - 1 if mode == "valid" else middle
    return np.flip(np.correlate(_uncropped(g, a, v, cut), a, "valid"))


def _matrix_power(g, a, n):
    """The sum of a**k @ g @ a**(n - 1 - k), where powers are matrix products."""
    total = left = g
    for _ in range(n - 1):
        left = a @ left
        total = total @ a + left
    return total


def _cofactors(a):
    """The derivative of np.linalg.det(a); a may be singular."""
    u, s, vt = np.linalg.svd(a)
    ones = np.ones_like(s[..., :1])
    left = np.cumprod(np.concatenate([ones, s[..., :-1]], axis=-1), axis=-1)
    right = np.cumprod(np.concatenate([ones, s[..., :0:-1]], axis=-1), axis=-1)
    sign = np.linalg.det(u) * np.linalg.det(vt)
    others = sign[..., None] * left * right[..., ::-1]
    return u * others[..., None, :] @ vt


def _signal_adjoint(g, a, v, cut):
    """What flows back to a from g, a part of np.convolve(a, v) that starts at cut."""
    return np.correlate(_uncropped(g, a, v, cut), v, "valid")[: len(a)]


def _banded_transpose(l_and_u, ab):
    """The diagonals of a banded matrix, as those of its transpose."""
    lower, upper = l_and_u
    offsets = range(-lower, upper + 1)
    return np.stack([np.roll(ab[upper - k], -k) for k in offsets])


def _banded_product(l_and_u, ab, x):
    """The product of a banded matrix, given by its diagonals ab, and x."""
    lower, upper = l_and_u
    total = np.zeros_like(x)
    for k in range(-lower, upper + 1):
        rows = slice(max(-k, 0), len(x) - max(k, 0))
        columns = slice(max(k, 0), len(x) - max(-k, 0))
        total[rows] += (ab[upper - k, columns] * x[columns].T).T
    return total


def _banded_adjoint(l_and_u, g, ab, x):
    """What flows back to the diagonals ab from g, the adjoint of the right side."""
    lower, upper = l_and_u
    d_ab = np.zeros_like(ab, dtype=np.result_type(np.asarray(ab), 0.0))
    for k in range(-lower, upper + 1):
        rows = slice(max(-k, 0), len(x) - max(k, 0))
        columns = slice(max(k, 0), len(x) - max(-k, 0))
        terms = g[rows] * x[columns]
        d_ab[upper - k, columns] = -np.sum(terms, axis=tuple(range(1, terms.ndim)))
    return d_ab


def _copied(x):
    """A copy of x, which may be None."""
    return None if x is None else np.copy(x)


def _resized(g, x):
    """g in the shape of x: cut off, or with zeros behind it."""
    total = np.zeros_like(x, dtype=g.dtype)
    common = tuple(slice(min(m, n)) for m, n in zip(np.shape(g), np.shape(x)))
    total[common] = g[common]
    return total


def _twice_inside(half, n, axis=-1):
    """The half spectrum of n numbers, entries that stand for two of n doubled."""
    inside = np.moveaxis(half, axis, -1)[..., 1 : (n + 1) // 2]
    inside *= 2
    return half


def _stored_last(x, key):
    """Where x[key] = value keeps an entry: of places named twice, the last."""
    numbers = np.full(np.shape(x), -1)
    order = np.arange(np.size(numbers[key])).reshape(np.shape(numbers[key]))
    numbers[key] = order
    return numbers[key] == order


def _stored_at_last(x, key, value):
    """Where x[key] = value keeps an entry: of places named twice, that which NumPy keeps.

    It goes through them as keys and values lie in memory.
    """
    value = np.asarray(value)
    whole = (slice(None) if step else slice(1) for step in value.strides)
    value = value[(..., *whole)]
    turn = (..., *(slice(None, None, -1 if step < 0 else 1) for step in value.strides))
    numbers = np.empty_like(value[turn], dtype=int)[turn]
    numbers[...] = np.arange(numbers.size).reshape(numbers.shape)
    found = np.full(np.shape(x), -1)
    found[key] = numbers
    ahead = numbers.ndim - np.ndim(found[key])  # axes of 1, which NumPy leaves out
    kept = found[key] == numbers[(0,) * ahead]
    order = np.where(kept, np.arange(kept.size).reshape(kept.shape), -1)
    found[key] = -1
    np.maximum.at(found, key, order)
    return kept & (found[key] == order)


def _simpson_weights(n, x, dx):
    """What scipy.integrate.simpson multiplies n samples by: at x, or dx apart."""
    h = np.full(n - 1, dx, dtype=float) if x is None else np.diff(x)
    weights = np.zeros(n, dtype=np.result_type(h, 0.0))
    if n == 2:
        return weights + h[0] / 2
    a, b = h[: n - 2 : 2], h[1 : n - 1 : 2]
    weights[: n - 2 : 2] += (a + b) / 6 * (2 - b / a)
    weights[1 : n - 1 : 2] += (a + b) ** 3 / (6 * a * b)
    weights[2:n:2] += (a + b) / 6 * (2 - a / b)
    if n % 2 == 0:  # Cartwright's correction: a parabola through the last three
        a, b = h[-2], h[-1]
        last = [
            -(b**3) / (a * (a + b)),
            b * (b + 3 * a) / a,
            b * (2 * b + 3 * a) / (a + b),
        ]
        weights[-3:] += np.array(last) / 6
    return weights


def _increasing(xp):
    """The knots of np.interp, which have to be in order."""
    xp = np.asarray(xp)
    if np.any(xp[1:] < xp[:-1]):
        raise ValueError("knots of np.interp out of order have no gradient here")
    return xp


def _real_root(z):
    """z, a square root of a matrix that has to be real."""
    if np.iscomplexobj(z):
        raise ValueError("matrices with no real square root have no gradient here")
    return z
