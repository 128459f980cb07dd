"""What functions take of one array, of two, or along an axis tells how many axes these have.

Each text is right, in value and shape, or raises what it assumes.
"""

import numpy as np
import pytest

from tests.signature.sweep import right_or_raised

RNG = np.random.default_rng(13)


def some(*shape):
    return RNG.uniform(0.3, 0.9, shape)


def covariance(x, y):
    return np.cov(x, y)[0, 1]


def similarity(x, y):
    c = np.cov(x, y, ddof=0)[0, 1]
    return (2 * x.mean() * y.mean() + 0.1) * (2 * c + 0.2) / (x.var() + y.var() + 0.2)


def correlation(asset, market):
    return np.corrcoef(asset, market)[0, 1]


def of_columns(X):
    return np.cov(X, rowvar=False)


def steepness(phi):
    gx, gy = np.gradient(phi)
    return np.sqrt(gx**2 + gy**2)


def advected(field, vel, dt):
    g = np.gradient(field)
    return field - dt * (vel[..., 0] * g[0] + vel[..., 1] * g[1])


def spaced(u, dx, dy):
    uy, ux = np.gradient(u, dy, dx)
    return ux**2 + uy**2


def curvature(x, y, t):
    xd, yd = np.gradient(x, t), np.gradient(y, t)
    return (xd * np.gradient(yd, t) - yd * np.gradient(xd, t)) / (xd**2 + yd**2)


def by_places(f, x, y):
    fx, fy = np.gradient(f, x, y)
    return fx * fy


def vorticity(u, v, dx):
    return np.gradient(v, dx, axis=1) - np.gradient(u, dx, axis=0)


def in_depth(vol):
    gz, gy, gx = np.gradient(vol)
    return gx * gy + gz


def along(windows):
    return np.apply_along_axis(lambda v: np.sqrt(np.mean(v**2)), 1, windows)


def shares(x):
    return np.apply_along_axis(lambda v: v / np.sum(v), 0, x)


def by_names(x):
    return np.apply_along_axis(lambda v: np.cumsum(v) ** 2, axis=-1, arr=x)


def luminance(img):
    r, g, b = np.moveaxis(img, -1, 0)
    return 0.2 * r + 0.7 * g * b


def turned(vectors):
    s = np.zeros((*vectors.shape[:-1], 3, 3))
    s[..., 0, 1], s[..., 1, 0] = -vectors[..., 2], vectors[..., 2]
    return s * np.sum(vectors**2)


def padded(q):
    out = np.zeros(q.shape[:-1] + (3,))
    out[..., 0] = q[..., 0] * q[..., 1]
    out[..., 2] = q[..., 2]
    return out


def averaged(rew, values, last, done, gamma, lam):
    adv, now = np.zeros_like(rew), np.zeros(rew.shape[1])
    for t in reversed(range(len(rew))):
        ahead = last if t == len(rew) - 1 else values[t + 1]
        ahead = np.where(done[t], 0.0, ahead)
        now = rew[t] + gamma * ahead - values[t] + gamma * lam * ~done[t] * now
        adv[t] = now
    return adv


def factors(A, W, H):
    return np.linalg.norm(A - np.dot(W, np.transpose(H)), "fro") ** 2 / 2


def two_factors(A, W, H, V, S, alpha):
    loss = np.linalg.norm(A - np.dot(W, np.transpose(H)), ord="fro") ** 2
    return loss + alpha * np.linalg.norm(np.dot(W, np.transpose(V)) - S, "fro") ** 2


V8, M45, P43 = some(8), some(4, 5), some(4, 3)
DONE = RNG.random((5, 3)) > 0.6
CASES = [
    (covariance, "x is a vector, y is a vector", (V8, some(8)), {"x": [some(2, 8)]}),
    (similarity, "x is a vector, y is a vector", (V8, some(8)), {"y": [some(1, 8)]}),
    (correlation, "asset is a vector", (V8, some(8)), {"market": [some(2, 8)]}),
    (of_columns, "X (n, d)", (M45,), {"X": [M45.T]}),
    (steepness, "phi is a matrix", (M45,), {"phi": [some(2, 2)]}),
    (
        advected,
        "field is a matrix",
        (M45, some(4, 5, 2), 0.1),
        {"vel": [some(1, 5, 2), some(2)], "dt": [M45]},
    ),
    (spaced, "u is a matrix", (M45, 0.1, 0.2), {"dx": [np.arange(5.0)]}),
    (
        curvature,
        "x is a vector, y is a vector, t is a vector",
        (some(7), some(7), np.cumsum(some(7))),
        {"t": [0.1]},
    ),
    (
        by_places,
        "f is a matrix, x is a vector, y is a vector",
        (M45, np.cumsum(some(4)), np.cumsum(some(5))),
        {"x": [0.1]},
    ),
    (vorticity, "dx is a number", (M45, some(4, 5), 0.1), {"u": [some(5, 4)]}),
    (in_depth, "vol is an array of 3 axes", (some(3, 4, 5),), {"vol": [some(2, 2, 2)]}),
    (along, "windows is a matrix", (M45,), {"windows": [some(2, 4, 5)]}),
    (shares, "x is a matrix", (M45,), {"x": [V8]}),
    (by_names, "x is a matrix", (M45,), {"x": [V8]}),
    (luminance, "img (*s)", (P43,), {"img": [some(3), some(2, 4, 3)]}),
    (turned, "vectors is a matrix", (P43,), {"vectors": [some(3), some(2, 4, 3)]}),
    (padded, "q is a matrix", (P43,), {"q": [some(3), some(2, 4, 3)]}),
    (
        averaged,
        "done (*",
        (some(5, 3), some(5, 3), some(3), DONE, 0.9, 0.8),
        {"done": [DONE[:, 0]], "gamma": [some(3)]},
    ),
    (factors, "def grad_", (M45, some(4, 2), some(5, 2)), {"A": [0.5]}),
    (
        two_factors,
        "H is a matrix",
        (M45, some(4, 2), some(5, 2), some(3, 2), some(4, 3), 0.5),
        {"A": [some(5)], "S": [some(1, 3)]},
    ),
]


@pytest.mark.parametrize(
    "function, words, args, others", CASES, ids=lambda one: getattr(one, "__name__", "")
)
def test_functions_tell_of_axes(function, words, args, others):
    assert words in " ".join(right_or_raised(function, args, others).split())
