"""A descent that is differentiated: how its result depends on what it fits."""

import numpy as np

import gradgen


def ridge(w, X, y, log_strength):
    """Squared error of a linear model, and the size of its weights."""
    error = X @ w - y
    return np.sum(error**2) + np.exp(log_strength) * np.sum(w**2)


def fitted(X, y, log_strength, rate=0.01, steps=200):
    """The weights that gradient descent ends at."""
    w = np.zeros_like(X[0])
    for _ in range(steps):
        g = gradgen.grad(ridge)(w, X, y, log_strength)
        if np.sum(g**2) < 1e-12:
            break
        w = w - rate * g
    return w


def validation_loss(X, y, log_strength, X_valid, y_valid):
    """The error of the fitted weights on other data."""
    w = fitted(X, y, log_strength)
    return np.mean((X_valid @ w - y_valid) ** 2)
