"""Gradients of loops as an engineer commits them, in the manner of `hand`.

The forward loop as it is, on copies where it changes its arguments, then the loop
backwards. What the way back reads of each round is kept in a list, indexed; linear
stencils keep nothing.
"""

import numpy as np

from examples.recurrent import sigmoid


def jacobi_1d(A, B, steps, d_loss=1.0):
    """Value of jacobi_1d, and its gradient with respect to A and B."""
    A = A.copy()
    B = B.copy()
    for t in range(1, steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])
    loss = np.sum(A * A)

    d_A = 2 * d_loss * A
    d_B = np.zeros_like(B)
    for t in reversed(range(1, steps)):
        d_rhs = 0.33333 * d_A[1:-1]
        d_A[1:-1] = 0
        d_B[:-2] += d_rhs
        d_B[1:-1] += d_rhs
        d_B[2:] += d_rhs
        d_rhs = 0.33333 * d_B[1:-1]
        d_B[1:-1] = 0
        d_A[:-2] += d_rhs
        d_A[1:-1] += d_rhs
        d_A[2:] += d_rhs
    return loss, (d_A, d_B)


def heat_2d(u, alpha, steps, d_loss=1.0):
    """Value of heat_2d, and its gradient with respect to u."""
    u = u.copy()
    for t in range(steps):
        u[1:-1, 1:-1] += alpha * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
    loss = np.sum(u * u)

    d_u = 2 * d_loss * u
    for t in reversed(range(steps)):
        d_laplace = alpha * d_u[1:-1, 1:-1]
        d_u[2:, 1:-1] += d_laplace
        d_u[:-2, 1:-1] += d_laplace
        d_u[1:-1, 2:] += d_laplace
        d_u[1:-1, :-2] += d_laplace
        d_u[1:-1, 1:-1] -= 4 * d_laplace
    return loss, d_u


def rnn_loss(Wx, Wh, b, X, target, d_loss=1.0):
    """Value of rnn_loss, and its gradient with respect to Wx, Wh and b."""
    h = np.zeros(Wh.shape[0])
    hs = [h]
    for t in range(X.shape[0]):
        h = np.tanh(X[t] @ Wx + h @ Wh + b)
        hs.append(h)
    loss = 0.5 * np.sum((h - target) ** 2)

    d_h = d_loss * (h - target)
    d_h_ins = np.empty((X.shape[0], Wh.shape[0]), Wh.dtype)
    for t in reversed(range(X.shape[0])):
        d_h_ins[t] = d_h * (1 - hs[t + 1] ** 2)
        d_h = Wh @ d_h_ins[t]
    d_Wh = np.array(hs[:-1], Wh.dtype).T @ d_h_ins
    return loss, (X.T @ d_h_ins, d_Wh, np.sum(d_h_ins, axis=0))


def lstm_loss(Wx, Wh, b, X, target, d_loss=1.0):
    """Value of lstm_loss, and its gradient with respect to Wx, Wh and b."""
    m = Wh.shape[0]
    h = np.zeros(m)
    c = np.zeros(m)
    states, cells, gated = [h], [c], []
    for t in range(X.shape[0]):
        gates = (X[t] @ Wx + h @ Wh + b).reshape(4, m)
        i = sigmoid(gates[0])
        f = sigmoid(gates[1])
        o = sigmoid(gates[2])
        g = np.tanh(gates[3])
        c = f * c + i * g
        c_tanh = np.tanh(c)
        h = o * c_tanh
        states.append(h)
        cells.append(c)
        gated.append((i, f, o, g, c_tanh))
    loss = 0.5 * np.sum((h - target) ** 2)

    d_h = d_loss * (h - target)
    d_c = np.zeros_like(c)
    d_gates = np.empty((X.shape[0], 4, m), Wh.dtype)
    for t in reversed(range(X.shape[0])):
        i, f, o, g, c_tanh = gated[t]
        d_c += d_h * o * (1 - c_tanh**2)
        d_gates[t, 0] = d_c * g * i * (1 - i)
        d_gates[t, 1] = d_c * cells[t] * f * (1 - f)
        d_gates[t, 2] = d_h * c_tanh * o * (1 - o)
        d_gates[t, 3] = d_c * i * (1 - g**2)
        d_h = Wh @ d_gates[t].ravel()
        d_c *= f
    d_gates = d_gates.reshape(-1, 4 * m)
    d_Wh = np.array(states[:-1], Wh.dtype).T @ d_gates
    return loss, (X.T @ d_gates, d_Wh, np.sum(d_gates, axis=0))


def cholesky_loops(A, d_loss=1.0):
    """Value of cholesky_loops, and its gradient with respect to A."""
    L = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(i):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
        L[i, i] = np.sqrt(A[i, i] - L[i, :i] @ L[i, :i])
    loss = 2 * np.sum(np.log(np.diag(L)))

    d_A = np.zeros_like(A)
    d_L = np.diag(2 * d_loss / np.diag(L))
    # Each entry of L is assigned once: the way back reads the final ones.
    for i in reversed(range(A.shape[0])):
        d_square = d_L[i, i] / (2 * L[i, i])
        d_A[i, i] = d_square
        d_L[i, :i] -= 2 * d_square * L[i, :i]
        for j in reversed(range(i)):
            d_rest = d_L[i, j] / L[j, j]
            d_A[i, j] = d_rest
            d_L[j, j] -= d_rest * L[i, j]
            d_L[i, :j] -= d_rest * L[j, :j]
            d_L[j, :j] -= d_rest * L[i, :j]
    return loss, d_A


def rk4_lotka_volterra(x, y, a, b, c, d, dt, steps, d_loss=1.0):
    """Value of rk4_lotka_volterra, and its gradient in all but dt."""
    stages = []
    for step in range(steps):
        xy = x * y
        x1, y1 = a * x - b * xy, d * xy - c * y
        u2, v2 = x + 0.5 * dt * x1, y + 0.5 * dt * y1
        uv2 = u2 * v2
        x2, y2 = a * u2 - b * uv2, d * uv2 - c * v2
        u3, v3 = x + 0.5 * dt * x2, y + 0.5 * dt * y2
        uv3 = u3 * v3
        x3, y3 = a * u3 - b * uv3, d * uv3 - c * v3
        u4, v4 = x + dt * x3, y + dt * y3
        uv4 = u4 * v4
        x4, y4 = a * u4 - b * uv4, d * uv4 - c * v4
        stages.append([(x, y, xy), (u2, v2, uv2), (u3, v3, uv3), (u4, v4, uv4)])
        x = x + dt / 6 * (x1 + 2 * x2 + 2 * x3 + x4)
        y = y + dt / 6 * (y1 + 2 * y2 + 2 * y3 + y4)
    loss = np.sum(x * x + y * y)

    d_x, d_y = 2 * d_loss * x, 2 * d_loss * y
    d_a = d_b = d_c = d_d = 0.0
    for step in reversed(range(steps)):
        # What x1 ... x4 and y1 ... y4 count in the new x and y, but for each other.
        outer_x, outer_y = dt / 6 * d_x, dt / 6 * d_y
        d_u, d_v = np.zeros_like(d_x), np.zeros_like(d_y)
        for k, share, reach in (
            (3, 1, 0),
            (2, 2, dt),
            (1, 2, 0.5 * dt),
            (0, 1, 0.5 * dt),
        ):
            u, v, uv = stages[step][k]
            d_rate_x = share * outer_x + reach * d_u
            d_rate_y = share * outer_y + reach * d_v
            d_uv = d * d_rate_y - b * d_rate_x
            d_a += np.sum(d_rate_x * u)
            d_b -= np.sum(d_rate_x * uv)
            d_c -= np.sum(d_rate_y * v)
            d_d += np.sum(d_rate_y * uv)
            d_u = a * d_rate_x + d_uv * v
            d_v = d_uv * u - c * d_rate_y
            d_x = d_x + d_u
            d_y = d_y + d_v
    return loss, (d_x, d_y, d_a, d_b, d_c, d_d)
