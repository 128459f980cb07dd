import numba
import numpy as np


@numba.njit(cache=True, error_model="numpy")
def grad_stencil(u, c, steps, d_out=1.0):
    """Gradient of stencil with respect to u."""
    # Forward
    u = u.copy()
    for _ in range(steps):
        rhs = np.empty(u.shape[0] - 2)
        for i in range(u.shape[0] - 2):
            rhs[i] = c * (u[i] - 2 * u[i + 1] + u[i + 2])
        for i in range(u.shape[0] - 2):
            u[i + 1] += rhs[i]

    # u * u
    d_u = np.empty_like(u)
    for i in range(u.shape[0]):
        d_u[i] = 2 * d_out * u[i]
    for _ in range(steps - 1, -1, -1):
        # u[1:-1] += c * (u[:-2] - 2 * u[1:-1] + u[2:])
        d_rhs = np.empty(u.shape[0] - 2)
        for i in range(u.shape[0] - 2):
            d_rhs[i] = c * d_u[i + 1]
        for i in range(u.shape[0] - 2):
            d_u[i] += d_rhs[i]
            d_u[i + 1] -= 2 * d_rhs[i]
            d_u[i + 2] += d_rhs[i]
    return d_u
