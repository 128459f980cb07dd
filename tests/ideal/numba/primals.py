"""The functions whose compiled gradients were written by hand."""

import numpy as np


def stencil(u, c, steps):
    for _ in range(steps):
        u[1:-1] += c * (u[:-2] - 2 * u[1:-1] + u[2:])
    return np.sum(u * u)


def rk4(y, k, dt, steps):
    for _ in range(steps):
        k1 = -k * y
        k2 = -k * (y + dt / 2 * k1)
        k3 = -k * (y + dt / 2 * k2)
        k4 = -k * (y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum(y * y)


def lstm_cell(W, x, h, c):
    m = h.shape[0]
    z = W @ np.concatenate((x, h))
    i = 1 / (1 + np.exp(-z[:m]))
    f = 1 / (1 + np.exp(-z[m : 2 * m]))
    o = 1 / (1 + np.exp(-z[2 * m : 3 * m]))
    g = np.tanh(z[3 * m :])
    return np.sum(o * np.tanh(f * c + i * g))


def pair_potential(X, eps, sigma):
    energy = 0.0
    for i in range(X.shape[0]):
        for j in range(i):
            d = X[i] - X[j]
            s = (sigma * sigma / np.sum(d * d)) ** 3
            energy += 4 * eps * (s * s - s)
    return energy


def observation(cam, p, seen):
    theta = np.sqrt(np.sum(cam[:3] * cam[:3]))
    k = cam[:3] / theta
    kp = np.array(
        [
            k[1] * p[2] - k[2] * p[1],
            k[2] * p[0] - k[0] * p[2],
            k[0] * p[1] - k[1] * p[0],
        ]
    )
    c, s = np.cos(theta), np.sin(theta)
    q = c * p + s * kp + (1 - c) * np.sum(k * p) * k + cam[3:6]
    u = q[0] / q[2]
    v = q[1] / q[2]
    r2 = u * u + v * v
    scale = cam[6] * (1 + cam[7] * r2)
    return (scale * u - seen[0]) ** 2 + (scale * v - seen[1]) ** 2
