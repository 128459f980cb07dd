"""The same gradients for speed alone: a measure of what storage reuse could gain.

The fastest plain NumPy found by measuring, without a seed: arrays that are read no
more are updated in place, also in the forward part, and mlp_loss takes the rows of Y
to sum to 1, which holds for one-hot rows only. Nobody would commit these without a
profile that asks for it.
"""

import numpy as np

from examples.gp import LOG_2PI
from examples.networks import EPSILON


def cosine_loss(X, Y):
    """Value of cosine_loss, and its gradient with respect to X."""
    xnorm = np.sqrt(np.sum(X * X))
    ynorm = np.sqrt(np.sum(Y * Y))
    mul_norms = xnorm * ynorm
    similarity = np.sum(X * Y) / mul_norms

    d_X = similarity / xnorm / xnorm * X - 1 / mul_norms * Y
    return 1 - similarity, d_X


def cossim_rows(yh, y):
    """Value of cossim_rows, and its gradient with respect to yh."""
    # Add a small constant to avoid 0 vectors
    yh = yh + 1e-8
    y = y + 1e-8
    norm_yh = np.linalg.norm(yh, axis=1, keepdims=True)
    norm_y = np.linalg.norm(y, axis=1, keepdims=True)
    mul_norms = norm_yh * norm_y
    cosine = (yh * y).sum(axis=1, keepdims=True) / mul_norms
    gap = 1 - cosine
    loss = np.abs(gap).sum()

    # yh and y are sums of this function's own by now, and can take the two terms.
    sign = np.sign(gap)
    yh *= sign * cosine / norm_yh / norm_yh
    y *= sign / mul_norms
    yh -= y
    return loss, yh


def logistic_regression(w, b, X, y):
    """Value of logistic_regression, and its gradient with respect to w and b."""
    logits = X @ w + b
    softplus = np.logaddexp(0, logits)
    loss = np.mean(softplus - y * logits)

    # exp(logits - softplus) is the sigmoid, without overflow at either end.
    d_logits = (np.exp(logits - softplus) - y) / len(y)
    return loss, (d_logits @ X, d_logits.sum())


def mlp_loss(W1, b1, W2, b2, X, Y):
    """Value of mlp_loss, and its gradient with respect to W1, b1, W2 and b2."""
    h = np.tanh(X @ W1 + b1)
    logits = h @ W2 + b2
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    scores = np.exp(shifted)
    total = np.sum(scores, axis=1, keepdims=True)
    log_probs = shifted - np.log(total)
    loss = -np.sum(Y * log_probs) / len(X)

    # The rows of Y sum to 1, so softmax and logarithm together leave a difference.
    d_logits = (scores / total - Y) / len(X)
    d_W2 = h.T @ d_logits
    # The slope of tanh is 1 - h * h.
    h *= h
    d_h_in = d_logits @ W2.T
    d_h_in *= np.subtract(1, h, out=h)
    d_W1 = X.T @ d_h_in
    return loss, (d_W1, d_h_in.sum(axis=0), d_W2, d_logits.sum(axis=0))


def layer_norm_loss(x, gamma, beta, target):
    """Value of layer_norm_loss, and its gradient with respect to x, gamma and beta."""
    mean = np.mean(x, axis=-1, keepdims=True)
    normed = x - mean
    variance = np.mean(normed * normed, axis=-1, keepdims=True)
    std = np.sqrt(variance + EPSILON)
    normed /= std
    error = gamma * normed
    error += beta
    error -= target
    loss = np.mean(error * error)

    error *= 2 / error.size  # the gradient of gamma * normed + beta
    error_normed = error * normed
    d_beta = error.sum(axis=0)
    d_gamma = error_normed.sum(axis=0)
    # What the row's mean and its variance take away from d_x are row means of products
    # with gamma: one matrix product each.
    weights = gamma / len(gamma)
    by_mean = (error @ weights)[:, None]
    by_variance = (error_normed @ weights)[:, None]
    d_x = error
    d_x *= gamma
    d_x -= by_mean
    normed *= by_variance
    d_x -= normed
    d_x /= std
    return loss, (d_x, d_gamma, d_beta)


def attention_loss(Q, K, V, target):
    """Value of attention_loss, and its gradient with respect to Q, K and V."""
    scale = Q.shape[-1] ** -0.5
    probs = Q @ K.T
    probs *= scale
    probs -= np.max(probs, axis=-1, keepdims=True)
    np.exp(probs, out=probs)
    probs /= np.sum(probs, axis=-1, keepdims=True)
    out = probs @ V
    error = out - target
    loss = np.mean(error * error)

    d_out = 2 / error.size * error
    d_V = probs.T @ d_out
    # sum(d_probs * probs) over a row is sum(d_out * out), of far fewer columns.
    d_scores = d_out @ V.T
    d_scores -= (d_out * out).sum(axis=-1, keepdims=True)
    d_scores *= probs
    d_Q = scale * (d_scores @ K)
    d_K = scale * (d_scores.T @ Q)
    return loss, (d_Q, d_K, d_V)


def attention_einsum_loss(Q, K, V, target):
    """Value of attention_einsum_loss, and its gradient with respect to Q, K and V."""
    scale = Q.shape[-1] ** -0.5
    # The forward einsums as they are: a matrix product's last digits differ.
    probs = np.einsum("bhqd,bhkd->bhqk", Q, K)
    probs *= scale
    probs -= np.max(probs, axis=-1, keepdims=True)
    np.exp(probs, out=probs)
    probs /= np.sum(probs, axis=-1, keepdims=True)
    out = np.einsum("bhqk,bhke->bhqe", probs, V)
    error = out - target
    loss = np.mean(error * error)

    d_out = 2 / error.size * error
    d_V = probs.swapaxes(-1, -2) @ d_out
    # sum(d_probs * probs) over a row is sum(d_out * out), of far fewer columns.
    d_scores = d_out @ V.swapaxes(-1, -2)
    d_scores -= (d_out * out).sum(axis=-1, keepdims=True)
    d_scores *= probs
    d_Q = scale * (d_scores @ K)
    d_K = scale * (d_scores.swapaxes(-1, -2) @ Q)
    return loss, (d_Q, d_K, d_V)


def gp_marginal_likelihood(X, y, lengthscale, amplitude, noise):
    """Value of gp_marginal_likelihood, and its gradient by the hyperparameters."""
    gaps = (X[:, None, :] - X[None, :, :]) / lengthscale
    gaps *= gaps
    rbf = np.sum(gaps, axis=-1)
    rbf *= -0.5
    np.exp(rbf, out=rbf)
    rbf *= amplitude**2
    K = rbf + noise**2 * np.eye(len(X), dtype=X.dtype)
    L = np.linalg.cholesky(K)
    white = np.linalg.solve(L, y)
    half_logdet = np.log(np.diag(L)).sum()
    value = -0.5 * (white @ white) - half_logdet - 0.5 * len(X) * LOG_2PI

    inverse = np.linalg.inv(L)
    alpha = white @ inverse
    d_K = np.outer(alpha, alpha)
    d_K -= inverse.T @ inverse
    d_noise = noise * np.trace(d_K)
    d_K *= rbf
    d_amplitude = d_K.sum() / amplitude
    # One matrix product sums over both axes of pairs.
    sums = d_K.reshape(-1) @ gaps.reshape(-1, gaps.shape[-1])
    return value, (0.5 * sums / lengthscale, d_amplitude, d_noise)
