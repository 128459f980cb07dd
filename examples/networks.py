"""Small models and their training losses: regression, MLP, layer norm, attention."""

import numpy as np

# Keeps layer_norm finite on a row of equal entries.
EPSILON = 1e-5


def logistic_regression(w, b, X, y):
    """Mean negative log-likelihood of labels y in {0, 1} under sigmoid(X @ w + b)."""
    logits = X @ w + b
    # -log(sigmoid) written as logaddexp: no overflow at either end.
    losses = np.logaddexp(0, logits) - y * logits
    return np.mean(losses)


def mlp_loss(W1, b1, W2, b2, X, Y):
    """Cross-entropy of a network with one tanh layer; the rows of Y are one-hot."""
    h = np.tanh(X @ W1 + b1)
    logits = h @ W2 + b2
    shift = np.max(logits, axis=1, keepdims=True)
    scores = np.exp(logits - shift)
    total = np.sum(scores, axis=1, keepdims=True)
    log_probs = logits - shift - np.log(total)
    loss = -np.sum(Y * log_probs) / len(X)
    return loss


def layer_norm(x, gamma, beta):
    """Rows of x brought to mean 0 and variance 1, then scaled by gamma, moved by beta."""
    mean = np.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    normed = centred / np.sqrt(variance + EPSILON)
    return gamma * normed + beta


def layer_norm_loss(x, gamma, beta, target):
    """Mean squared error of a layer norm against a target."""
    mean = np.mean(x, axis=-1, keepdims=True)
    centred = x - mean
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    normed = centred / np.sqrt(variance + EPSILON)
    error = gamma * normed + beta - target
    return np.mean(error * error)


def attention(Q, K, V):
    """Softmax attention of one head: each query's weighted mean of the rows of V."""
    scale = Q.shape[-1] ** -0.5
    scores = scale * (Q @ K.T)
    shift = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - shift)
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    return probs @ V


def attention_loss(Q, K, V, target):
    """Mean squared error of an attention head against a target."""
    scale = Q.shape[-1] ** -0.5
    scores = scale * (Q @ K.T)
    shift = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - shift)
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    error = probs @ V - target
    return np.mean(error * error)


def softmax_layer(x, W, b):
    """The probabilities that a linear layer gives its classes."""
    scores = W @ x + b
    weights = np.exp(scores - np.max(scores))
    return weights / np.sum(weights)
