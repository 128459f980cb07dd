"""The primals with loops as one writes them for JAX: a scan, which it compiles once.

A loop of Python is unrolled by JAX, and compiled for as long as it has rounds. Loops of
a few rounds, as over a kernel of five by five, are left as they are.
"""

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def rounds(step, state, steps):
    """`state` after so many steps."""
    return lax.scan(lambda one, _: (step(*one), None), state, None, length=steps)[0]


def jacobi_1d(A, B, steps):
    def step(A, B):
        B = B.at[1:-1].set(0.33333 * (A[:-2] + A[1:-1] + A[2:]))
        A = A.at[1:-1].set(0.33333 * (B[:-2] + B[1:-1] + B[2:]))
        return A, B

    A, B = rounds(step, (A, B), steps - 1)
    return jnp.sum(A * A)


def heat_2d(u, alpha, steps):
    def step(u):
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        return (u.at[1:-1, 1:-1].add(alpha * (around - 4 * u[1:-1, 1:-1])),)

    (u,) = rounds(step, (u,), steps)
    return jnp.sum(u * u)


def wave_2d(u, speed, steps):
    def step(before, u):
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        inner = speed[1:-1, 1:-1] * (around - 4 * u[1:-1, 1:-1])
        return u, (2 * u - before).at[1:-1, 1:-1].add(inner)

    _, u = rounds(step, (u, u), steps)
    return jnp.sum(u**2)


def rnn_loss(Wx, Wh, b, X, target):
    def step(h, x):
        return jnp.tanh(x @ Wx + h @ Wh + b), None

    h, _ = lax.scan(step, jnp.zeros(Wh.shape[0]), X)
    return 0.5 * jnp.sum((h - target) ** 2)


def lstm_loss(Wx, Wh, b, X, target):
    def sigmoid(z):
        return 0.5 * (1 + jnp.tanh(0.5 * z))

    def step(state, x):
        h, c = state
        gates = (x @ Wx + h @ Wh + b).reshape(4, -1)
        c = sigmoid(gates[1]) * c + sigmoid(gates[0]) * jnp.tanh(gates[3])
        return (sigmoid(gates[2]) * jnp.tanh(c), c), None

    zeros = jnp.zeros(Wh.shape[0])
    (h, _), _ = lax.scan(step, (zeros, zeros), X)
    return 0.5 * jnp.sum((h - target) ** 2)


def cholesky_loops(A):
    n = A.shape[0]

    def row(L, i):
        # the entries that are not reached yet are zeros
        def entry(L, j):
            made = (A[i, j] - L[i] @ L[j]) / jnp.where(j < i, L[j, j], 1.0)
            return L.at[i, j].add(jnp.where(j < i, made, 0.0)), None

        L, _ = lax.scan(entry, L, jnp.arange(n))
        return L.at[i, i].set(jnp.sqrt(A[i, i] - L[i] @ L[i])), None

    L, _ = lax.scan(row, jnp.zeros_like(A), jnp.arange(n))
    return 2 * jnp.sum(jnp.log(jnp.diag(L)))


def rk4_lotka_volterra(x, y, a, b, c, d, dt, steps):
    def rates(x, y):
        xy = x * y
        return a * x - b * xy, d * xy - c * y

    def step(x, y):
        x1, y1 = rates(x, y)
        x2, y2 = rates(x + 0.5 * dt * x1, y + 0.5 * dt * y1)
        x3, y3 = rates(x + 0.5 * dt * x2, y + 0.5 * dt * y2)
        x4, y4 = rates(x + dt * x3, y + dt * y3)
        x = x + dt / 6 * (x1 + 2 * x2 + 2 * x3 + x4)
        return x, y + dt / 6 * (y1 + 2 * y2 + 2 * y3 + y4)

    x, y = rounds(step, (x, y), steps)
    return jnp.sum(x * x + y * y)


def fitzhugh_nagumo(v, w, current, a, b, dt, steps):
    def step(v, w, total):
        v_rate = v - v**3 / 3 - w + current
        w_rate = 0.08 * (v + a - b * w)
        v, w = v + dt * v_rate, w + dt * w_rate
        return v, w, total + jnp.sum(v * v)

    return rounds(step, (v, w, 0.0), steps)[2]


def kalman_filter(F, H, Q, R, Z):
    def step(state, z):
        x, P, loss = state
        x = F @ x
        P = F @ P @ F.T + Q
        HP = H @ P
        S = HP @ H.T + R
        error = z - H @ x
        K = jnp.linalg.solve(S, HP).T
        white = jnp.linalg.solve(S, error)
        loss = loss + 0.5 * (jnp.log(jnp.linalg.det(S)) + error @ white)
        return (x + K @ error, P - K @ HP, loss), None

    (_, _, loss), _ = lax.scan(step, (jnp.zeros_like(F[0]), Q, 0.0), Z)
    return loss


def hidden_markov(log_start, log_moves, log_emissions):
    moves = jnp.exp(log_moves)

    def step(alpha, emission):
        top = jnp.max(alpha)
        return top + jnp.log(jnp.exp(alpha - top) @ moves) + emission, None

    alpha, _ = lax.scan(step, log_start + log_emissions[0], log_emissions[1:])
    top = jnp.max(alpha)
    return -(top + jnp.log(jnp.sum(jnp.exp(alpha - top))))


def garch(omega, a, b, returns):
    def step(state, one):
        variance, loss = state
        square = one**2
        loss = loss + jnp.log(variance) + square / variance
        return (omega + a * square + b * variance, loss), None

    (_, loss), _ = lax.scan(step, (omega, 0.0), returns)
    return 0.5 * loss


def asian_option(price, sigma, rate, strike, noise):
    dt = 1 / len(noise)
    drift = (rate - 0.5 * sigma**2) * dt

    def step(state, one):
        path, total = state
        path = path * jnp.exp(drift + sigma * dt**0.5 * one)
        return (path, total + path), None

    path = jnp.full_like(noise[0], price)
    (_, total), _ = lax.scan(step, (path, jnp.zeros_like(path)), noise)
    payoff = jnp.maximum(total / len(noise) - strike, 0)
    return jnp.exp(-rate) * jnp.mean(payoff)


def tree_likelihood(lengths, tips):
    stays = jnp.exp(-4 / 3 * lengths).reshape(-1, 2)

    def step(partial, given):
        (one, two), tip = given
        left = one * partial + (1 - one) * jnp.mean(partial, axis=1, keepdims=True)
        right = two * tip + (1 - two) * jnp.mean(tip, axis=1, keepdims=True)
        return left * right, None

    partial, _ = lax.scan(step, tips[0], (stays, tips[1:]))
    return -jnp.sum(jnp.log(jnp.mean(partial, axis=1)))


def primal_of(name: str):
    """The primal of a workload in this form, None for one that has no loop."""
    found = globals().get(name)
    return found if callable(found) and name not in ("rounds", "primal_of") else None
