"""Distances between all pairs of rows of two point sets, by broadcasting."""

import numpy as np


def pairwise_distances(X, Y):
    """Euclidean distances (n, m) between the rows of X (n, d) and of Y (m, d)."""
    diff = X[:, None, :] - Y[None, :, :]
    return np.sqrt(np.sum(diff * diff, axis=-1))


def pairwise_energy(X, Y):
    """Sum of the distances between every row of X and every row of Y."""
    diff = X[:, None, :] - Y[None, :, :]
    distances = np.sqrt(np.sum(diff * diff, axis=-1))
    return np.sum(distances)


def distances_above(X):
    """Sum of the distances between different rows of X, each pair once."""
    diff = X[:, None, :] - X[None, :, :]
    distances = np.sqrt(np.sum(diff * diff, axis=-1))
    return np.sum(np.triu(distances, 1))
