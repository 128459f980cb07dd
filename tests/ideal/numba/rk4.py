import numba
import numpy as np


@numba.njit(cache=True, error_model="numpy")
def grad_rk4(y, k, dt, steps, d_out=1.0):
    """Gradient of rk4 with respect to y and k."""
    # Forward
    ys = np.empty((steps + 1, y.shape[0]))
    ys[0] = y
    for step in range(steps):
        for i in range(y.shape[0]):
            k1 = -k * ys[step, i]
            k2 = -k * (ys[step, i] + dt / 2 * k1)
            k3 = -k * (ys[step, i] + dt / 2 * k2)
            k4 = -k * (ys[step, i] + dt * k3)
            ys[step + 1, i] = ys[step, i] + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    # y * y
    d_y = np.empty_like(y)
    for i in range(y.shape[0]):
        d_y[i] = 2 * d_out * ys[steps, i]
    d_k = 0.0
    for step in range(steps - 1, -1, -1):
        for i in range(y.shape[0]):
            y1 = ys[step, i]
            y2 = y1 - dt / 2 * k * y1
            y3 = y1 - dt / 2 * k * y2
            y4 = y1 - dt * k * y3
            # y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            d_k4 = dt / 6 * d_y[i]
            # k4 = -k * (y + dt * k3)
            d_y4 = -k * d_k4
            # k3 = -k * (y + dt / 2 * k2)
            d_k3 = 2 * dt / 6 * d_y[i] + dt * d_y4
            d_y3 = -k * d_k3
            # k2 = -k * (y + dt / 2 * k1)
            d_k2 = 2 * dt / 6 * d_y[i] + dt / 2 * d_y3
            d_y2 = -k * d_k2
            # k1 = -k * y
            d_k1 = dt / 6 * d_y[i] + dt / 2 * d_y2
            d_k -= d_k1 * y1 + d_k2 * y2 + d_k3 * y3 + d_k4 * y4
            d_y[i] += d_y4 + d_y3 + d_y2 - k * d_k1
    return d_y, d_k
