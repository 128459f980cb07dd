"""Gradients as an engineer commits them: the standard generated text is measured by.

The primal's statements as they are, then the gradient by the formulas a textbook
gives for each step: forward results reused, scalars multiplied together before they
meet an array, every array assigned once. Each takes the seed of its result, as a
backward pass in a larger one must. Gradients come in the order of the workload's
`wrt`, a single one bare. `tuned` holds the same gradients for speed alone.
"""

import numpy as np

from examples.gp import LOG_2PI
from examples.networks import EPSILON


def cosine_loss(X, Y, d_loss=1.0):
    """Value of cosine_loss, and its gradient with respect to X."""
    xnorm = np.sqrt(np.sum(X * X))
    ynorm = np.sqrt(np.sum(Y * Y))
    similarity = np.sum(X * Y) / (xnorm * ynorm)

    d_similarity = -d_loss
    d_xnorm = -d_similarity * similarity / xnorm
    d_X = d_similarity / (xnorm * ynorm) * Y + d_xnorm / xnorm * X
    return 1 - similarity, d_X


def cossim_rows(yh, y, d_loss=1.0):
    """Value of cossim_rows, and its gradient with respect to yh."""
    # Add a small constant to avoid 0 vectors
    yh = yh + 1e-8
    y = y + 1e-8
    norm_yh = np.linalg.norm(yh, axis=1, keepdims=True)
    norm_y = np.linalg.norm(y, axis=1, keepdims=True)
    mul_norms = norm_yh * norm_y
    cosine = (yh * y).sum(axis=1, keepdims=True) / mul_norms
    loss = np.abs(1 - cosine).sum()

    d_cosine = -d_loss * np.sign(1 - cosine)
    d_yh = d_cosine / mul_norms * y - d_cosine * cosine / norm_yh**2 * yh
    return loss, d_yh


def logistic_regression(w, b, X, y, d_loss=1.0):
    """Value of logistic_regression, and its gradient with respect to w and b."""
    logits = X @ w + b
    softplus = np.logaddexp(0, logits)
    losses = softplus - y * logits
    loss = np.mean(losses)

    # exp(logits - softplus) is the sigmoid, without overflow at either end.
    d_logits = d_loss / len(y) * (np.exp(logits - softplus) - y)
    return loss, (d_logits @ X, np.sum(d_logits))


def mlp_loss(W1, b1, W2, b2, X, Y, d_loss=1.0):
    """Value of mlp_loss, and its gradient with respect to W1, b1, W2 and b2."""
    h = np.tanh(X @ W1 + b1)
    logits = h @ W2 + b2
    shift = np.max(logits, axis=1, keepdims=True)
    scores = np.exp(logits - shift)
    total = np.sum(scores, axis=1, keepdims=True)
    log_probs = logits - shift - np.log(total)
    loss = -np.sum(Y * log_probs) / len(X)

    d_log_probs = -d_loss / len(X) * Y
    d_sum = np.sum(d_log_probs, axis=1, keepdims=True)
    d_logits = d_log_probs - d_sum / total * scores
    d_W2 = h.T @ d_logits
    d_b2 = np.sum(d_logits, axis=0)
    d_h_in = d_logits @ W2.T * (1 - h**2)
    d_W1 = X.T @ d_h_in
    d_b1 = np.sum(d_h_in, axis=0)
    return loss, (d_W1, d_b1, d_W2, d_b2)


def layer_norm_loss(x, gamma, beta, target, d_loss=1.0):
    """Value of layer_norm_loss, and its gradient with respect to x, gamma and beta."""
    mean = np.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    std = np.sqrt(variance + EPSILON)
    normed = centred / std
    error = gamma * normed + beta - target
    loss = np.mean(error * error)

    d_error = 2 * d_loss / error.size * error
    d_gamma = np.sum(d_error * normed, axis=0)
    d_beta = np.sum(d_error, axis=0)
    d_normed = d_error * gamma
    by_mean = np.mean(d_normed, axis=-1, keepdims=True)
    by_variance = np.mean(d_normed * normed, axis=-1, keepdims=True)
    d_x = (d_normed - by_mean - by_variance * normed) / std
    return loss, (d_x, d_gamma, d_beta)


def attention_loss(Q, K, V, target, d_loss=1.0):
    """Value of attention_loss, and its gradient with respect to Q, K and V."""
    scale = Q.shape[-1] ** -0.5
    scores = scale * (Q @ K.T)
    shift = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - shift)
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    error = probs @ V - target
    loss = np.mean(error * error)

    d_error = 2 * d_loss / error.size * error
    d_V = probs.T @ d_error
    d_probs = d_error @ V.T
    # The Jacobian of softmax: diag(p) - p p^T.
    d_scores = probs * (d_probs - np.sum(d_probs * probs, axis=-1, keepdims=True))
    d_Q = scale * (d_scores @ K)
    d_K = scale * (d_scores.T @ Q)
    return loss, (d_Q, d_K, d_V)


def attention_einsum_loss(Q, K, V, target, d_loss=1.0):
    """Value of attention_einsum_loss, and its gradient with respect to Q, K and V."""
    scale = Q.shape[-1] ** -0.5
    scores = scale * np.einsum("bhqd,bhkd->bhqk", Q, K)
    shift = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - shift)
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    error = np.einsum("bhqk,bhke->bhqe", probs, V) - target
    loss = np.mean(error * error)

    d_error = 2 * d_loss / error.size * error
    d_V = probs.swapaxes(-1, -2) @ d_error
    d_probs = d_error @ V.swapaxes(-1, -2)
    # The Jacobian of softmax: diag(p) - p p^T.
    d_scores = probs * (d_probs - np.sum(d_probs * probs, axis=-1, keepdims=True))
    d_Q = scale * (d_scores @ K)
    d_K = scale * (d_scores.swapaxes(-1, -2) @ Q)
    return loss, (d_Q, d_K, d_V)


def gp_marginal_likelihood(X, y, lengthscale, amplitude, noise, d_value=1.0):
    """Value of gp_marginal_likelihood, and its gradient by the hyperparameters."""
    gaps = (X[:, None, :] - X[None, :, :]) / lengthscale
    rbf = amplitude**2 * np.exp(-0.5 * np.sum(gaps * gaps, axis=-1))
    K = rbf + noise**2 * np.eye(len(X), dtype=X.dtype)
    L = np.linalg.cholesky(K)
    white = np.linalg.solve(L, y)
    half_logdet = np.sum(np.log(np.diag(L)))
    value = -0.5 * (white @ white) - half_logdet - 0.5 * len(X) * LOG_2PI

    # d value / d K is (alpha alpha^T - K^-1) / 2, where alpha is K^-1 y.
    inverse = np.linalg.inv(L)
    alpha = white @ inverse
    d_K = 0.5 * d_value * (np.outer(alpha, alpha) - inverse.T @ inverse)
    d_noise = 2 * noise * np.trace(d_K)
    by_rbf = d_K * rbf
    d_amplitude = 2 * np.sum(by_rbf) / amplitude
    d_lengthscale = np.sum(by_rbf[:, :, None] * gaps**2, axis=(0, 1)) / lengthscale
    return value, (d_lengthscale, d_amplitude, d_noise)
