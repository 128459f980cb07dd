"""Functions whose docstrings and defaults tell all that their gradients need to know."""

import numpy as np


def ridge(w, X, y, strength=0.1):
    """Mean squared error of a linear model, with a penalty.

    Parameters
    ----------
    w : ndarray of shape (n_features,)
        The weights.
    X : ndarray of shape (n_samples, n_features)
        The data.
    y : ndarray of shape (n_samples,)
        The targets.
    strength : float, default=0.1
        How much the weights cost.

    Returns
    -------
    float
    """
    residual = X @ w - y
    return np.mean(residual**2) + strength * np.sum(w**2)


def logistic(w, X, y, bias=0.0):
    """Negative log-likelihood of labels in {-1, 1}.

    Parameters
    ----------
    w : (d,) array_like
    X : (n, d) array_like
    y : (n,) array_like
    bias : float, optional
    """
    margins = y * (X @ w + bias)
    return np.mean(np.log1p(np.exp(-margins)))


def huber(prediction, target, width=1.0):
    """Huber's loss.

    Parameters
    ----------
    prediction, target : array_like, shape (n,)
    width : float
        Where the square becomes a line.
    """
    distance = np.abs(prediction - target)
    square = 0.5 * distance**2
    line = width * (distance - 0.5 * width)
    return np.sum(np.where(distance < width, square, line))


def softmax_cross_entropy(logits, targets):
    """Cross entropy between rows of probabilities and the softmax of logits.

    Parameters
    ----------
    logits : ndarray, shape (n_samples, n_classes)
    targets : ndarray, shape (n_samples, n_classes)
    """
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_total = np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(np.sum(targets * (shifted - log_total), axis=1))


def gaussian_log_density(x, mean, precision):
    """Log density of a normal distribution, up to a constant.

    Parameters
    ----------
    x : (d,) ndarray
    mean : (d,) ndarray
    precision : (d, d) ndarray
        The inverse of the covariance.
    """
    centred = x - mean
    return -0.5 * centred @ precision @ centred


def total_variation(image, weight=1.0):
    """Sum of the squared differences of neighbours.

    Parameters
    ----------
    image : ndarray of shape (height, width)
    weight : float
    """
    down = image[1:, :] - image[:-1, :]
    right = image[:, 1:] - image[:, :-1]
    return weight * (np.sum(down**2) + np.sum(right**2))


def affine(W, x, b):
    """A layer.

    Args:
        W (np.ndarray of shape (outputs, inputs)): the weights.
        x (np.ndarray of shape (inputs,)): one sample.
        b (np.ndarray of shape (outputs,)): the bias.

    Returns:
        np.ndarray: the activations.
    """
    return np.tanh(W @ x + b)


def contrastive(anchor, others, temperature=0.5):
    """How alike an anchor and other vectors are, the first of which is its own.

    Args:
        anchor (ndarray of shape (d,)): a vector.
        others (ndarray of shape (k, d)): a vector in each row.
        temperature (float, optional): how sharp the comparison is.
    """
    scores = others @ anchor / temperature
    return np.log(np.sum(np.exp(scores))) - scores[0]


def smoothed(y, z, roughness):
    """Whittaker's smoother: fidelity and second differences.

    Args:
        y (ndarray of shape (n,)): what was measured.
        z (ndarray of shape (n,)): the smooth curve.
        roughness (float): how much bends cost.
    """
    bends = z[2:] - 2 * z[1:-1] + z[:-2]
    return np.sum((y - z) ** 2) + roughness * np.sum(bends**2)


def decayed(start, inputs, rate=0.9, steps=5):
    """A state that forgets.

    Args:
        start (ndarray of shape (d,)): the first state.
        inputs (ndarray of shape (d,)): what is added in each step.
        rate (float): what is kept.
        steps (int): how often.
    """
    state = start
    for _ in range(steps):
        state = rate * state + inputs
    return np.sum(state**2)
