"""Functions whose gradients divide by what may be zero."""

import numpy as np


def cosine_loss(X, Y):
    xnorm = np.sqrt(np.sum(X * X))
    ynorm = np.sqrt(np.sum(Y * Y))
    similarity = np.sum(X * Y) / (xnorm * ynorm)
    return 1 - similarity


def angle(X, Y):
    return np.arctan2(Y, X)


def where_exp(X):
    return np.where(X < 0, np.exp(X), 0.0)


def two_poles(X):
    return np.where(X < 0.5, 1 / (1.0 - X), np.log(X + 1.0))


def masked_quotient(X, Y):
    mask = Y != 0
    return np.sum((X / Y)[mask])


def norm_rows(X):
    return np.linalg.norm(X, axis=1, keepdims=True)


def pairwise(X):
    sq = np.sum(X * X, axis=1)
    d2 = sq[:, None] + sq[None, :] - 2 * (X @ X.T)
    return np.sqrt(np.maximum(d2, 0.0))


def root(X):
    return np.sqrt(X)


def xlogy(X, Y):
    return X * np.log(Y)


def sigmoid(X):
    return 1 / (1 + np.exp(-X))


def power(X, Y):
    return X**Y


def std(X):
    return np.std(X)


def std_rows(X):
    return np.std(X, axis=1)


def arccos_clip(X):
    return np.arccos(np.clip(X, -1.0, 1.0))


def chain(X, Y):
    a = X / Y
    b = a / (Y * Y)
    return b * b


def bent(X, Y):
    return np.arctan(1 / X + Y)


def reciprocal_squares(X):
    return 1 / (X * X)


def divided_rounds(X, Y):
    for i in range(len(Y)):
        X = X / Y[i]
    return np.sum(X)


def divided_arm(X, Y, flag):
    if flag:
        Z = X / Y
    else:
        Z = X * Y
    return np.sum(Z)


def rows_in_turn(X, Y):
    total = 0.0
    for i in range(len(X)):
        n = np.sqrt(np.sum(X[i] * X[i]))
        total += np.sum(X[i] / n * Y[i])
    return total


def stable(X, Y):
    n = 1 + np.exp(X)
    m = X * X + 1e-8
    return Y / n + Y / m + Y / np.maximum(X, 0.5) + np.sum(Y) / X.size
