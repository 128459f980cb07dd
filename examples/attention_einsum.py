"""Attention over a batch of sequences with several heads, in einsum notation."""

import numpy as np


def attention_einsum(Q, K, V):
    """Softmax attention: batch b, heads h, queries q, keys k, and d or e features."""
    scale = Q.shape[-1] ** -0.5
    scores = scale * np.einsum("bhqd,bhkd->bhqk", Q, K)
    shift = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - shift)
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.einsum("bhqk,bhke->bhqe", probs, V)


def attention_einsum_loss(Q, K, V, target):
    """Mean squared error of batched attention against a target."""
    scale = Q.shape[-1] ** -0.5
    scores = scale * np.einsum("bhqd,bhkd->bhqk", Q, K)
    shift = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - shift)
    probs = weights / np.sum(weights, axis=-1, keepdims=True)
    error = np.einsum("bhqk,bhke->bhqe", probs, V) - target
    return np.mean(error * error)
