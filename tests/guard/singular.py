"""Functions, where their gradients are singular, and what the gradients are there.

Where a function has no gradient, one of the subdifferential is meant: the middle of
it at a kink, 0 where a length is 0.
"""

import numpy as np
from scipy import special

INF = np.inf


def arctan2(y, x):
    return np.arctan2(y, x)


def hypot(x, y):
    return np.hypot(x, y)


def norm(x):
    return np.linalg.norm(x)


def length(x):
    return np.sqrt(np.sum(x * x))


def cosine_rows(X, Y):
    lengths = np.linalg.norm(X, axis=1) * np.linalg.norm(Y, axis=1)
    return np.sum(X * Y, axis=1) / lengths


def x_log_y(x, y):
    return x * np.log(y)


def xlogy(x, y):
    return special.xlogy(x, y)


def root(x):
    return np.sqrt(x)


def power(x, y):
    return x**y


def quotient(x, y):
    return x / y


def reciprocal(x):
    return 1 / x


def deviation(x):
    return np.std(x)


def magnitude(x):
    return np.abs(x)


def larger(x, y):
    return np.maximum(x, y)


def clipped(x):
    return np.clip(x, -1, 1)


def arccos_clipped(x):
    return np.arccos(np.clip(x, -1, 1))


def largest(x):
    return np.max(x)


def product(x):
    return np.prod(x)


def determinant(X):
    return np.linalg.det(X)


def sinc(x):
    return np.sinc(x)


def entropy(x):
    return np.where(x > 0, -x * np.log(x), 0)


def distances_above(X):
    diff = X[:, None, :] - X[None, :, :]
    return np.sum(np.triu(np.sqrt(np.sum(diff * diff, axis=-1)), 1))


def cross_entropy(x, y):
    return np.maximum(x, 0) - x * y + np.log1p(np.exp(-np.abs(x)))


def logaddexp(x, y):
    return np.logaddexp(x, y)


def logaddexp2(x, y):
    return np.logaddexp2(x, y)


def log_of_both(x):
    return np.logaddexp(np.log(x[0]), np.log(x[1]))


def logsumexp(X):
    return special.logsumexp(X, axis=1)


# (function, its arguments, the gradients in them)
POINTS = [
    (arctan2, ([0], [0]), ([0], [0])),
    (arctan2, ([0, 2e-30], [4e-30, 0]), ([2.5e29, 0], [0, -5e29])),
    (hypot, ([0, 3e-30], [0, 4e-30]), ([0, 0.6], [0, 0.8])),
    (norm, ([0, 0],), ([0, 0],)),
    (norm, ([3e-15, 4e-15],), ([0.6, 0.8],)),
    (length, ([0, 0],), ([0, 0],)),
    (
        cosine_rows,
        ([[0, 0], [3, 4]], [[1, 1], [0, 1]]),
        ([[0, 0], [-0.096, 0.072]], [[0, 0], [0.6, 0]]),
    ),
    (x_log_y, ([0, 2, 3], [0, 0, 1]), ([0, 0, 0], [0, 0, 3])),
    (xlogy, ([0, 2], [0, 1]), ([0, 0], [0, 2])),
    (root, ([0, 4],), ([0, 0.25],)),
    (root, ([2.0**-100],), ([2.0**49],)),
    (
        power,
        ([0, 0, 0, 0, 2], [0.5, 1, 2, 0, -1]),
        ([0, 1, 0, 0, -0.25], [0, 0, 0, 0, 0.5 * np.log(2)]),
    ),
    (quotient, ([1, 0, 3], [0, 0, 2]), ([0, 0, 0.5], [0, 0, -0.75])),
    (reciprocal, ([0, 2],), ([0, -0.25],)),
    (deviation, ([2, 2, 2],), ([0, 0, 0],)),
    (deviation, ([1, 3],), ([-0.5, 0.5],)),
    (magnitude, ([0, -2],), ([0, -1],)),
    (larger, ([1, 2], [1, 1]), ([0.5, 1], [0.5, 0])),
    (clipped, ([-1, 0, 1, 2],), ([0.5, 1, 0.5, 0],)),
    (arccos_clipped, ([-1, 0, 1, 5],), ([0, -1, 0, 0],)),
    (largest, ([2, 1, 2],), ([0.5, 0, 0.5],)),
    (product, ([0, 2, 3],), ([6, 0, 0],)),
    (product, ([0, 2, 0],), ([0, 0, 0],)),
    (determinant, ([[2, 4], [1, 2]],), ([[2, -1], [-4, 2]],)),
    (sinc, ([0, 1],), ([0, -1],)),
    (entropy, ([0, 1, -1],), ([0, -1, 0],)),
    (
        distances_above,
        ([[0, 0], [3, 4], [0, 0]],),
        ([[-0.6, -0.8], [1.2, 1.6], [-0.6, -0.8]],),
    ),
    (cross_entropy, ([0], [0.3]), ([0.2], [0])),
    (logaddexp, ([-INF, -INF, 1], [-INF, 0, 1]), ([0, 0, 0.5], [0, 1, 0.5])),
    (logaddexp2, ([-INF, -INF], [-INF, 0]), ([0, 0], [0, 1])),
    (log_of_both, ([0, 0],), ([0, 0],)),
    (logsumexp, ([[-INF, -INF], [-INF, 2]],), ([[0, 0], [0, 1]],)),
]
