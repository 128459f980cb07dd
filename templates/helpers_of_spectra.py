"""Functions that are copied into an emitted file for the vectors of eigenvalues and singular values."""

import numpy as np


def _eigvals_adjoint(g, w, v):
    """What flows back to a matrix from g, the adjoint of its eigenvalues w."""
    if np.iscomplexobj(w):
        raise ValueError("complex eigenvalues have no gradient here")
    rows = np.swapaxes(v, -1, -2)
    return np.linalg.solve(rows, g[..., None] * rows)


def _hermitian_vectors(a, lower):
    """The eigenvectors of complex Hermitian matrices, each with a phase of its own."""
    return np.linalg.eigh(a, UPLO=lower)[1]


def _vectors_of(values, w, v):
    """The eigenvectors of these eigenvalues, from v, which has them in the order of w."""
    if np.iscomplexobj(w):
        raise ValueError("complex eigenvalues have no gradient here")
    places = np.argsort(np.argsort(values, axis=-1), axis=-1)
    rising = np.take_along_axis(v, np.argsort(w, axis=-1)[..., None, :], axis=-1)
    return np.take_along_axis(rising, places[..., None, :], axis=-1)


def _upright(r):
    """The factor r of np.linalg.qr, which is square but for a wide matrix."""
    if np.shape(r)[-2] < np.shape(r)[-1]:
        raise ValueError("more columns than rows of np.linalg.qr have no gradient here")
    return r


def _eigvectors_adjoint(g, w, v):
    """What flows back to a matrix from g, the adjoint of its eigenvectors v."""
    if np.iscomplexobj(w):
        raise ValueError("complex eigenvalues have no gradient here")
    rows = np.swapaxes(v, -1, -2)
    gaps = w[..., None, :] - w[..., :, None]
    near = np.abs(gaps) <= 1e4 * np.spacing(np.sort(np.abs(w))[..., -1:, None])
    counts = np.any(g, axis=-2, keepdims=True) > np.eye(gaps.shape[-1])
    gaps = np.where(near, np.where(counts, np.nan, np.inf), gaps)
    inner = (rows @ g - rows @ v * np.sum(v * g, axis=-2, keepdims=True)) / gaps
    return np.linalg.solve(rows, inner @ rows)


def _eigvals_tangent(t, w, v):
    """The derivative of the eigenvalues w of a matrix along t."""
    if np.iscomplexobj(w):
        raise ValueError("complex eigenvalues have no gradient here")
    return np.diagonal(np.linalg.solve(v, t @ v), axis1=-2, axis2=-1)


def _eigvectors_tangent(t, w, v):
    """The derivative of the eigenvectors v of a matrix along t."""
    if np.iscomplexobj(w):
        raise ValueError("complex eigenvalues have no gradient here")
    gaps = w[..., None, :] - w[..., :, None]
    near = np.abs(gaps) <= 1e4 * np.spacing(np.sort(np.abs(w))[..., -1:, None])
    gaps = np.where(near, np.where(np.eye(gaps.shape[-1]), np.inf, np.nan), gaps)
    change = v @ (np.linalg.solve(v, t @ v) / gaps)
    return change - v * np.sum(v * change, axis=-2, keepdims=True)


def _from_left_factor(g, u, s, v, alone):
    """What flows back to a from g, the adjoint of u of u, s, v = np.linalg.svd(a).

    alone: whether s and v add nothing; then vectors of one value turn freely.
    """
    m, k = u.shape[-1], s.shape[-1]
    if m > k + 1 and np.any(g[..., k:]):
        raise ValueError(
            "several columns without singular values have no gradient here"
        )
    inner = np.swapaxes(u, -1, -2) @ g
    skew = (inner - np.swapaxes(inner, -1, -2))[..., :k]
    ends = np.concatenate([s, np.zeros(s.shape[:-1] + (m - k,))], axis=-1)[..., None]
    row = s[..., None, :]
    near = np.abs(row - ends) <= 1e4 * np.spacing(row[..., :1])
    if alone:
        size = np.sum(np.abs(g), axis=-2)
        sizes = size[..., None] + size[..., None, :k]
        counts = np.abs(skew) > 64 * np.spacing(sizes)
    else:
        counts = np.any(g, axis=-2, keepdims=True)[..., :k] > np.eye(m, k)
    level = np.where(counts, np.nan, np.inf)
    gaps = np.where(near, level, (row - ends) * (row + ends))
    return u @ (skew / gaps * row) @ v[..., :k, :]  # nan at equal values


def _left_factor_tangent(t, u, s, v):
    """The tangent of u of u, s, v = np.linalg.svd(a), where t is that of a."""
    m, k = u.shape[-1], s.shape[-1]
    moved = np.swapaxes(u, -1, -2) @ t @ np.swapaxes(v[..., :k, :], -1, -2)
    ends = np.concatenate([s, np.zeros(s.shape[:-1] + (m - k,))], axis=-1)[..., None]
    row = s[..., None, :]
    near = np.abs(row - ends) <= 1e4 * np.spacing(row[..., :1])
    gaps = np.where(near, np.nan, (row - ends) * (row + ends))
    gaps = np.where(np.eye(m, k), 1, gaps)
    within = np.swapaxes(row * moved[..., :k, :], -1, -2)
    above = within + row * moved[..., :k, :]
    change = np.concatenate([above, row * moved[..., k:, :]], axis=-2)
    turn = (1 - np.eye(m, k)) * change / gaps  # nan at equal values
    rest = -np.swapaxes(turn[..., k:, :], -1, -2)
    free = np.full(rest.shape[:-2] + (m - k, m - k), 0.0 if m <= k + 1 else np.nan)
    return u @ np.concatenate([turn, np.concatenate([rest, free], axis=-2)], axis=-1)
