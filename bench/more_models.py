"""Models that are fitted: primals, their gradients by hand, and how both are run."""

from __future__ import annotations

import numpy as np

from bench.loop_workloads import amounts, small_step
from bench.workload import Workload

EPSILON = 1e-5


def masked_attention(Q, K, V, mask, target):
    scores = Q @ K.swapaxes(-1, -2) * Q.shape[-1] ** -0.5
    scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    error = probs @ V - target
    return np.mean(error * error)


def by_hand_masked_attention(Q, K, V, mask, target, d_loss=1.0):
    scale = Q.shape[-1] ** -0.5
    scores = Q @ K.swapaxes(-1, -2) * scale
    scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    error = probs @ V - target
    loss = np.mean(error * error)

    d_error = 2 * d_loss / error.size * error
    d_V = probs.swapaxes(-1, -2) @ d_error
    d_probs = d_error @ V.swapaxes(-1, -2)
    # The probability of what is masked is 0, and so is its part here.
    d_scores = probs * (d_probs - np.sum(d_probs * probs, axis=-1, keepdims=True))
    d_Q = d_scores @ K * scale
    d_K = d_scores.swapaxes(-1, -2) @ Q * scale
    return loss, (d_Q, d_K, d_V)


def group_norm(x, gamma, beta, target):
    mean = np.mean(x, axis=(2, 3), keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=(2, 3), keepdims=True)
    normed = (x - mean) / np.sqrt(variance + EPSILON)
    out = gamma[:, :, None] * normed + beta[:, :, None]
    return np.sum((out - target) ** 2)


def by_hand_group_norm(x, gamma, beta, target, d_loss=1.0):
    mean = np.mean(x, axis=(2, 3), keepdims=True)
    centred = x - mean
    variance = np.mean(centred**2, axis=(2, 3), keepdims=True)
    std = np.sqrt(variance + EPSILON)
    normed = centred / std
    error = gamma[:, :, None] * normed + beta[:, :, None] - target
    loss = np.sum(error**2)

    d_out = 2 * d_loss * error
    d_gamma = np.sum(d_out * normed, axis=(0, 3))
    d_beta = np.sum(d_out, axis=(0, 3))
    d_normed = gamma[:, :, None] * d_out
    by_mean = np.mean(d_normed, axis=(2, 3), keepdims=True)
    by_variance = np.mean(d_normed * normed, axis=(2, 3), keepdims=True)
    d_x = (d_normed - by_mean - by_variance * normed) / std
    return loss, (d_x, d_gamma, d_beta)


def gaussian_mixture(X, logits, means, log_scales):
    scaled = (X[:, None, :] - means) * np.exp(-log_scales)
    log_weights = logits - np.log(np.sum(np.exp(logits)))
    parts = log_weights - np.sum(log_scales, axis=1) - 0.5 * np.sum(scaled**2, axis=2)
    top = np.max(parts, axis=1, keepdims=True)
    return -np.sum(top[:, 0] + np.log(np.sum(np.exp(parts - top), axis=1)))


def by_hand_gaussian_mixture(X, logits, means, log_scales, d_loss=1.0):
    inverse = np.exp(-log_scales)
    scaled = (X[:, None, :] - means) * inverse
    exp_logits = np.exp(logits)
    total = np.sum(exp_logits)
    log_weights = logits - np.log(total)
    parts = log_weights - np.sum(log_scales, axis=1) - 0.5 * np.sum(scaled**2, axis=2)
    top = np.max(parts, axis=1, keepdims=True)
    exp_parts = np.exp(parts - top)
    sums = np.sum(exp_parts, axis=1)
    loss = -np.sum(top[:, 0] + np.log(sums))

    d_parts = exp_parts * (-d_loss / sums)[:, None]
    by_component = np.sum(d_parts, axis=0)
    d_logits = by_component - np.sum(by_component) / total * exp_logits
    d_scaled = d_parts[:, :, None] * scaled
    d_means = np.sum(d_scaled, axis=0) * inverse
    d_log_scales = np.einsum("nkd,nkd->kd", d_scaled, scaled) - by_component[:, None]
    return loss, (d_logits, d_means, d_log_scales)


def factorisation(U, V, ratings, known, weight):
    error = known * (U @ V.T - ratings)
    return 0.5 * np.sum(error**2) + 0.5 * weight * (np.sum(U**2) + np.sum(V**2))


def by_hand_factorisation(U, V, ratings, known, weight, d_loss=1.0):
    error = known * (U @ V.T - ratings)
    loss = 0.5 * np.sum(error**2) + 0.5 * weight * (np.sum(U**2) + np.sum(V**2))

    d_product = d_loss * known * error
    d_U = d_product @ V + weight * d_loss * U
    d_V = d_product.T @ U + weight * d_loss * V
    return loss, (d_U, d_V)


def cox_likelihood(beta, X, event):
    eta = X @ beta
    risk = np.cumsum(np.exp(eta)[::-1])[::-1]
    return -np.sum(event * (eta - np.log(risk)))


def by_hand_cox_likelihood(beta, X, event, d_loss=1.0):
    eta = X @ beta
    hazards = np.exp(eta)
    risk = np.cumsum(hazards[::-1])[::-1]
    loss = -np.sum(event * (eta - np.log(risk)))

    d_eta = d_loss * (np.cumsum(event / risk) * hazards - event)
    return loss, d_eta @ X


def smoothing_spline(c, weight, B, y):
    error = B @ c - y
    bends = np.diff(c, n=2)
    return np.sum(error**2) + weight * np.sum(bends**2)


def by_hand_smoothing_spline(c, weight, B, y, d_loss=1.0):
    error = B @ c - y
    bends = np.diff(c, n=2)
    roughness = np.sum(bends**2)
    loss = np.sum(error**2) + weight * roughness

    d_c = 2 * d_loss * error @ B
    d_bends = 2 * d_loss * weight * bends
    d_c[2:] += d_bends
    d_c[1:-1] -= 2 * d_bends
    d_c[:-2] += d_bends
    return loss, (d_c, d_loss * roughness)


def causal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """What each row may look at: itself, and what comes before it."""
    return np.tri(*shape, dtype=bool)


def zeros_and_ones(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return rng.integers(2, size=shape).astype(float)


MODELS = (
    Workload(
        name="masked_attention",
        primal=masked_attention,
        wrt=("Q", "K", "V"),
        shapes={
            "Q": "h n d",
            "K": "h m d",
            "V": "h m e",
            "mask": "n m",
            "target": "h n e",
        },
        sizes={
            "small": {"h": 2, "n": 8, "m": 8, "d": 4, "e": 4},
            "large": {"h": 8, "n": 256, "m": 256, "d": 32, "e": 32},
        },
        hand=by_hand_masked_attention,
        draws={"mask": causal},
    ),
    Workload(
        name="group_norm",
        primal=group_norm,
        wrt=("x", "gamma", "beta"),
        shapes={
            "x": "n g k l",
            "gamma": "g k",
            "beta": "g k",
            "target": "n g k l",
        },
        sizes={
            "small": {"n": 4, "g": 2, "k": 3, "l": 8},
            "large": {"n": 32, "g": 8, "k": 8, "l": 256},
        },
        hand=by_hand_group_norm,
    ),
    Workload(
        name="gaussian_mixture",
        primal=gaussian_mixture,
        wrt=("logits", "means", "log_scales"),
        shapes={"X": "n d", "logits": "k", "means": "k d", "log_scales": "k d"},
        sizes={
            "small": {"n": 16, "k": 3, "d": 2},
            "large": {"n": 5000, "k": 8, "d": 8},
        },
        hand=by_hand_gaussian_mixture,
    ),
    Workload(
        name="factorisation",
        primal=factorisation,
        wrt=("U", "V"),
        shapes={"U": "n k", "V": "m k", "ratings": "n m", "known": "n m", "weight": ""},
        sizes={
            "small": {"n": 12, "m": 9, "k": 3},
            "large": {"n": 600, "m": 500, "k": 16},
        },
        hand=by_hand_factorisation,
        draws={"known": zeros_and_ones, "weight": small_step},
    ),
    Workload(
        name="cox_likelihood",
        primal=cox_likelihood,
        wrt=("beta",),
        shapes={"beta": "d", "X": "n d", "event": "n"},
        sizes={"small": {"n": 24, "d": 4}, "large": {"n": 50_000, "d": 10}},
        hand=by_hand_cox_likelihood,
        draws={"event": zeros_and_ones},
    ),
    Workload(
        name="smoothing_spline",
        primal=smoothing_spline,
        wrt=("c", "weight"),
        shapes={"c": "k", "weight": "", "B": "n k", "y": "n"},
        sizes={"small": {"n": 32, "k": 10}, "large": {"n": 10_000, "k": 50}},
        hand=by_hand_smoothing_spline,
        draws={"B": amounts, "weight": small_step},
    ),
)
