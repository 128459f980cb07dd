"""Functions that are copied into an emitted file where a rank decides what is summed."""

import numpy as np


def _tensordot_left(g, a, b, axes):
    """What flows back to a from g, the adjoint of np.tensordot(a, b, axes)."""
    n, m = np.ndim(a), np.ndim(b)
    of_a, of_b = (range(n - axes, n), range(axes)) if np.ndim(axes) == 0 else axes
    of_a = [i % n for i in np.ravel(of_a).astype(int)]
    of_b = [i % m for i in np.ravel(of_b).astype(int)]
    free_a = [i for i in range(n) if i not in of_a]
    free_b = [i for i in range(m) if i not in of_b]
    d_a = np.tensordot(g, b, (range(len(free_a), np.ndim(g)), free_b))
    order = free_a + [i for _, i in sorted(zip(of_b, of_a))]
    return np.transpose(d_a, [order.index(i) for i in range(n)])


def _tensordot_right(g, a, b, axes):
    """What flows back to b from g, the adjoint of np.tensordot(a, b, axes)."""
    n, m = np.ndim(a), np.ndim(b)
    of_a, of_b = (range(n - axes, n), range(axes)) if np.ndim(axes) == 0 else axes
    of_a = [i % n for i in np.ravel(of_a).astype(int)]
    of_b = [i % m for i in np.ravel(of_b).astype(int)]
    free_a = [i for i in range(n) if i not in of_a]
    free_b = [i for i in range(m) if i not in of_b]
    d_b = np.tensordot(a, g, (free_a, range(len(free_a))))
    order = [i for _, i in sorted(zip(of_a, of_b))] + free_b
    return np.transpose(d_b, [order.index(i) for i in range(m)])


def _kron_left(g, a, b):
    """What flows back to a from g, the adjoint of np.kron(a, b)."""
    n = max(np.ndim(a), np.ndim(b))
    rows, columns = (
        np.reshape(x, (1,) * (n - np.ndim(x)) + np.shape(x)) for x in (a, b)
    )
    sizes = [k for pair in zip(rows.shape, columns.shape) for k in pair]
    blocks = np.reshape(g, sizes) * np.expand_dims(columns, tuple(range(0, 2 * n, 2)))
    return np.reshape(np.sum(blocks, axis=tuple(range(1, 2 * n, 2))), np.shape(a))


def _kron_right(g, a, b):
    """What flows back to b from g, the adjoint of np.kron(a, b)."""
    n = max(np.ndim(a), np.ndim(b))
    rows, columns = (
        np.reshape(x, (1,) * (n - np.ndim(x)) + np.shape(x)) for x in (a, b)
    )
    sizes = [k for pair in zip(rows.shape, columns.shape) for k in pair]
    blocks = np.reshape(g, sizes) * np.expand_dims(rows, tuple(range(1, 2 * n, 2)))
    return np.reshape(np.sum(blocks, axis=tuple(range(0, 2 * n, 2))), np.shape(b))


def _cross_left(g, a, b, axis):
    """What flows back to a from g, the adjoint of np.cross(a, b, axis=axis)."""
    a, b = np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError(
            "vectors of np.cross that are not of three have no gradient here"
        )
    d_a = _unbroadcast(np.cross(b, np.moveaxis(g, axis, -1)), a)
    return np.moveaxis(d_a, -1, axis)


def _vecdot_left(g, a, b, axis):
    """What flows back to a from g, the adjoint of np.sum(a * b) along an axis of each."""
    a, b = np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1)
    return np.moveaxis(_unbroadcast(np.expand_dims(g, -1) * b, a), -1, axis)


def _one_row(p):
    """p, the coefficients of np.polyval(p, x), which are one row."""
    if np.ndim(p) != 1:
        raise ValueError("coefficients of np.polyval in rows have no gradient here")
    return p


def _untiled(g, x, reps):
    """g, the adjoint of np.tile(x, reps), summed over the copies of x."""
    reps = tuple(np.atleast_1d(reps))
    n = max(np.ndim(x), len(reps))
    sizes = (1,) * (n - np.ndim(x)) + np.shape(x)
    reps = (1,) * (n - len(reps)) + reps
    blocks = np.reshape(g, [k for pair in zip(reps, sizes) for k in pair])
    return np.reshape(np.sum(blocks, axis=tuple(range(0, 2 * n, 2))), np.shape(x))


def _unrepeated(g, x, repeats, axis):
    """g, the adjoint of np.repeat(x, repeats, axis), summed over the copies."""
    sizes = list(np.shape(x))
    place = axis % len(sizes) + 1
    sizes.insert(place, repeats)
    return np.sum(np.reshape(g, sizes), axis=place)


def _unpadded(g, x, pad_width):
    """The part of g, the adjoint of np.pad(x, pad_width), that is no margin."""
    before = np.broadcast_to(pad_width, (np.ndim(x), 2))[:, 0]
    return g[tuple(slice(i, i + n) for i, n in zip(before, np.shape(x)))]


def _on_diagonal(g, x, offset, axis1, axis2):
    """Zeros in the shape of x, and the entries of g along one of its diagonals."""
    total = np.zeros(np.shape(x), dtype=np.result_type(g))
    matrices = np.moveaxis(total, (axis1, axis2), (-2, -1))
    rows, columns = matrices.shape[-2:]
    first, second = max(-offset, 0), max(offset, 0)
    steps = np.arange(max(min(rows - first, columns - second), 0))
    matrices[..., first + steps, second + steps] = g
    return total


def _diag_adjoint(g, x, k):
    """What flows back to x from g, the adjoint of np.diag(x, k)."""
    return np.diag(g, k).copy() if np.ndim(x) == 1 else _on_diagonal(g, x, k, 0, 1)


def _hstack_part(g, arrays, i):
    """What flows back to arrays[i] from g, the adjoint of np.hstack(arrays)."""
    seen = [np.atleast_1d(x) for x in arrays]
    axis = min(seen[0].ndim - 1, 1)
    ends = np.cumsum([x.shape[axis] for x in seen])
    return np.reshape(np.split(g, ends[:-1], axis)[i], np.shape(arrays[i]))


def _vstack_part(g, arrays, i):
    """What flows back to arrays[i] from g, the adjoint of np.vstack(arrays)."""
    ends = np.cumsum([np.atleast_2d(x).shape[0] for x in arrays])
    return np.reshape(np.split(g, ends[:-1])[i], np.shape(arrays[i]))


def _dstack_part(g, arrays, i):
    """What flows back to arrays[i] from g, the adjoint of np.dstack(arrays)."""
    ends = np.cumsum([np.atleast_3d(x).shape[2] for x in arrays])
    return np.reshape(np.split(g, ends[:-1], 2)[i], np.shape(arrays[i]))


def _column_stack_part(g, arrays, i):
    """What flows back to arrays[i] from g, the adjoint of np.column_stack(arrays)."""
    ends = np.cumsum([np.shape(x)[1] if np.ndim(x) > 1 else 1 for x in arrays])
    return np.reshape(np.split(g, ends[:-1], 1)[i], np.shape(arrays[i]))


def _block_part(g, rows, i, j):
    """What flows back to rows[i][j] from g, the adjoint of np.block(rows)."""
    seen = [[np.atleast_2d(x) for x in row] for row in rows]
    top = sum(row[0].shape[-2] for row in seen[:i])
    left = sum(x.shape[-1] for x in seen[i][:j])
    height, width = seen[i][j].shape[-2:]
    part = np.atleast_2d(g)[..., top : top + height, left : left + width]
    return np.reshape(part, np.shape(rows[i][j]))


def _delete_adjoint(g, x, obj, axis):
    """What flows back to x from g, the adjoint of np.delete(x, obj, axis)."""
    total = np.zeros(np.size(x), dtype=np.result_type(g))
    places = np.reshape(np.arange(np.size(x)), np.shape(x))
    total[np.ravel(np.delete(places, obj, axis))] = np.ravel(g)
    return np.reshape(total, np.shape(x))


def _insert_array(g, x, obj, values, axis):
    """What flows back to x from g, the adjoint of np.insert(x, obj, values, axis)."""
    put = np.zeros(np.shape(values), dtype=bool)
    kept = np.insert(np.ones(np.shape(x), dtype=bool), obj, put, axis=axis)
    return np.reshape(g[kept], np.shape(x))


def _insert_values(g, x, obj, values, axis):
    """What flows back to values from g, the adjoint of np.insert(x, obj, values, axis)."""
    total = np.zeros(np.size(values), dtype=np.result_type(g))
    numbers = np.reshape(np.arange(np.size(values)), np.shape(values))
    places = np.insert(np.full(np.shape(x), -1), obj, numbers, axis=axis)
    np.add.at(total, places[places >= 0], g[places >= 0])
    return np.reshape(total, np.shape(values))


def _diff_adjoint(g, n, axis):
    """What flows back to x from g, the adjoint of np.diff(x, n, axis)."""
    for _ in range(n):
        g = -np.diff(g, axis=axis, prepend=g.dtype.type(0), append=g.dtype.type(0))
    return g


def _part_along(g, arrays, i, axis):
    """The part of g that came from arrays[i]; a number has one place along axis."""
    ends = np.cumsum([np.shape(x)[axis] if np.ndim(x) else 1 for x in arrays])
    return np.split(g, ends, axis)[i]


def _slope_of_norm(x, ord):
    """The derivative of np.linalg.norm(x, ord) of a vector or a matrix."""
    scale = np.linalg.norm(x, ord)
    if np.ndim(x) == 2 and abs(ord) == 2:
        left, _, right = np.linalg.svd(x, full_matrices=False)
        return np.outer(left[:, 0 if ord > 0 else -1], right[0 if ord > 0 else -1])
    if np.ndim(x) == 1 and abs(ord) != np.inf:
        return np.sign(x) * (np.abs(x) / scale) ** (ord - 1)
    sums = np.abs(x)
    if np.ndim(x) == 2:
        sums = np.sum(sums, axis=0 if abs(ord) == 1 else 1, keepdims=True)
    hits = sums == scale
    return np.where(hits, np.sign(x) / np.sum(hits, dtype=scale.dtype), 0)


def _ahead_of(x, y):
    """x with as many axes of length 1 behind it as y has."""
    return np.reshape(x, np.shape(x) + (1,) * np.ndim(y))


def _summed_behind(g, x, y):
    """g, in the shape of np.add.outer(x, y), summed over the axes of y."""
    return np.sum(g, axis=tuple(range(np.ndim(x), np.ndim(x) + np.ndim(y))))


def _summed_ahead(g, x, y):
    """g, in the shape of np.add.outer(x, y), summed over the axes of x."""
    return np.sum(g, axis=tuple(range(np.ndim(x))))


def _solve_adjoint(g, a, b):
    """What flows back to b from g, the adjoint of np.linalg.solve(a, b)."""
    turned = np.swapaxes(a, -1, -2)
    if np.ndim(b) == 1:
        return np.linalg.solve(turned, g[..., None])[..., 0]
    return np.linalg.solve(turned, g)


def _products_of(x, y, b):
    """The products of the columns of x and y; they are vectors where b is one."""
    if np.ndim(b) == 1:
        return x[..., :, None] * y[..., None, :]
    return x @ np.swapaxes(y, -1, -2)


def _solved(a, v, b):
    """np.linalg.solve(a, v), v being vectors where b is one."""
    if np.ndim(b) == 1:
        return np.linalg.solve(a, v[..., None])[..., 0]
    return np.linalg.solve(a, v)


def _times(a, x, b):
    """a @ x, x being vectors where b is one."""
    return (a @ x[..., None])[..., 0] if np.ndim(b) == 1 else a @ x


def _linspace_adjoint(g, x, axis, endpoint, end):
    """What flows to x from g, the adjoint of np.linspace from x, or to x (end = 1)."""
    g = np.moveaxis(g, axis, 0)
    share = np.linspace(0, 1, len(g), endpoint=endpoint, dtype=g.dtype)
    share = share if end else 1 - share
    return _unbroadcast(np.tensordot(share, g, 1), x)
