"""The functions whose gradients are used here; the gradients are in generated/."""

import numpy as np


def logistic_loss(w, X, y):
    """Mean negative log-likelihood of labels y in {0, 1}, with a small ridge."""
    logits = X @ w
    losses = np.logaddexp(0, logits) - y * logits
    return np.mean(losses) + 0.005 * np.sum(w * w)


def gated_layer(X, W, b, G):
    """A linear layer with tanh, each output scaled by a gate between 0 and 1."""
    gate = 0.5 * (1 + np.tanh(0.5 * (X @ G)))
    return gate * np.tanh(X @ W + b)


def log_posterior(w, X, y, noise):
    """Log density, but for a constant, of weights with a normal prior, given y."""
    residual = (y - X @ w) / noise
    return -0.5 * np.sum(residual**2) - 0.5 * np.sum(w**2)


def swing_cost(forces, angle, speed, dt):
    """Cost of a plan of torques for a pendulum that is to stand upright (angle 0)."""
    cost = 0.0
    for k in range(len(forces)):
        speed = speed + dt * (9.8 * np.sin(angle) + forces[k])
        angle = angle + dt * speed
        cost = cost + angle**2 + 0.1 * speed**2 + 0.001 * forces[k] ** 2
    return cost
