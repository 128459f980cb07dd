"""Matrices taken apart by loops: Cholesky's factor, Gram and Schmidt's basis."""

import numpy as np


def cholesky_loops(A):
    """Log-determinant of a positive definite matrix, of which the lower half is read."""
    L = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(i):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
        L[i, i] = np.sqrt(A[i, i] - L[i, :i] @ L[i, :i])
    return 2 * np.sum(np.log(np.diag(L)))


def gram_schmidt(A):
    """Orthonormal columns that span the same spaces as the first columns of A."""
    Q = np.zeros_like(A)
    for j in range(A.shape[1]):
        v = A[:, j].copy()
        for k in range(j):
            v -= (Q[:, k] @ v) * Q[:, k]
        Q[:, j] = v / np.sqrt(v @ v)
    return Q
