"""Losses between two vectors: the cosine distance whole, in pieces, and by rows."""

import numpy as np


def cosine_loss(X, Y):
    """One minus the cosine of the angle between two vectors."""
    xnorm = np.sqrt(np.sum(X * X))
    ynorm = np.sqrt(np.sum(Y * Y))
    similarity = np.sum(X * Y) / (xnorm * ynorm)
    return 1 - similarity


def L2_norm(X):
    """Euclidean length of an array of any shape."""
    XX = X * X
    XX_sum = np.sum(XX)
    XX_sqrt = np.sqrt(XX_sum)
    return XX_sqrt


def dot(X, Y):
    """Sum of the products of the entries of two arrays."""
    XY = X * Y
    XY_sum = XY.sum()
    return XY_sum


def cosine_division(XY_dot, X_norm, Y_norm):
    """Cosine loss from a dot product and the two norms."""
    similarity = XY_dot / (X_norm * Y_norm)
    loss = 1 - similarity
    return loss


def get_cossim_loss(yh, y):
    """Sum of the cosine losses between the rows of a prediction and its target."""
    # Add a small constant to avoid 0 vectors
    yh = yh + 1e-8
    y = y + 1e-8
    # https://math.stackexchange.com/questions/1923613/partial-derivative-of-cosine-similarity
    norm_yh = np.linalg.norm(yh, axis=1, keepdims=True)
    norm_y = np.linalg.norm(y, axis=1, keepdims=True)
    mul_norms = norm_yh * norm_y
    cosine = (yh * y).sum(axis=1, keepdims=True) / mul_norms
    loss = np.abs(1 - cosine).sum()
    return loss


def cossim_rows(yh, y):
    """Sum of the cosine losses between the rows of two matrices."""
    # Add a small constant to avoid 0 vectors
    yh = yh + 1e-8
    y = y + 1e-8
    norm_yh = np.linalg.norm(yh, axis=1, keepdims=True)
    norm_y = np.linalg.norm(y, axis=1, keepdims=True)
    mul_norms = norm_yh * norm_y
    cosine = (yh * y).sum(axis=1, keepdims=True) / mul_norms
    loss = np.abs(1 - cosine).sum()
    return loss


def cossim_flat(yh, y):
    """Cosine loss between two arrays, each read as one long vector."""
    # Add a small constant to avoid 0 vectors
    yh = yh + 1e-8
    y = y + 1e-8
    norm_yh = np.linalg.norm(yh)
    norm_y = np.linalg.norm(y)
    mul_norms = norm_yh * norm_y
    cosine = (yh * y).sum() / mul_norms
    loss = np.abs(1 - cosine).sum()
    return loss


def cosine_rows(yh, y):
    """Sum of the cosine losses between the rows of two matrices, without a constant."""
    norms = np.linalg.norm(yh, axis=1) * np.linalg.norm(y, axis=1)
    cosine = np.sum(yh * y, axis=1) / norms
    return np.sum(1 - cosine)


def log_cosh_loss(w, X, y):
    """Squared error of a linear model that counts large errors less."""
    return np.sum(np.log(np.cosh(X @ w - y)))
