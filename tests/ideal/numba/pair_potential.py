import numba
import numpy as np


@numba.njit(cache=True, error_model="numpy")
def grad_pair_potential(X, eps, sigma, d_energy=1.0):
    """Gradient of pair_potential with respect to X, eps and sigma."""
    d_X = np.zeros_like(X)
    d_eps = 0.0
    d_sigma = 0.0
    for i in range(X.shape[0]):
        for j in range(i):
            r2 = 0.0
            for k in range(X.shape[1]):
                r2 += (X[i, k] - X[j, k]) ** 2
            s = (sigma * sigma / r2) ** 3
            # energy += 4 * eps * (s * s - s)
            d_eps += d_energy * 4 * (s * s - s)
            d_s = d_energy * 4 * eps * (2 * s - 1)
            # s = (sigma * sigma / np.sum(d * d)) ** 3
            d_sigma += 6 * d_s * s / sigma
            d_r2 = -3 * d_s * s / r2
            # d = X[i] - X[j]
            for k in range(X.shape[1]):
                d_d = 2 * d_r2 * (X[i, k] - X[j, k])
                d_X[i, k] += d_d
                d_X[j, k] -= d_d
    return d_X, d_eps, d_sigma
