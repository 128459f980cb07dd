import numba
import numpy as np


@numba.njit(cache=True, error_model="numpy")
def grad_lstm_cell(W, x, h, c, d_out=1.0):
    """Gradient of lstm_cell with respect to W, x, h and c."""
    # Forward
    m = h.shape[0]
    xh = np.concatenate((x, h))
    z = W @ xh

    d_z = np.empty(4 * m)
    d_c = np.empty_like(c)
    for j in range(m):
        i = 1 / (1 + np.exp(-z[j]))
        f = 1 / (1 + np.exp(-z[m + j]))
        o = 1 / (1 + np.exp(-z[2 * m + j]))
        g = np.tanh(z[3 * m + j])
        t = np.tanh(f * c[j] + i * g)
        # o * np.tanh(f * c + i * g)
        d_cell = d_out * o * (1 - t * t)
        d_c[j] = d_cell * f
        # g = np.tanh(z[3 * m :])
        d_z[3 * m + j] = d_cell * i * (1 - g * g)
        # o = 1 / (1 + np.exp(-z[2 * m : 3 * m]))
        d_z[2 * m + j] = d_out * t * o * (1 - o)
        # f = 1 / (1 + np.exp(-z[m : 2 * m]))
        d_z[m + j] = d_cell * c[j] * f * (1 - f)
        # i = 1 / (1 + np.exp(-z[:m]))
        d_z[j] = d_cell * g * i * (1 - i)
    # z = W @ np.concatenate((x, h))
    d_W = np.empty_like(W)
    for j in range(W.shape[0]):
        for k in range(W.shape[1]):
            d_W[j, k] = d_z[j] * xh[k]
    d_xh = W.T @ d_z
    return d_W, d_xh[: x.shape[0]], d_xh[x.shape[0] :], d_c
