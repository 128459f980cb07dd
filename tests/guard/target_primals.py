"""Functions with a point where the gradient is not finite, as people write them."""

import numpy as np


def cosine_loss(X, Y):
    xnorm = np.sqrt(np.sum(X * X))
    ynorm = np.sqrt(np.sum(Y * Y))
    norms = xnorm * ynorm
    dot = np.sum(X * Y)
    loss = 1 - dot / norms
    return loss


def arctan2(y, x):
    return np.arctan2(y, x)


def where_exp(x):
    return np.where(x < 0, np.exp(x), 1.0)


def where_two_poles(x):
    return np.where(x < 0, 1 / (1.0 - x), np.log(x + 1.0))


def masked_div(x, div):
    y = x / div
    mask = div != 0
    return np.sum(y[mask])


def nansum_mul(a, b):
    return np.nansum(a * b)


def norm_rows(x):
    return np.linalg.norm(x, axis=1, keepdims=True)


def pairwise_expanded(x):
    sq = np.sum(x * x, axis=1)
    d2 = sq[:, None] + sq[None, :] - 2 * (x @ x.T)
    root = np.sqrt(np.maximum(d2, 0.0))
    return np.sum(root)


def sqrt(x):
    return np.sqrt(x)


def xlogy(x, y):
    return x * np.log(y)


def entropy(p):
    return -np.sum(np.where(p > 0, p * np.log(p), 0.0))


def softplus(x):
    return np.logaddexp(0.0, x)


def log_softmax(s):
    z = s - np.max(s)
    logp = z - np.log(np.sum(np.exp(z)))
    return logp


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def power(x, p):
    return x**p


def prod(x):
    return np.prod(x)


def std(x):
    return np.std(x)


def arccos_clip(x):
    return np.arccos(np.clip(x, -1.0, 1.0))


def eigh(A):
    w, V = np.linalg.eigh(A)
    return w, V
