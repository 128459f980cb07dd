"""The functions of the property tests: small, with a point where a text could fail.

Arguments by name: x, y any numbers, u, v none below 0; X, U the same as matrices.
"""

import numpy as np


def root(u):
    return np.sqrt(u)


def root_of_sum(u, v):
    return np.sqrt(u + v)


def root_of_magnitude(x):
    return np.sqrt(np.abs(x))


def cube_root(x):
    return np.cbrt(x)


def reciprocal(x):
    return 1 / x


def ratio(x, y):
    return x / y


def tame_ratio(x, u):
    return x / (u + 1)


def ratio_of_roots(u, v):
    return np.sqrt(u) / (1 + np.sqrt(v))


def logarithm(u):
    return np.log1p(u)


def half_power(u):
    return u**0.5


def cubed(x):
    return x**3


def tame_power(u, v):
    return (1 + u) ** (v / (1 + v))


def magnitude(x):
    return np.abs(x)


def signed_square(x):
    return x * np.abs(x)


def squashed(x):
    return np.tanh(x)


def naive_sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.logaddexp(0, x)


def log_of_two(x, y):
    return np.logaddexp(x, y)


def angle(y, x):
    return np.arctan2(y, x)


def radius(x, y):
    return np.hypot(x, y)


def arc_tangent(x):
    return np.arctan(x)


def bell(x):
    return np.exp(-x * x)


def area(x):
    return np.arcsinh(x)


def log_of_square(x):
    return np.log(1 + x * x)


def smooth_magnitude(x):
    return np.sqrt(1 + x * x)


def arc_sine(x):
    return np.arcsin(np.clip(x, -1, 1))


def arc_cosine(x):
    return np.arccos(np.clip(x, -1, 1))


def cardinal_sine(x):
    return np.sinc(x)


def larger(x, y):
    return np.maximum(x, y)


def smaller(x, y):
    return np.minimum(x, y)


def clipped(x):
    return np.clip(x, -1, 2)


def rectified(x):
    return np.maximum(x, 0)


def textbook_cross_entropy(x, y):
    return np.maximum(x, 0) - x * y + np.log1p(np.exp(-np.abs(x)))


def length(x):
    return np.sqrt(np.sum(x * x))


def mean_magnitude(x):
    return np.mean(np.abs(x))


def deviation(X):
    return np.std(X, axis=1)


def variance(X):
    return np.var(X, axis=0)


def largest(X):
    return np.max(X, axis=1)


def smallest(x):
    return np.min(x)


def product(x):
    return np.prod(x)


def spread(x):
    return np.ptp(x)


def shifted_sum(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def softmax(X):
    e = np.exp(X - np.max(X, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def shares(u):
    return u / np.sum(u)


def geometric(u):
    return np.exp(np.mean(np.log1p(u)))


def middle(x):
    return np.median(x)


def norm(x):
    return np.linalg.norm(x)


def norm_of_rows(X):
    return np.linalg.norm(X, axis=1)


def unit_rows(X):
    return X / (1 + np.linalg.norm(X, axis=1, keepdims=True))


def norm_one(x):
    return np.linalg.norm(x, 1)


def norm_of_largest(x):
    return np.linalg.norm(x, np.inf)


def norm_three(x):
    return np.linalg.norm(x, 3)


def cosine(x, y):
    return np.sum(x * y) / (np.linalg.norm(x) * np.linalg.norm(y))


def distances(X):
    diff = X[:, None, :] - X[None, :, :]
    return np.sqrt(np.sum(diff * diff, axis=-1))


def expanded_distances(X):
    squares = np.sum(X * X, axis=1)
    apart = squares[:, None] + squares[None, :] - 2 * (X @ X.T)
    return np.sum(np.sqrt(np.maximum(apart, 0)))


def lengths_of_products(X):
    return np.sqrt(np.sum((X @ X.T) ** 2, axis=1))


def projected(x, y):
    return np.outer(x, y) @ y / (1 + np.sum(y * y))


def where_exp(x):
    return np.where(x < 0, np.exp(x), 1)


def where_ratio(x, y):
    return np.where(y != 0, x / y, 0)


def where_log(x):
    return np.where(x > 0, np.log(x), 0)


def two_poles(x):
    return np.where(x < 0, 1 / (1 - x), np.log(x + 1))


def entropy(u):
    return np.where(u > 0, -u * np.log(u), 0)


def selected_ratio(x, y):
    quotients = x / y
    return np.sum(quotients[y != 0])


def stored_ratio(x, y):
    mask = y != 0
    out = np.zeros_like(x)
    out[mask] = x[mask] / y[mask]
    return out


def sum_of_numbers(x, y):
    return np.nansum(np.sqrt(np.where(y > 0, y, np.nan)) * x)


def mean_of_numbers(X):
    rows = np.where(X != 0, X, np.nan)
    return np.nanmean(np.append(rows, 1))


def summed_where(x, y):
    return np.sum(x / y, where=y != 0)


def nested(x):
    inner = np.where(x > 1, np.log(x - 1), 0)
    return np.where(x < 4, inner, 1)


def root_where(x):
    return np.where(x > 0, np.sqrt(x), 0)


def above_the_diagonal(X):
    diff = X[:, None, :] - X[None, :, :]
    return np.triu(np.sqrt(np.sum(diff * diff, axis=-1)), 1)


def inner_deviation(X):
    return np.sum(np.std(X, axis=1)[1:-1])


def branch(x):
    if np.sum(x) > 0:
        y = np.sqrt(np.abs(x))
    else:
        y = x * x
    return y


def root_in_a_loop(u):
    total = 0.0
    for i in range(len(u)):
        total = total + np.sqrt(u[i])
    return total


def steps(x):
    y = x
    for _ in range(3):
        y = y / (1 + np.sqrt(np.abs(y)))
    return y


def mask_in_a_loop(X):
    total = np.zeros(2, X.dtype)
    for i in range(len(X)):
        total = total + np.where(X[i] > 0, np.log(X[i]), 0)
    return total


def branch_in_a_loop(x):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            total = total + np.sqrt(x[i])
    return total


# Of these, what was not selected has a gradient of exactly 0 in the first argument,
# and no guard is needed for it.
UNSELECTED = {
    where_exp: lambda x: x >= 0,
    where_ratio: lambda x, y: y == 0,
    where_log: lambda x: x <= 0,
    entropy: lambda u: u <= 0,
    selected_ratio: lambda x, y: y == 0,
    stored_ratio: lambda x, y: y == 0,
    mean_of_numbers: lambda X: X == 0,
    summed_where: lambda x, y: y == 0,
    nested: lambda x: (x <= 1) | (x >= 4),
    root_where: lambda x: x <= 0,
    rectified: lambda x: x < 0,
    clipped: lambda x: (x < -1) | (x > 2),
    mask_in_a_loop: lambda X: X <= 0,
    branch_in_a_loop: lambda x: x <= 0,
}
# Each row is its own: what stands in one changes nothing in another.
OF_ROWS = [deviation, norm_of_rows, unit_rows, softmax, largest]

FUNCTIONS = [
    f for f in list(vars().values()) if getattr(f, "__module__", "") == __name__
]
FUNCTIONS = [f for f in FUNCTIONS if f.__name__ != "<lambda>"]
