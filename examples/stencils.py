"""Stencils that sweep over their arrays in place."""

import numpy as np


def jacobi_1d(A, B, steps):
    """Sum of squares of a rod's temperatures A after `steps` averagings to and fro."""
    for t in range(1, steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
    return np.sum(A * A)


def heat_2d(u, alpha, steps):
    """Sum of squares of a plate's temperatures after `steps` of explicit diffusion."""
    for t in range(steps):
        u[1:-1, 1:-1] += alpha * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
    return np.sum(u * u)


def gauss_seidel(u, f, sweeps):
    """Sum of squares of u after sweeps for -laplace(u) = f, each entry at once."""
    for sweep in range(sweeps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                u[i, j] = 0.25 * (around + f[i, j])
    return np.sum(u * u)
