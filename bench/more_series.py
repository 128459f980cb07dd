"""Series and paths: primals, their gradients by hand, and how both are run."""

from __future__ import annotations

import numpy as np

from bench.loop_workloads import amounts, positive_definite, small_step
from bench.workload import Workload


def kalman_filter(F, H, Q, R, Z):
    x = np.zeros_like(F[0])
    P = Q
    loss = 0.0
    for t in range(Z.shape[0]):
        x = F @ x
        P = F @ P @ F.T + Q
        HP = H @ P
        S = HP @ H.T + R
        error = Z[t] - H @ x
        K = np.linalg.solve(S, HP).T
        white = np.linalg.solve(S, error)
        loss = loss + 0.5 * (np.log(np.linalg.det(S)) + error @ white)
        x = x + K @ error
        P = P - K @ HP
    return loss


def by_hand_kalman_filter(F, H, Q, R, Z, d_loss=1.0):
    x = np.zeros_like(F[0])
    P = Q
    loss = 0.0
    kept = []
    for t in range(Z.shape[0]):
        x_before, P_before = x, P
        x = F @ x
        P = F @ P @ F.T + Q
        HP = H @ P
        S = HP @ H.T + R
        error = Z[t] - H @ x
        K = np.linalg.solve(S, HP).T
        white = np.linalg.solve(S, error)
        loss = loss + 0.5 * (np.log(np.linalg.det(S)) + error @ white)
        kept.append((x_before, P_before, x, P, HP, S, error, K, white))
        x = x + K @ error
        P = P - K @ HP

    d_F, d_H = np.zeros_like(F), np.zeros_like(H)
    d_x, d_P = np.zeros_like(x), np.zeros_like(P)
    for t in reversed(range(Z.shape[0])):
        x_before, P_before, x, P, HP, S, error, K, white = kept[t]
        inverse = np.linalg.inv(S)
        d_K = d_x[:, None] * error - d_P @ HP.T
        # S and P are symmetric.
        solved = inverse @ d_K.T
        d_S = 0.5 * d_loss * (inverse - white[:, None] * white) - solved @ K
        d_HP = solved - K.T @ d_P + d_S @ H
        d_error = K.T @ d_x + d_loss * white
        d_H += d_S.T @ HP + d_HP @ P - d_error[:, None] * x
        d_x = d_x - H.T @ d_error
        d_P = d_P + H.T @ d_HP
        FP = F @ P_before
        d_F += (d_P + d_P.T) @ FP + d_x[:, None] * x_before
        d_P = F.T @ d_P @ F
        d_x = F.T @ d_x
    return loss, (d_F, d_H)


def hidden_markov(log_start, log_moves, log_emissions):
    moves = np.exp(log_moves)
    alpha = log_start + log_emissions[0]
    for t in range(1, log_emissions.shape[0]):
        top = np.max(alpha)
        alpha = top + np.log(np.exp(alpha - top) @ moves) + log_emissions[t]
    top = np.max(alpha)
    return -(top + np.log(np.sum(np.exp(alpha - top))))


def by_hand_hidden_markov(log_start, log_moves, log_emissions, d_loss=1.0):
    moves = np.exp(log_moves)
    alpha = log_start + log_emissions[0]
    weights, sums = [], []
    for t in range(1, log_emissions.shape[0]):
        top = np.max(alpha)
        weight = np.exp(alpha - top)
        reached = weight @ moves
        weights.append(weight)
        sums.append(reached)
        alpha = top + np.log(reached) + log_emissions[t]
    top = np.max(alpha)
    last = np.exp(alpha - top)
    total = np.sum(last)
    loss = -(top + np.log(total))

    # The shifts cancel: the result does not depend on them.
    d_alpha = -d_loss / total * last
    d_log_emissions = np.empty_like(log_emissions)
    d_sums = np.empty_like(log_emissions[1:])
    for t in reversed(range(1, log_emissions.shape[0])):
        d_log_emissions[t] = d_alpha
        d_sum = d_alpha / sums[t - 1]
        d_sums[t - 1] = d_sum
        d_alpha = weights[t - 1] * (moves @ d_sum)
    d_log_emissions[0] = d_alpha
    d_log_moves = np.array(weights).T @ d_sums * moves
    return loss, (d_alpha.copy(), d_log_moves, d_log_emissions)


def garch(omega, a, b, returns):
    variance = omega
    loss = 0.0
    for t in range(len(returns)):
        square = returns[t] ** 2
        loss = loss + np.log(variance) + square / variance
        variance = omega + a * square + b * variance
    return 0.5 * loss


def by_hand_garch(omega, a, b, returns, d_loss=1.0):
    variance = omega
    loss = 0.0
    variances, squares = [], []
    for t in range(len(returns)):
        square = returns[t] ** 2
        squares.append(square)
        variances.append(variance)
        loss = loss + np.log(variance) + square / variance
        variance = omega + a * square + b * variance

    d_each = 0.5 * d_loss
    d_omega = d_a = d_b = d_variance = 0.0
    for t in reversed(range(len(returns))):
        square, variance = squares[t], variances[t]
        d_omega += d_variance
        d_a += d_variance * square
        d_b += d_variance * variance
        d_variance = b * d_variance + d_each * (1 - square / variance) / variance
    return 0.5 * loss, (d_omega + d_variance, d_a, d_b)


def asian_option(price, sigma, rate, strike, noise):
    dt = 1 / len(noise)
    path = np.full_like(noise[0], price)
    total = np.zeros_like(path)
    for t in range(len(noise)):
        drift = (rate - 0.5 * sigma**2) * dt
        path = path * np.exp(drift + sigma * dt**0.5 * noise[t])
        total = total + path
    payoff = np.maximum(total / len(noise) - strike, 0)
    return np.exp(-rate) * np.mean(payoff)


def by_hand_asian_option(price, sigma, rate, strike, noise, d_value=1.0):
    dt = 1 / len(noise)
    path = np.full_like(noise[0], price)
    total = np.zeros_like(path)
    paths = []
    drift = (rate - 0.5 * sigma**2) * dt
    for t in range(len(noise)):
        path = path * np.exp(drift + sigma * dt**0.5 * noise[t])
        paths.append(path)
        total = total + path
    payoff = np.maximum(total / len(noise) - strike, 0)
    value = np.exp(-rate) * np.mean(payoff)

    scale = d_value * np.exp(-rate) / payoff.size / len(noise)
    d_total = scale * (payoff > 0)
    # What a path counts, times the path: the slopes of all its exponents.
    d_exponent = np.zeros_like(path)
    d_drift = d_scale = 0.0
    for t in reversed(range(len(noise))):
        d_exponent += paths[t] * d_total
        d_drift += np.sum(d_exponent)
        d_scale += d_exponent @ noise[t]
    d_price = np.sum(d_exponent) / price
    d_sigma = dt**0.5 * d_scale - sigma * dt * d_drift
    d_rate = dt * d_drift - d_value * value
    return value, (d_price, d_sigma, d_rate)


def tree_likelihood(lengths, tips):
    stays = np.exp(-4 / 3 * lengths)
    partial = tips[0]
    for k in range(1, tips.shape[0]):
        one, two = stays[2 * k - 2], stays[2 * k - 1]
        left = one * partial + (1 - one) * np.mean(partial, axis=1, keepdims=True)
        right = two * tips[k] + (1 - two) * np.mean(tips[k], axis=1, keepdims=True)
        partial = left * right
    return -np.sum(np.log(np.mean(partial, axis=1)))


def by_hand_tree_likelihood(lengths, tips, d_loss=1.0):
    stays = np.exp(-4 / 3 * lengths)
    partial = tips[0]
    kept = []
    for k in range(1, tips.shape[0]):
        one, two = stays[2 * k - 2], stays[2 * k - 1]
        mean = np.mean(partial, axis=1, keepdims=True)
        tip_mean = np.mean(tips[k], axis=1, keepdims=True)
        left = one * partial + (1 - one) * mean
        right = two * tips[k] + (1 - two) * tip_mean
        kept.append((partial - mean, tips[k] - tip_mean, left, right))
        partial = left * right
    means = np.mean(partial, axis=1)
    loss = -np.sum(np.log(means))

    d_stays = np.empty_like(stays)
    d_partial = (-d_loss / partial.shape[1] / means)[:, None]
    for k in reversed(range(1, tips.shape[0])):
        partial_gap, tip_gap, left, right = kept[k - 1]
        one = stays[2 * k - 2]
        d_stays[2 * k - 1] = np.sum(d_partial * left * tip_gap)
        d_left = d_partial * right
        d_stays[2 * k - 2] = np.sum(d_left * partial_gap)
        d_partial = one * d_left + (1 - one) * np.mean(d_left, axis=1, keepdims=True)
    return loss, -4 / 3 * stays * d_stays


def gently(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """A matrix whose powers stay small."""
    return 0.5 * np.eye(*shape) + 0.1 * rng.normal(size=shape)


SERIES = (
    Workload(
        name="kalman_filter",
        primal=kalman_filter,
        wrt=("F", "H"),
        shapes={"F": "d d", "H": "m d", "Q": "d d", "R": "m m", "Z": "t m"},
        sizes={
            "small": {"d": 3, "m": 2, "t": 20},
            "large": {"d": 40, "m": 20, "t": 50},
        },
        hand=by_hand_kalman_filter,
        draws={"F": gently, "Q": positive_definite, "R": positive_definite},
    ),
    Workload(
        name="hidden_markov",
        primal=hidden_markov,
        wrt=("log_start", "log_moves", "log_emissions"),
        shapes={"log_start": "k", "log_moves": "k k", "log_emissions": "t k"},
        sizes={"small": {"k": 4, "t": 20}, "large": {"k": 200, "t": 100}},
        hand=by_hand_hidden_markov,
    ),
    Workload(
        name="garch",
        primal=garch,
        wrt=("omega", "a", "b"),
        shapes={"omega": "", "a": "", "b": "", "returns": "t"},
        sizes={"small": {"t": 30}, "large": {"t": 2000}},
        hand=by_hand_garch,
        draws={"omega": amounts, "a": small_step, "b": small_step},
    ),
    Workload(
        name="asian_option",
        primal=asian_option,
        wrt=("price", "sigma", "rate"),
        shapes={"price": "", "sigma": "", "rate": "", "strike": "", "noise": "t n"},
        sizes={"small": {"t": 12, "n": 50}, "large": {"t": 50, "n": 20_000}},
        hand=by_hand_asian_option,
        taped=False,
        draws={"price": amounts, "sigma": amounts, "rate": small_step},
    ),
    Workload(
        name="tree_likelihood",
        primal=tree_likelihood,
        wrt=("lengths",),
        shapes={"lengths": "b", "tips": "n s c"},
        sizes={
            "small": {"b": 14, "n": 8, "s": 10, "c": 4},
            "large": {"b": 46, "n": 24, "s": 2000, "c": 4},
        },
        hand=by_hand_tree_likelihood,
        draws={"lengths": amounts, "tips": amounts},
    ),
)
